//! Cases of schemas: one for each way through their alternatives.

use docent_describe::json::{Json, Name, Object};
use docent_describe::schema::{Kinds, Role, SchemaContext, listed, role, target};

/// The maximum number of schemas that apply to a case, and of those that are excluded. A case without
/// the others has more values, which is allowed.
const MOST_TERMS: usize = 200;

/// The maximum number of references that are followed one after the other.
const MAX_REFERENCES: usize = 10_000;

const EACH: [Kinds; 7] = [
    Kinds::NULL,
    Kinds::BOOLEAN,
    Kinds::INTEGER,
    Kinds::FRACTION,
    Kinds::STRING,
    Kinds::ARRAY,
    Kinds::OBJECT,
];

/// The description that a schema belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Operand {
    Narrow,
    Wide,
}

/// A schema and the description that it belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term<'j> {
    pub(super) operand: Operand,
    pub(super) schema: &'j Json,
}

impl<'j> Term<'j> {
    pub(super) fn new(operand: Operand, schema: &'j Json) -> Self {
        Self { operand, schema }
    }

    /// Returns another schema of the same description.
    pub(super) fn with(self, schema: &'j Json) -> Self {
        Self { schema, ..self }
    }
}

/// Values that satisfy some schemas. There may be more values in it, but none is missing.
#[derive(Debug, Clone)]
pub(super) struct Case<'j> {
    /// The schemas that apply. The alternatives among them have been chosen.
    pub(super) terms: Vec<Term<'j>>,
    pub(super) kinds: Kinds,
    /// The values, if they are listed.
    listed: Option<Vec<&'j Json>>,
    /// The schemas that none of the values satisfies: the other alternatives of a `oneOf`, and those
    /// under `not`.
    pub(super) excluded: Vec<&'j Json>,
}

impl<'j> Case<'j> {
    pub(super) fn any() -> Self {
        Self {
            terms: Vec::new(),
            kinds: Kinds::ALL,
            listed: None,
            excluded: Vec::new(),
        }
    }

    /// Creates the case of a schema without its alternatives and references.
    pub(super) fn own(term: Term<'j>, words: &'j Object) -> Self {
        Self {
            terms: vec![term],
            kinds: Kinds::of_type(words).unwrap_or(Kinds::ALL),
            listed: listed(words),
            excluded: words.get("not").into_iter().collect(),
        }
    }

    /// Returns the schemas that apply, as objects.
    pub(super) fn words(&self) -> impl Iterator<Item = &'j Object> + use<'j, '_> {
        self.terms.iter().filter_map(|term| term.schema.as_object())
    }

    /// Returns the values of a keyword in the schemas, each with the schema that it belongs to.
    pub(super) fn said(&self, keyword: &str) -> impl Iterator<Item = (&'j Object, Term<'j>)> {
        self.terms.iter().filter_map(move |term| {
            let words = term.schema.as_object()?;
            Some((words, term.with(words.get(keyword)?)))
        })
    }

    /// Returns the values of a kind if they are listed, or are null, true and false.
    pub(super) fn values(&self, kind: Kinds) -> Option<Vec<Json>> {
        match (&self.listed, kind) {
            (Some(listed), _) => {
                let listed = listed.iter().filter(|value| Kinds::of(value) == kind);
                Some(listed.map(|value| (*value).clone()).collect())
            }
            (None, Kinds::NULL) => Some(vec![Json::Null]),
            (None, Kinds::BOOLEAN) => Some(vec![Json::Bool(false), Json::Bool(true)]),
            _ => None,
        }
    }

    /// Returns the kinds of its values, one by one.
    pub(super) fn each_kind(&self) -> impl Iterator<Item = Kinds> + use<> {
        let kinds = self.kinds;
        EACH.into_iter().filter(move |kind| kind.within(kinds))
    }

    /// Returns the case of the values that are in both, or `None` if there are none.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        for term in &other.terms {
            let is_same = |known: &Term<'j>| std::ptr::eq(known.schema, term.schema);
            if both.terms.len() < MOST_TERMS && !both.terms.iter().any(is_same) {
                both.terms.push(*term);
            }
        }
        both.excluded.extend(&other.excluded);
        both.excluded.truncate(MOST_TERMS);
        both.kinds = self.kinds & other.kinds;
        match (&mut both.listed, &other.listed) {
            // Long lists are not compared, which leaves more values.
            (Some(listed), Some(others)) if listed.len() * others.len() < 10_000 => {
                listed.retain(|value| others.contains(value));
            }
            (None, Some(_)) => both.listed.clone_from(&other.listed),
            _ => {}
        }
        let is_empty = both.kinds == Kinds::NONE || both.listed.as_ref().is_some_and(Vec::is_empty);
        (!is_empty).then_some(both)
    }
}

/// Returns whether a schema asserts nothing.
pub(crate) fn takes_all(schema: &Json) -> bool {
    match schema {
        Json::Bool(any) => *any,
        Json::Object(words) => words.keys().all(|keyword| !asserts(keyword)),
        _ => true,
    }
}

/// Returns whether a keyword asserts something by itself.
pub(crate) fn asserts(keyword: &str) -> bool {
    match keyword {
        "then" | "else" | "minContains" | "maxContains" | "contentSchema" | "additionalItems" => {
            false
        }
        _ => matches!(role(keyword), Some(Role::Asserts | Role::Unenforced)),
    }
}

/// Returns the schema that references lead to, as far as they have no constraints beside them, and the
/// last of these references.
pub(crate) fn followed<'j>(
    mut schema: &'j Json,
    context: SchemaContext<'j>,
) -> (&'j Json, Option<&'j str>) {
    let mut last = None;
    // A schema that was passed before, always a newer one: references that go round in a circle come back to it.
    let mut passed = schema;
    for step in 1..=MAX_REFERENCES {
        let Some(words) = schema.as_object() else {
            break;
        };
        let mut asserted = words.keys().filter(|keyword| asserts(keyword));
        let (Some("$ref"), None) = (asserted.next().map(Name::as_str), asserted.next()) else {
            break;
        };
        let Some(next) = target(words, context.components) else {
            break;
        };
        (schema, last) = (next, words.get("$ref").and_then(Json::as_str));
        if std::ptr::eq(schema, passed) {
            break;
        }
        if step.is_power_of_two() {
            passed = schema;
        }
    }
    (schema, last)
}
