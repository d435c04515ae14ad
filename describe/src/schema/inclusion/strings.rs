//! Strings: lengths, patterns and formats.

use super::Includes;
use super::cases::Case;
use super::proof::Proof;
use crate::json::{Decimal, Json, Object};
use crate::schema::trial::{matching, of_format};

/// The longest string that is made to show a bound.
const LONGEST: usize = 5000;

/// The bounds of a length or a count.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Count {
    pub(super) least: Decimal,
    /// `None` if there may be any number.
    pub(super) most: Option<Decimal>,
}

impl Count {
    pub(super) fn of<'w>(words: impl Iterator<Item = &'w Object>, unit: [&str; 2]) -> Self {
        let mut count = Self {
            least: Decimal::new("0"),
            most: None,
        };
        for words in words {
            if let Some(Json::Number(least)) = words.get(unit[0]) {
                count.at_least(Decimal::new(least));
            }
            if let Some(Json::Number(most)) = words.get(unit[1]) {
                count.at_most(Decimal::new(most));
            }
        }
        count
    }

    pub(super) fn at_least(&mut self, least: Decimal) {
        self.least = self.least.clone().max(least);
    }

    pub(super) fn at_most(&mut self, most: Decimal) {
        let least = self
            .most
            .take()
            .map_or(most.clone(), |known| known.min(most));
        self.most = Some(least);
    }

    pub(super) fn is_never(&self) -> bool {
        self.most.as_ref().is_some_and(|most| *most < self.least)
    }

    pub(super) fn is_within(&self, other: &Self) -> bool {
        let below = |most: &Decimal| self.most.as_ref().is_some_and(|own| own <= most);
        self.least >= other.least && other.most.as_ref().is_none_or(below)
    }

    /// Numbers at the bounds and one beyond.
    pub(super) fn edges(&self) -> Vec<usize> {
        let bounds = [Some(&self.least), self.most.as_ref()];
        let bounds = bounds.into_iter().flatten().filter_map(Decimal::to_i128);
        let edges = bounds.filter_map(|bound| usize::try_from(bound).ok());
        edges
            .flat_map(|bound| [bound, bound + 1, bound.saturating_sub(1)])
            .collect()
    }
}

pub(super) const LENGTH: [&str; 2] = ["minLength", "maxLength"];

impl<'j> Includes<'j> {
    pub(super) fn string(&mut self, case: &Case<'j>, words: &'j Object) -> Proof {
        let has = Count::of(case.words(), LENGTH);
        let asked = Count::of(std::iter::once(words), LENGTH);
        let mut proof = Proof::of(has.is_within(&asked), || strings(case, Some(words)));
        if let Some(Json::String(pattern)) = words.get("pattern") {
            let mut said = case.said("pattern").filter_map(Json::as_str);
            let holds = said.any(|said| said == pattern);
            proof = proof.and(Proof::of(holds, || strings(case, Some(words))));
        }
        if let Some(Json::String(format)) = words.get("format") {
            let context = self.narrow.context;
            let holds = self.wide.context.enforces(format) == Some(false)
                || context.enforces(format) != Some(false)
                    && case
                        .said("format")
                        .any(|said| said.as_str() == Some(format));
            proof = proof.and(Proof::of(holds, || strings(case, None)));
        }
        proof
    }
}

/// Strings that a case may take, and strings at the bounds that a schema asks for.
pub(super) fn strings(case: &Case<'_>, words: Option<&Object>) -> Vec<Json> {
    let has = Count::of(case.words(), LENGTH);
    let mut lengths = has.edges();
    if let Some(words) = words {
        lengths.extend(Count::of(std::iter::once(words), LENGTH).edges());
    }
    lengths.extend([1, 3]);
    let mut texts: Vec<String> = Vec::new();
    for pattern in case.said("pattern").filter_map(Json::as_str) {
        texts.extend(matching(pattern));
    }
    for format in case.said("format").filter_map(Json::as_str) {
        texts.extend(of_format(format));
    }
    let lengths = lengths.into_iter().filter(|length| *length <= LONGEST);
    texts.extend(lengths.map(|length| "x".repeat(length)));
    texts.extend(["", "!", "A1", "ä", "0", "-"].map(str::to_owned));
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct.into_iter().map(Json::String).collect()
}
