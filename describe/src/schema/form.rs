//! The forms that a schema allows: one for each way through its alternatives, with everything that
//! applies to the same value brought together.

use std::slice;

use indexmap::IndexMap;

use super::keyword::{Role, component_name, resolve, role};
use super::kinds::Kinds;
use crate::json::{Decimal, Json, Object};

/// How many references and alternatives are followed one inside the other.
const DEEPEST: usize = 24;
/// How many schemas are looked at for one question. Alternatives of alternatives multiply, and a
/// document may be made so that none of them ever leads to a form.
const MOST: usize = 20_000;

/// One form: the schemas that apply, from the outermost on.
#[derive(Debug, Clone, Default)]
pub struct Form<'j> {
    pub(super) schemas: Vec<&'j Json>,
    /// The named types among them.
    pub(super) types: Vec<&'j str>,
    /// The alternatives that were not taken.
    pub(super) others: Vec<&'j Json>,
}

/// Those of some schemas that are objects. A type of its own, because its name is part of that of every
/// iterator that is made from it.
#[derive(Debug, Clone)]
pub(super) struct Words<'f, 'j>(slice::Iter<'f, &'j Json>);

impl<'f, 'j> Words<'f, 'j> {
    pub(super) fn of(schemas: &'f [&'j Json]) -> Self {
        Self(schemas.iter())
    }
}

impl<'j> Iterator for Words<'_, 'j> {
    type Item = &'j Object;

    fn next(&mut self) -> Option<&'j Object> {
        self.0.find_map(|schema| schema.as_object())
    }
}

/// The forms of a schema whose references lead to `definitions`, at most so many.
///
/// A type that leads to itself in the same place, without an array or an object between, has no form
/// by that way, and a reference that leads nowhere has none.
pub fn forms<'j>(
    schema: &'j Json,
    definitions: &'j IndexMap<String, Json>,
    most: usize,
) -> Vec<Form<'j>> {
    let mut follow = Follow {
        definitions,
        most,
        open: Vec::new(),
        left: MOST,
    };
    follow.schema(schema, DEEPEST)
}

struct Follow<'j> {
    definitions: &'j IndexMap<String, Json>,
    most: usize,
    /// The named types on the way.
    open: Vec<&'j str>,
    /// How many more schemas may be looked at.
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

    /// The forms of what a schema refers to, if that is there and not open already.
    fn referenced(&mut self, words: &'j Object, left: usize) -> Vec<Form<'j>> {
        let reference = words.get("$ref").and_then(Json::as_str);
        let Some((name, target)) = reference.and_then(|reference| self.target(reference)) else {
            return Vec::new();
        };
        if self.open.contains(&name) {
            return Vec::new();
        }
        self.open.push(name);
        let mut forms = self.schema(target, left);
        self.open.pop();
        for form in &mut forms {
            form.types.push(name);
        }
        forms
    }

    /// The target of a reference with its name: that of a shared schema, or the reference itself if
    /// it leads into one.
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
        for (taken, alternative) in alternatives.iter().enumerate() {
            if all.len() >= self.most {
                // No more would be kept.
                break;
            }
            let others = alternatives.iter().enumerate();
            let others = others.filter(|(index, _)| *index != taken);
            let mut forms = self.schema(alternative, left);
            for form in &mut forms {
                form.others.extend(others.clone().map(|(_, other)| other));
            }
            all.extend(forms);
        }
        all
    }

    fn product(&self, outer: &[Form<'j>], inner: &[Form<'j>]) -> Vec<Form<'j>> {
        let pairs = outer
            .iter()
            .flat_map(|outer| inner.iter().map(move |inner| (outer, inner)));
        let both = pairs.map(|(outer, inner)| {
            let mut form = outer.clone();
            form.schemas.extend(&inner.schemas);
            form.types.extend(&inner.types);
            form.others.extend(&inner.others);
            form
        });
        both.take(self.most).collect()
    }
}

fn list<'j>(words: &'j Object, keyword: &str) -> &'j [Json] {
    words
        .get(keyword)
        .and_then(Json::as_array)
        .unwrap_or_default()
}

