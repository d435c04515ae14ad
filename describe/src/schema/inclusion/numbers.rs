//! Numbers: bounds and multiples, exactly.

use super::cases::Case;
use super::proof::Proof;
use crate::json::{Decimal, Json, Object};
use crate::schema::kinds::Kinds;

/// One end of a range.
#[derive(Debug, Clone, PartialEq)]
struct Bound {
    value: Decimal,
    is_exclusive: bool,
}

/// The least and the greatest value.
#[derive(Debug, Default)]
struct Range {
    least: Option<Bound>,
    most: Option<Bound>,
}

impl Range {
    fn of<'w>(words: impl Iterator<Item = &'w Object>, kind: Kinds) -> Self {
        let mut range = Self::default();
        for words in words {
            for (keyword, asked) in words {
                let Json::Number(text) = asked else {
                    continue;
                };
                let (is_least, is_exclusive) = match keyword.as_str() {
                    "minimum" => (true, false),
                    "exclusiveMinimum" => (true, true),
                    "maximum" => (false, false),
                    "exclusiveMaximum" => (false, true),
                    _ => continue,
                };
                let bound = Bound::new(text, is_least, is_exclusive, kind);
                if is_least {
                    let tighter = |known: &Bound| bound.is_above(known);
                    if range.least.as_ref().is_none_or(tighter) {
                        range.least = Some(bound);
                    }
                } else {
                    let tighter = |known: &Bound| bound.is_below(known);
                    if range.most.as_ref().is_none_or(tighter) {
                        range.most = Some(bound);
                    }
                }
            }
        }
        range
    }

    fn is_within(&self, other: &Self) -> bool {
        let holds =
            |has: &Option<Bound>, asked: &Option<Bound>, tighter: fn(&Bound, &Bound) -> bool| {
                let Some(asked) = asked else {
                    return true;
                };
                has.as_ref().is_some_and(|has| !tighter(asked, has))
            };
        holds(&self.least, &other.least, Bound::is_above)
            && holds(&self.most, &other.most, Bound::is_below)
    }

    fn is_empty(&self) -> bool {
        let (Some(least), Some(most)) = (&self.least, &self.most) else {
            return false;
        };
        least.value > most.value
            || least.value == most.value && (least.is_exclusive || most.is_exclusive)
    }
}

impl Bound {
    fn new(text: &str, is_least: bool, is_exclusive: bool, kind: Kinds) -> Self {
        let value = Decimal::new(text);
        // The integers above 1 are those from 2.
        if is_exclusive && kind == Kinds::INTEGER {
            let step = if is_least { 1 } else { -1 };
            let next = value.to_i128().and_then(|value| value.checked_add(step));
            if let Some(next) = next {
                return Self {
                    value: Decimal::new(&next.to_string()),
                    is_exclusive: false,
                };
            }
        }
        Self {
            value,
            is_exclusive,
        }
    }

    /// Whether a lower bound leaves fewer numbers than another.
    fn is_above(&self, other: &Self) -> bool {
        self.value > other.value
            || self.value == other.value && self.is_exclusive && !other.is_exclusive
    }

    /// Whether an upper bound leaves fewer numbers than another.
    fn is_below(&self, other: &Self) -> bool {
        self.value < other.value
            || self.value == other.value && self.is_exclusive && !other.is_exclusive
    }
}

/// Whether the bounds of a schema leave no number that those of another do not.
pub(super) fn is_within(words: &Object, other: &Object) -> bool {
    [Kinds::INTEGER, Kinds::FRACTION].into_iter().all(|kind| {
        let integers = |words: &Object| {
            Kinds::of_type(words).is_some_and(|kinds| !kinds.meet(Kinds::FRACTION))
        };
        if kind == Kinds::FRACTION && (integers(words) || integers(other)) {
            return true;
        }
        let has = Range::of(std::iter::once(words), kind);
        has.is_within(&Range::of(std::iter::once(other), kind))
    })
}

/// Proves that numbers of a case keep to the bounds of a schema.
pub(super) fn prove(case: &Case<'_>, kind: Kinds, words: &Object) -> Proof {
    let (has, asked) = (
        Range::of(case.words(), kind),
        Range::of(std::iter::once(words), kind),
    );
    let is_inside = has.is_within(&asked);
    let proof = Proof::of(is_inside, || around(&mut case.words().chain([words])));
    match words.get("multipleOf") {
        Some(Json::Number(step)) => proof.and(multiple(case, kind, step)),
        _ => proof,
    }
}

fn multiple(case: &Case<'_>, kind: Kinds, step: &str) -> Proof {
    let step = Decimal::new(step);
    let is_multiple = |text: &str| Decimal::new(text).is_multiple_of(&step);
    let holds = kind == Kinds::INTEGER && is_multiple("1")
        || case.said("multipleOf").any(|said| match said {
            Json::Number(text) => is_multiple(text),
            _ => false,
        });
    Proof::of(holds, || around(&mut case.words()))
}

/// Whether a case has no numbers of a kind.
pub(super) fn is_never(case: &Case<'_>, kind: Kinds) -> bool {
    let one = Decimal::new("1");
    kind == Kinds::FRACTION
        && case.said("multipleOf").any(|said| match said {
            Json::Number(text) => Decimal::new(text).is_multiple_of(&one),
            _ => false,
        })
        || Range::of(case.words(), kind).is_empty()
}

/// Whether no number is in both cases.
pub(super) fn are_apart(one: &Case<'_>, other: &Case<'_>, kind: Kinds) -> bool {
    Range::of(one.words().chain(other.words()), kind).is_empty()
}

/// Numbers at the bounds and beside them.
pub(super) fn around(words: &mut dyn Iterator<Item = &Object>) -> Vec<Json> {
    const KEYWORDS: [&str; 5] = [
        "minimum",
        "exclusiveMinimum",
        "maximum",
        "exclusiveMaximum",
        "multipleOf",
    ];
    let mut texts: Vec<String> = Vec::new();
    let said = words.flat_map(|words| KEYWORDS.iter().filter_map(|keyword| words.get(keyword)));
    for bound in said {
        let Json::Number(text) = bound else {
            continue;
        };
        texts.push(text.to_string());
        if let Some(whole) = Decimal::new(text).to_i128() {
            let steps = [1, -1, 2, -2, 0].map(|step| whole.saturating_add(step));
            texts.extend(steps.map(|near| near.to_string()));
            texts.extend(steps[..2].iter().map(|near| format!("{near}.5")));
            texts.extend([format!("{whole}.5"), whole.saturating_mul(3).to_string()]);
        } else if text.contains('.') && !text.contains(['e', 'E']) {
            // Just beyond: the digits go on.
            texts.push(format!("{text}1"));
        }
    }
    texts.extend(
        [
            "0", "1", "-1", "0.5", "-0.5", "2", "3", "7", "1000003", "-1000003",
        ]
        .map(str::to_owned),
    );
    texts.push("0.25".to_owned());
    texts.push("1e40".to_owned());
    texts.push("-1e40".to_owned());
    texts.dedup();
    texts
        .into_iter()
        .map(|text| Json::Number(text.into()))
        .collect()
}
