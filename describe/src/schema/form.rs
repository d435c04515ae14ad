//! The forms that a schema allows: one for each way through its alternatives, with all schemas that
//! apply to the same value.

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};

use super::keyword::{Role, component_name, list, named, required, resolve, role};
use super::kinds::Kinds;
use super::texts::{matching, of_format};
use crate::json::{Json, Object};
use crate::pattern::Pattern;

/// The maximum depth of nested references and alternatives that are followed.
const DEEPEST: usize = 24;
/// The maximum number of schemas that are visited, or added to a form, for one call. Alternatives of
/// alternatives multiply, and a hostile document may be written so that none of them leads to a form.
const MOST: usize = 50_000;

/// The keywords with the schema of members that have no names of their own.
const OPEN: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

/// A form: the schemas that apply, from the outermost in.
#[derive(Debug, Clone, Default)]
pub struct Form<'j> {
    pub(super) schemas: Vec<&'j Json>,
    /// The named types among the schemas.
    pub(super) types: Vec<&'j str>,
}

/// Returns at most `most` forms of a schema whose references lead to `definitions`.
///
/// A type that leads to itself in the same place, without an array or an object in between, has no
/// form by that way. Neither has a reference that leads nowhere.
pub fn forms<'j>(
    schema: &'j Json,
    definitions: &'j IndexMap<String, Json>,
    most: usize,
) -> Vec<Form<'j>> {
    counted_forms(schema, definitions, most).0
}

/// Returns the forms of a schema, and the number of schemas that were visited or added to a form.
pub(super) fn counted_forms<'j>(
    schema: &'j Json,
    definitions: &'j IndexMap<String, Json>,
    most: usize,
) -> (Vec<Form<'j>>, usize) {
    let mut follow = Follow {
        definitions,
        most,
        open: Vec::new(),
        known: HashMap::new(),
        is_recursive: false,
        left: MOST,
    };
    let forms = follow.schema(schema, DEEPEST);
    (forms, MOST - follow.left)
}

struct Follow<'j> {
    definitions: &'j IndexMap<String, Json>,
    most: usize,
    /// The named types on the current path.
    open: Vec<&'j str>,
    /// The forms of the named types so far. They are not kept once a type has led to itself, because
    /// they then depend on the path.
    known: HashMap<&'j str, Vec<Form<'j>>>,
    is_recursive: bool,
    /// The number of schemas that may still be visited or added to a form.
    left: usize,
}

impl<'j> Follow<'j> {
    fn schema(&mut self, schema: &'j Json, left: usize) -> Vec<Form<'j>> {
        let own = Form {
            schemas: vec![schema],
            ..Form::default()
        };
        let (Json::Object(words), Some(left)) = (schema, left.checked_sub(1)) else {
            let is_never = *schema == Json::Bool(false);
            return (!is_never).then_some(own).into_iter().collect();
        };
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => return Vec::new(),
        }
        let mut forms = vec![own];
        if words.contains_key("$ref") {
            let inner = self.referenced(words, left);
            forms = self.product(&forms, &inner);
        }
        for part in list(words, "allOf") {
            let inner = self.schema(part, left);
            forms = self.product(&forms, &inner);
        }
        for keyword in ["anyOf", "oneOf"] {
            let alternatives = list(words, keyword);
            if !alternatives.is_empty() {
                let inner = self.alternatives(alternatives, left);
                forms = self.product(&forms, &inner);
            }
        }
        forms
    }

