//! Takes a schema apart into cases: one for each way through its alternatives.

use crate::json::{Json, Object};
use crate::schema::context::SchemaContext;
use crate::schema::form::Words;
use crate::schema::keyword::{Role, resolve, role};
use crate::schema::kinds::Kinds;
use crate::schema::valid::list;

/// How many cases a schema may have. Alternatives that would make more are not told apart.
const MOST: usize = 48;
/// How many references and alternatives are followed inside each other.
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

/// Values that satisfy some schemas at least: some more may be among them, but none is missing.
#[derive(Debug, Clone)]
pub(super) struct Case<'j> {
    pub(super) context: SchemaContext<'j>,
    /// The schemas that all have to hold, without their alternatives.
    pub(super) schemas: Vec<&'j Json>,
    pub(super) kinds: Kinds,
    /// The values, if they are listed.
    values: Option<Vec<&'j Json>>,
    /// Schemas that none of the values satisfies: the other alternatives of a `oneOf`, and what
    /// stands under `not`.
    pub(super) excluded: Vec<&'j Json>,
}

impl<'j> Case<'j> {
    fn any(context: SchemaContext<'j>) -> Self {
        Self {
            context,
            schemas: Vec::new(),
            kinds: Kinds::ALL,
            values: None,
            excluded: Vec::new(),
        }
    }

    /// The keywords of the schemas.
    pub(super) fn words(&self) -> impl Iterator<Item = &'j Object> + use<'j, '_> {
        Words::of(&self.schemas)
    }

    /// What the schemas say with a keyword.
    pub(super) fn said(&self, keyword: &str) -> impl Iterator<Item = &'j Json> + use<'j, '_> {
        let keyword = keyword.to_owned();
        self.words().filter_map(move |words| words.get(&keyword))
    }

    /// The values, if there are few enough to be tried: those that are listed, null, and true and
    /// false.
    pub(super) fn finite(&self) -> Option<Vec<Json>> {
        if let Some(values) = &self.values {
            let values = values
                .iter()
                .filter(|value| Kinds::of(value).within(self.kinds));
            return Some(values.map(|value| (*value).clone()).collect());
        }
        if !self.kinds.within(Kinds::NULL | Kinds::BOOLEAN) {
            return None;
        }
        let values = [Json::Null, Json::Bool(false), Json::Bool(true)];
        let values = values.into_iter();
        Some(
            values
                .filter(|value| Kinds::of(value).within(self.kinds))
                .collect(),
        )
    }

    /// The kinds of its values, one by one.
    pub(super) fn each_kind(&self) -> impl Iterator<Item = Kinds> + use<> {
        let kinds = self.kinds;
        EACH.into_iter().filter(move |kind| kind.within(kinds))
    }

    fn and(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        both.schemas.extend(&other.schemas);
        both.excluded.extend(&other.excluded);
        both.kinds = self.kinds & other.kinds;
        both.values = match (&self.values, &other.values) {
            (Some(values), Some(others)) => Some(
                values
                    .iter()
                    .filter(|value| others.contains(value))
                    .copied()
                    .collect(),
            ),
            (Some(values), None) | (None, Some(values)) => Some(values.clone()),
            (None, None) => None,
        };
        let is_empty = both.kinds == Kinds::NONE || both.values.as_ref().is_some_and(Vec::is_empty);
        (!is_empty).then_some(both)
    }
}

/// The cases of some schemas that all have to hold.
pub(super) fn cases<'j>(context: SchemaContext<'j>, schemas: &[&'j Json]) -> Vec<Case<'j>> {
    let mut all = vec![Case::any(context)];
    for schema in schemas {
        all = product(&all, &of_schema(context, schema, 0)).unwrap_or(all);
    }
    all
}

fn of_schema<'j>(context: SchemaContext<'j>, schema: &'j Json, depth: usize) -> Vec<Case<'j>> {
    let words = match schema {
        Json::Bool(false) => return Vec::new(),
        Json::Object(words) if depth < DEEPEST => words,
        _ => return vec![Case::any(context)],
    };
    let mut own = Case::any(context);
    own.schemas.push(schema);
    own.kinds = Kinds::of_type(words).unwrap_or(Kinds::ALL);
    own.values = match (words.get("const"), words.get("enum")) {
        (Some(only), _) => Some(vec![only]),
        (None, Some(Json::Array(values))) => Some(values.iter().collect()),
        _ => None,
    };
    own.excluded.extend(words.get("not"));
    let mut all = vec![own];
    let mut narrow = |inner: Vec<Case<'j>>| {
        if let Some(both) = product(&all, &inner) {
            all = both;
        }
    };
    let target = words.get("$ref").and_then(Json::as_str);
    if let Some(target) = target.and_then(|reference| resolve(reference, context.components)) {
        narrow(of_schema(context, target, depth + 1));
    }
    for part in list(words, "allOf") {
        narrow(of_schema(context, part, depth + 1));
    }
    for keyword in ["anyOf", "oneOf"] {
        let alternatives = list(words, keyword);
        if !alternatives.is_empty() && alternatives.len() <= MOST {
            let mut each = Vec::new();
            for (at, one) in alternatives.iter().enumerate() {
                let mut inside = of_schema(context, one, depth + 1);
                if keyword == "oneOf" {
                    let others = alternatives.iter().enumerate();
                    let others = others.filter(|(other, _)| *other != at);
                    let others: Vec<&'j Json> = others.map(|(_, other)| other).collect();
                    for case in &mut inside {
                        case.excluded.extend(&others);
                    }
                }
                each.extend(inside);
            }
            narrow(each);
        }
    }
    all
}

/// Each of some cases with each of others; `None` if there would be too many.
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

/// Whether a schema asserts nothing.
pub(crate) fn takes_all(schema: &Json) -> bool {
    match schema {
        Json::Bool(any) => *any,
        Json::Object(words) => words.keys().all(|keyword| !asserts(keyword)),
        _ => true,
    }
}

/// Whether a keyword asserts something by itself.
pub(crate) fn asserts(keyword: &str) -> bool {
    match keyword {
        "then" | "else" | "minContains" | "maxContains" | "contentSchema" | "additionalItems" => {
            false
        }
        _ => matches!(role(keyword), Some(Role::Asserts | Role::Unenforced)),
    }
}
