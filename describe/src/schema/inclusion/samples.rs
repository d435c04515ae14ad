//! Values of the narrower schema, to find one that the wider one does not take.
//!
//! They satisfy several schemas at once, and are held against them as they are made. The sampler of
//! [trials](crate::schema::trial) makes candidates of one schema, and notes the form of each.

use super::arrays::{element_schemas, items_count};
use super::cases::{Case, cases};
use super::objects::{named, required};
use super::{Includes, numbers, strings};
use crate::json::{Json, Object};
use crate::schema::Kinds;
use crate::schema::trial::matching;

/// How many values there are of a schema inside another.
const FEW: usize = 6;
/// How deep values are made.
const DEEPEST: usize = 5;
/// How many values are made for one question.
const MOST: usize = 120;

impl<'j> Includes<'j> {
    /// Values that satisfy some schemas of the narrower side, as far as is known.
    pub(super) fn samples(&mut self, schemas: &[&'j Json]) -> Vec<Json> {
        let mut all = Vec::new();
        for case in cases(self.narrow.context, schemas) {
            all.extend(self.samples_in(&case, case.kinds, 0));
            if all.len() > MOST {
                break;
            }
        }
        all.truncate(MOST);
        all
    }

    /// Values of a case that are of some kinds.
    pub(super) fn samples_of(&self, case: &Case<'j>, kinds: Kinds) -> Vec<Json> {
        self.samples_in(case, kinds, 0)
    }

    fn samples_in(&self, case: &Case<'j>, kinds: Kinds, depth: usize) -> Vec<Json> {
        // Structures inside others are made of parts that fit, and are held against the schema as
        // part of the whole.
        let is_made = |value: &Json| depth > 0 && matches!(value, Json::Array(_) | Json::Object(_));
        let is_taken =
            |value: &Json| is_made(value) || self.narrow.takes(&case.schemas, value) != Some(false);
        if let Some(values) = case.finite() {
            return values.into_iter().filter(is_taken).collect();
        }
        if case.schemas.is_empty() {
            let values = anything().into_iter();
            return values
                .filter(|value| Kinds::of(value).within(kinds))
                .collect();
        }
        let mut values = Vec::new();
        for kind in case.each_kind().filter(|kind| kind.within(kinds)) {
            let of_kind = self.samples_of_kind(case, kind, depth).into_iter();
            let most = if depth > 0 { FEW } else { MOST };
            values.extend(of_kind.filter(is_taken).take(most));
            if depth > 0 && values.len() >= FEW {
                break;
            }
        }
        values
    }

    fn samples_of_kind(&self, case: &Case<'j>, kind: Kinds, depth: usize) -> Vec<Json> {
        match kind {
            Kinds::NULL => vec![Json::Null],
            Kinds::BOOLEAN => vec![Json::Bool(false), Json::Bool(true)],
            Kinds::INTEGER | Kinds::FRACTION => {
                let mut values = numbers::around(&mut case.words());
                values.retain(|value| Kinds::of(value) == kind);
                values
            }
            Kinds::STRING => strings::strings(case, None),
            Kinds::ARRAY => {
                let counts = items_count(case).edges().into_iter().chain([1, 2]);
                let counts = counts.filter(|count| *count <= 20);
                let counts = counts.take(if depth > 0 { 1 } else { 8 });
                counts
                    .filter_map(|count| self.of_length(case, count, depth))
                    .collect()
            }
            Kinds::OBJECT => self.objects(case, depth),
            _ => Vec::new(),
        }
    }

    /// A value that satisfies some schemas, the simplest that is found.
    fn simplest(&self, schemas: &[&'j Json], depth: usize) -> Option<Json> {
        self.few(schemas, depth).into_iter().next()
    }

    fn few(&self, schemas: &[&'j Json], depth: usize) -> Vec<Json> {
        if depth > DEEPEST || !self.has_time() {
            return Vec::new();
        }
        let all = cases(self.narrow.context, schemas);
        let mut values = Vec::new();
        for case in all.iter().take(8) {
            let inside = self.samples_in(case, case.kinds, depth);
            values.extend(inside.into_iter().take(FEW));
            if values.len() >= FEW {
                break;
            }
        }
        values
    }

    fn objects(&self, case: &Case<'j>, depth: usize) -> Vec<Json> {
        let Some(base) = self.smallest(case, depth) else {
            return Vec::new();
        };
        let mut all = vec![Json::Object(base.clone())];
        if depth > 0 {
            return all;
        }
        let optional = case.words().flat_map(|words| named(words, "properties"));
        let mut whole = base.clone();
        for (name, _) in optional {
            let schemas = self.member_schemas(case, name);
            for value in self.few(&schemas, depth + 1).into_iter().take(3) {
                whole.or_insert_with(name, || value.clone());
                let mut one = base.clone();
                one.insert(name, value);
                all.push(Json::Object(one));
            }
        }
        all.push(Json::Object(whole));
        for name in self.free_names(case) {
            let schemas = self.member_schemas(case, &name);
            for value in self.few(&schemas, depth + 1).into_iter().take(2) {
                let mut one = base.clone();
                one.insert(name.as_str(), value);
                all.push(Json::Object(one));
            }
        }
        all
    }

    /// The members that there must be.
    fn smallest(&self, case: &Case<'j>, depth: usize) -> Option<Object> {
        let mut members = Object::new();
        for name in required(case) {
            let schemas = self.member_schemas(case, name);
            members.insert(name, self.simplest(&schemas, depth + 1)?);
        }
        Some(members)
    }

    /// Names that a case does not name, and may take.
    pub(super) fn free_names(&self, case: &Case<'j>) -> Vec<String> {
        let mut names = vec!["x".to_owned(), "other".to_owned()];
        for words in case.words() {
            let patterns = named(words, "patternProperties");
            names.extend(patterns.flat_map(|(pattern, _)| matching(pattern)));
            if let Some(schema) = words.get("propertyNames") {
                let strings = self.few(&[schema], 1);
                names.extend(strings.iter().filter_map(Json::as_str).map(str::to_owned));
            }
        }
        names
    }

    /// An object of a case with this member.
    pub(super) fn with(&self, case: &Case<'j>, name: &str, value: Json) -> Vec<Json> {
        let smallest = self.smallest(case, 0).map(|mut members| {
            members.insert(name, value);
            Json::Object(members)
        });
        smallest.into_iter().collect()
    }

    /// Objects of a case without this member.
    pub(super) fn without(&self, case: &Case<'j>, name: &str) -> Vec<Json> {
        let smallest = self.smallest(case, 0).map(|mut members| {
            members.shift_remove(name);
            Json::Object(members)
        });
        smallest.into_iter().collect()
    }

    /// An object of a case with so many members.
    pub(super) fn with_count(&self, case: &Case<'j>, count: usize) -> Option<Json> {
        let mut members = self.smallest(case, 0)?;
        let named = case.words().flat_map(|words| named(words, "properties"));
        let named: Vec<String> = named.map(|(name, _)| name.to_owned()).collect();
        let free = self.free_names(case);
        let free = (0..count).flat_map(|at| free.iter().map(move |name| format!("{name}{at}")));
        for name in named.into_iter().chain(free) {
            if members.len() >= count {
                break;
            }
            let schemas = self.member_schemas(case, &name);
            if let Some(value) = self.simplest(&schemas, 1) {
                members.insert(name, value);
            }
        }
        Some(Json::Object(members))
    }

    fn of_length(&self, case: &Case<'j>, count: usize, depth: usize) -> Option<Json> {
        let mut elements: Vec<Json> = Vec::new();
        let (mut schemas, mut values) = (Vec::new(), Vec::new());
        for at in 0..count {
            let own = element_schemas(case, at);
            if at == 0 || own != schemas {
                values = self.few(&own, depth + 1);
                schemas = own;
            }
            let fresh = values.iter().find(|value| !elements.contains(value));
            elements.push(fresh.or(values.first())?.clone());
        }
        Some(Json::Array(elements))
    }

    /// An array of a case with so many elements.
    pub(super) fn with_length(&self, case: &Case<'j>, count: usize) -> Option<Json> {
        self.of_length(case, count, 0)
    }

    /// Arrays of a case with this element.
    pub(super) fn with_element(&self, case: &Case<'j>, at: usize, value: &Json) -> Vec<Json> {
        let least = items_count(case).least.to_i128().unwrap_or(0);
        let least = usize::try_from(least.clamp(0, 20)).unwrap_or(0);
        let lengths = [least.max(at + 1), at + 1];
        let arrays = lengths
            .into_iter()
            .filter_map(|length| self.of_length(case, length, 0));
        arrays
            .filter_map(|array| {
                let Json::Array(mut elements) = array else {
                    return None;
                };
                *elements.get_mut(at)? = value.clone();
                Some(Json::Array(elements))
            })
            .collect()
    }

    /// Arrays of a case with two equal elements.
    pub(super) fn with_twins(&self, case: &Case<'j>) -> Vec<Json> {
        let values = self.few(&element_schemas(case, 0), 1);
        let twins = values.into_iter().take(3);
        twins
            .map(|value| Json::Array(vec![value.clone(), value]))
            .chain(self.with_length(case, 2))
            .collect()
    }
}

/// A value of each kind.
fn anything() -> Vec<Json> {
    vec![
        Json::Null,
        Json::Bool(true),
        Json::from(1),
        Json::Number("0.5".into()),
        Json::from("a"),
        Json::Array(Vec::new()),
        Json::Object(Object::new()),
    ]
}