    /// Returns the forms of the target of a reference, if it exists and is not on the current path.
    fn referenced(&mut self, words: &'j Object, left: usize) -> Vec<Form<'j>> {
        let reference = words.get("$ref").and_then(Json::as_str);
        let Some((name, target)) = reference.and_then(|reference| self.target(reference)) else {
            return Vec::new();
        };
        if self.open.contains(&name) {
            self.is_recursive = true;
            return Vec::new();
        }
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        self.open.push(name);
        let mut forms = self.schema(target, left);
        self.open.pop();
        for form in &mut forms {
            form.types.push(name);
        }
        if !self.is_recursive {
            self.known.insert(name, forms.clone());
        }
        forms
    }

    /// Returns the target of a reference and its name: that of a shared schema, or the reference
    /// itself if it leads into one.
    fn target(&self, reference: &'j str) -> Option<(&'j str, &'j Json)> {
        match component_name(reference) {
            Some(name) => {
                let (name, target) = self.definitions.get_key_value(name.as_ref())?;
                Some((name, target))
            }
            None => Some((reference, resolve(reference, self.definitions)?)),
        }
    }

    fn alternatives(&mut self, alternatives: &'j [Json], left: usize) -> Vec<Form<'j>> {
        let mut all = Vec::new();
        for alternative in alternatives {
            if all.len() >= self.most {
                // No more forms would be kept.
                break;
            }
            all.extend(self.schema(alternative, left));
        }
        all
    }

    fn product(&mut self, outer: &[Form<'j>], inner: &[Form<'j>]) -> Vec<Form<'j>> {
        let pairs = outer
            .iter()
            .flat_map(|outer| inner.iter().map(move |inner| (outer, inner)));
        let left = &mut self.left;
        let both = pairs.map_while(|(outer, inner)| {
            *left = left.checked_sub(outer.schemas.len() + inner.schemas.len())?;
            let mut form = outer.clone();
            for schema in &inner.schemas {
                if !form
                    .schemas
                    .iter()
                    .any(|known| std::ptr::eq(*known, *schema))
                {
                    form.schemas.push(schema);
                }
            }
            form.types.extend(&inner.types);
            Some(form)
        });
        both.take(self.most).collect()
    }
}

impl<'j> Form<'j> {
    /// Returns the schemas that are objects.
    pub fn words(&self) -> impl Iterator<Item = &'j Object> + use<'j, '_> {
        self.schemas.iter().filter_map(|schema| schema.as_object())
    }