impl<'j> Form<'j> {
    /// What the schemas say.
    pub fn words(&self) -> impl Iterator<Item = &'j Object> + use<'j, '_> {
        Words::of(&self.schemas)
    }

    /// What the first schema that has a keyword says there.
    pub(super) fn word(&self, keyword: &str) -> Option<&'j Json> {
        self.words().find_map(|words| words.get(keyword))
    }

    /// Whether nothing is said of the value.
    pub(super) fn is_free(&self) -> bool {
        self.words().all(says_nothing)
    }

    /// The kinds of values that `type` allows.
    pub fn kinds(&self) -> Kinds {
        self.words()
            .filter_map(Kinds::of_type)
            .fold(Kinds::ALL, |all, kinds| all & kinds)
    }

    /// Whether values of this kind are allowed. Where no schema names a kind, what else they say
    /// shows which one is meant. Where values are listed, one of them must be of the kind.
    pub(super) fn is(&self, kind: Kinds) -> bool {
        let hints = match kind {
            Kinds::OBJECT => ["properties", "additionalProperties"],
            Kinds::ARRAY => ["items", "prefixItems"],
            Kinds::STRING => ["pattern", "maxLength"],
            Kinds::FRACTION => ["minimum", "maximum"],
            _ => ["const", "enum"],
        };
        let says = |keyword: &str| self.word(keyword).is_some();
        let listed = self
            .listed()
            .map(|values| Kinds::any(values.into_iter().map(Kinds::of)));
        let is_meant = says("type") || listed.is_some() || hints.into_iter().any(says);
        is_meant && (self.kinds() & listed.unwrap_or(Kinds::ALL)).meet(kind)
    }

    /// Whether texts are allowed and it is not listed which.
    pub(super) fn is_free_text(&self) -> bool {
        !self.is_free() && self.is(Kinds::STRING) && self.listed().is_none()
    }

    /// Whether members without a name of their own may have any.
    pub(super) fn has_free_names(&self) -> bool {
        self.word("propertyNames").is_none() && self.word("patternProperties").is_none()
    }

    /// The values that are listed.
    pub fn listed(&self) -> Option<Vec<&'j Json>> {
        if let Some(constant) = self.word("const") {
            return Some(vec![constant]);
        }
        Some(self.word("enum")?.as_array()?.iter().collect())
    }

    /// The properties, each name once.
    pub(super) fn properties(&self) -> Vec<(&'j str, &'j Json)> {
        let all = self
            .words()
            .filter_map(|words| words.get("properties")?.as_object());
        // There may be tens of thousands.
        let mut properties: IndexMap<&'j str, &'j Json> = IndexMap::new();
        for (name, schema) in all.flatten() {
            properties.entry(name.as_str()).or_insert(schema);
        }
        properties.into_iter().collect()
    }

    pub(super) fn property(&self, name: &str) -> Option<&'j Json> {
        let mut all = self
            .words()
            .filter_map(|words| words.get("properties")?.as_object());
        all.find_map(|properties| properties.get(name))
    }

    /// The members that have to be there.
    pub(super) fn required(&self) -> Vec<&'j str> {
        let mut names: Vec<&'j str> = Vec::new();
        for words in self.words() {
            for name in list(words, "required").iter().filter_map(Json::as_str) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Whether members that no schema mentions are allowed, whatever they are.
    pub(super) fn is_open(&self) -> bool {
        let open = |words: &Object| {
            ["additionalProperties", "unevaluatedProperties"]
                .into_iter()
                .all(|keyword| {
                    words
                        .get(keyword)
                        .is_none_or(|schema| *schema == Json::Bool(true))
                })
                && !words.contains_key("patternProperties")
                && !words.contains_key("propertyNames")
        };
        self.words().all(open)
    }

    /// The schemas of the first elements.
    pub fn prefix(&self) -> &'j [Json] {
        self.word("prefixItems")
            .and_then(Json::as_array)
            .unwrap_or_default()
    }

    /// The schema of the other elements, if there is one and they are allowed.
    pub fn items(&self) -> Option<&'j Json> {
        self.word("items")
            .filter(|items| **items != Json::Bool(false))
    }

    pub(super) fn has_unique_items(&self) -> bool {
        self.word("uniqueItems") == Some(&Json::Bool(true))
    }

    /// The least and the greatest number of elements.
    pub(super) fn items_count(&self) -> (usize, usize) {
        let count = |keyword| match self.word(keyword) {
            Some(Json::Number(text)) => usize::try_from(Decimal::new(text).to_i128()?).ok(),
            _ => None,
        };
        (
            count("minItems").unwrap_or(0),
            count("maxItems").unwrap_or(usize::MAX),
        )
    }
}

/// What a schema with these members says of others.
pub(super) fn says_nothing(words: &Object) -> bool {
    words.keys().all(|word| role(word) == Some(Role::Annotates))
}
