//! Takes schemas apart into cases: one for each way through their alternatives.

use std::rc::Rc;

use super::{Includes, address};
use docent_describe::json::{Json, Object};
use docent_describe::schema::Kinds;
use docent_describe::schema::{Role, list, resolve, role};

/// The maximum number of cases. Alternatives that would make more are not told apart.
const MOST: usize = 48;
/// The maximum depth of nested references and alternatives that are followed.
const DEEPEST: usize = 40;

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
    fn any() -> Self {
        Self {
            terms: Vec::new(),
            kinds: Kinds::ALL,
            listed: None,
            excluded: Vec::new(),
        }
    }

    /// Creates the case of a schema without its alternatives and references.
    fn own(term: Term<'j>, words: &'j Object) -> Self {
        Self {
            terms: vec![term],
            kinds: Kinds::of_type(words).unwrap_or(Kinds::ALL),
            listed: match (words.get("const"), words.get("enum")) {
                (Some(only), _) => Some(vec![only]),
                (None, Some(Json::Array(values))) => Some(values.iter().collect()),
                _ => None,
            },
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
            if !both.terms.iter().any(is_same) {
                both.terms.push(*term);
            }
        }
        both.excluded.extend(&other.excluded);
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

impl<'j> Includes<'j> {
    /// Returns the cases of values that satisfy all of some schemas.
    pub(super) fn cases(&mut self, terms: &[Term<'j>]) -> Vec<Case<'j>> {
        terms.iter().fold(vec![Case::any()], |all, term| {
            let inner = self.cases_of(*term, 0);
            product(&all, &inner).unwrap_or(all)
        })
    }

    /// Returns the cases of a schema. A schema that leads back to itself adds nothing to its cases.
    pub(super) fn cases_of(&mut self, term: Term<'j>, depth: usize) -> Rc<[Case<'j>]> {
        let words = match term.schema {
            Json::Bool(false) => return Rc::new([]),
            Json::Object(words) if depth < DEEPEST => words,
            _ => return Rc::new([Case::any()]),
        };
        let key = (term.operand, address(term.schema));
        if let Some(known) = self.cases.get(&key) {
            return Rc::clone(known);
        }
        self.cases.insert(key, Rc::new([Case::any()]));
        let mut all = vec![Case::own(term, words)];
        let mut narrow = |inner: &[Case<'j>]| {
            if let Some(both) = product(&all, inner) {
                all = both;
            }
        };
        let components = self.context(term.operand).components;
        let reference = words.get("$ref").and_then(Json::as_str);
        let target = reference.and_then(|reference| resolve(reference, components));
        for part in target.into_iter().chain(list(words, "allOf")) {
            narrow(&self.cases_of(term.with(part), depth + 1));
        }
        for keyword in ["anyOf", "oneOf"] {
            let alternatives = list(words, keyword);
            if !alternatives.is_empty() && alternatives.len() <= MOST {
                narrow(&self.alternatives(term, keyword, alternatives, depth));
            }
        }
        let all: Rc<[Case<'j>]> = all.into();
        self.cases.insert(key, Rc::clone(&all));
        all
    }

    fn alternatives(
        &mut self,
        term: Term<'j>,
        keyword: &str,
        alternatives: &'j [Json],
        depth: usize,
    ) -> Vec<Case<'j>> {
        let mut each = Vec::new();
        for (at, one) in alternatives.iter().enumerate() {
            if alternatives[..at].contains(one) {
                continue;
            }
            for case in &*self.cases_of(term.with(one), depth + 1) {
                let mut case = case.clone();
                if keyword == "oneOf" {
                    let others = alternatives.iter().enumerate();
                    let others = others.filter(|(other, _)| *other != at);
                    case.excluded.extend(others.map(|(_, other)| other));
                }
                each.push(case);
            }
        }
        each
    }
}

/// Returns each of some cases with each of others, or `None` if there would be too many.
fn product<'j>(outer: &[Case<'j>], inner: &[Case<'j>]) -> Option<Vec<Case<'j>>> {
    if outer.len() * inner.len() > MOST * 4 {
        return None;
    }
    let pairs = outer
        .iter()
        .flat_map(|one| inner.iter().map(move |other| (one, other)));
    let both: Vec<Case<'j>> = pairs.filter_map(|(one, other)| one.and(other)).collect();
    (both.len() <= MOST).then_some(both)
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