    /// Returns the value of a keyword in the first schema that has it.
    pub(super) fn word(&self, keyword: &str) -> Option<&'j Json> {
        self.words().find_map(|words| words.get(keyword))
    }

    /// Returns whether the schemas do not constrain the value.
    pub(super) fn is_free(&self) -> bool {
        self.words().all(says_nothing)
    }

    /// Returns the kinds of values that `type` allows.
    pub fn kinds(&self) -> Kinds {
        self.words()
            .filter_map(Kinds::of_type)
            .fold(Kinds::ALL, |all, kinds| all & kinds)
    }

    /// Returns whether values of this kind are allowed. If no schema names a kind, other keywords
    /// show which one is meant. If values are listed, one of them must be of the kind.
    pub(super) fn is(&self, kind: Kinds) -> bool {
        let hints = match kind {
            Kinds::OBJECT => ["properties", "additionalProperties"],
            Kinds::ARRAY => ["items", "prefixItems"],
            Kinds::STRING => ["pattern", "maxLength"],
            Kinds::FRACTION => ["minimum", "maximum"],
            _ => ["const", "enum"],
        };
        let says = |keyword: &str| self.word(keyword).is_some();
        let listed = self.listed_kinds();
        let is_meant = says("type") || listed.is_some() || hints.into_iter().any(says);
        is_meant && (self.kinds() & listed.unwrap_or(Kinds::ALL)).meet(kind)
    }

    /// Returns the values that are listed.
    pub fn listed(&self) -> Option<Vec<&'j Json>> {
        if let Some(constant) = self.word("const") {
            return Some(vec![constant]);
        }
        Some(self.word("enum")?.as_array()?.iter().collect())
    }

    /// Returns the kinds of the values that are listed.
    pub(super) fn listed_kinds(&self) -> Option<Kinds> {
        let listed = self.listed()?.into_iter();
        Some(Kinds::any(listed.map(Kinds::of)))
    }

    /// Returns the properties, each name once.
    pub(super) fn properties(&self) -> Vec<(&'j str, &'j Json)> {
        // There may be tens of thousands of them.
        let mut properties: IndexMap<&'j str, &'j Json> = IndexMap::new();
        for (name, schema) in self.words().flat_map(|words| named(words, "properties")) {
            properties.entry(name).or_insert(schema);
        }
        properties.into_iter().collect()
    }

    pub(super) fn property(&self, name: &str) -> Option<&'j Json> {
        self.words()
            .find_map(|words| words.get("properties")?.get(name))
    }

    /// Returns the required members.
    pub(super) fn required(&self) -> Vec<&'j str> {
        let names: IndexSet<&'j str> = self.words().flat_map(required).collect();
        names.into_iter().collect()
    }

    /// Returns whether members that no schema mentions are allowed, with any value.
    pub(super) fn is_open(&self) -> bool {
        self.words().all(|words| {
            let says = |keyword: &str| words.get(keyword);
            let takes_any = |keyword| says(keyword).is_none_or(|it| *it == Json::Bool(true));
            OPEN.into_iter().all(takes_any)
                && says("patternProperties").is_none()
                && says("propertyNames").is_none()
        })
    }

    /// Returns the schemas of the first elements.
    pub fn prefix(&self) -> &'j [Json] {
        let prefix = self.word("prefixItems").and_then(Json::as_array);
        prefix.unwrap_or_default()
    }

    /// Returns the schema of the other elements, if there is one that allows any.
    pub fn items(&self) -> Option<&'j Json> {
        self.word("items")
            .filter(|items| **items != Json::Bool(false))
    }

    /// Returns the schema of an element.
    pub(super) fn element(&self, index: usize) -> Option<&'j Json> {
        self.prefix().get(index).or_else(|| self.items())
    }

    /// Returns the schema of a member.
    pub(super) fn member(&self, name: &str) -> Option<&'j Json> {
        let matching = |pattern: &str| {
            let pattern = Pattern::new(pattern).ok();
            pattern.and_then(|pattern| pattern.try_match(name)) == Some(true)
        };
        let by_pattern = || {
            let words = self.words();
            let mut patterns = words.flat_map(|words| named(words, "patternProperties"));
            patterns.find_map(|(pattern, schema)| matching(pattern).then_some(schema))
        };
        let open = || {
            let mut keywords = OPEN.into_iter().filter_map(|keyword| self.word(keyword));
            keywords.find(|schema| matches!(schema, Json::Object(_)))
        };
        self.property(name).or_else(by_pattern).or_else(open)
    }

    /// Returns a name and a schema for each sort of members that have no names of their own.
    pub(super) fn open_members(&self) -> Vec<(String, &'j Json)> {
        let mut members = Vec::new();
        for words in self.words() {
            for keyword in OPEN {
                if let Some(schema @ Json::Object(_)) = words.get(keyword) {
                    members.push((key(words), schema));
                }
            }
            for (pattern, schema) in named(words, "patternProperties") {
                if let Some(name) = matching(pattern).into_iter().next() {
                    members.push((name, schema));
                }
            }
        }
        members
    }
}

/// Returns a name that `propertyNames` allows, as far as its first keywords show.
fn key(words: &Object) -> String {
    let names = words.get("propertyNames");
    let first = |keyword| names?.get(keyword)?.as_array()?.first();
    if let Some(name) = first("enum").and_then(Json::as_str) {
        return name.to_owned();
    }
    let version = first("anyOf").or(names);
    let format = version.and_then(|names| names.get("format")?.as_str());
    let of_format = format.and_then(|format| of_format(format).into_iter().next());
    let pattern = names.and_then(|names| names.get("pattern")?.as_str());
    let of_pattern = || matching(pattern?).into_iter().next();
    of_format
        .or_else(of_pattern)
        .unwrap_or_else(|| "some key".to_owned())
}

/// Returns whether a schema with these members has only annotations.
pub(super) fn says_nothing(words: &Object) -> bool {
    words.keys().all(|word| role(word) == Some(Role::Annotates))
}
