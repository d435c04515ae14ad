//! The forms that a schema allows: one for each way through its alternatives, with everything that
//! applies to the same value brought together.

use crate::json::{Decimal, Json, Object};
use crate::schema::{Definitions, Role, component_name, role};

/// How many forms of one schema are tried.
const MOST: usize = 64;
/// How many references and alternatives are followed one inside the other.
const DEEPEST: usize = 24;

/// One form: the schemas that apply, from the outermost on.
#[derive(Debug, Clone, Default)]
pub(super) struct Form<'j> {
    pub(super) schemas: Vec<&'j Json>,
    /// The named types among them.
    pub(super) types: Vec<&'j str>,
    /// The alternatives that were not taken.
    pub(super) others: Vec<&'j Json>,
}

/// The forms of a schema.
pub(super) fn forms<'j>(schema: &'j Json, definitions: &'j Definitions) -> Vec<Form<'j>> {
    follow(schema, definitions, DEEPEST)
}

fn follow<'j>(schema: &'j Json, definitions: &'j Definitions, left: usize) -> Vec<Form<'j>> {
    let mut forms = vec![Form {
        schemas: vec![schema],
        ..Form::default()
    }];
    let (Json::Object(words), Some(left)) = (schema, left.checked_sub(1)) else {
        return if *schema == Json::Bool(false) {
            Vec::new()
        } else {
            forms
        };
    };
    let reference = words.get("$ref").and_then(Json::as_str);
    let target = reference
        .and_then(component_name)
        .and_then(|name| definitions.get_key_value(name.as_ref()));
    if let Some((name, target)) = target {
        let mut inner = follow(target, definitions, left);
        for form in &mut inner {
            form.types.push(name);
        }
        forms = product(&forms, &inner);
    }
    for part in list(words, "allOf") {
        forms = product(&forms, &follow(part, definitions, left));
    }
    for keyword in ["anyOf", "oneOf"] {
        let alternatives = list(words, keyword);
        if alternatives.is_empty() {
            continue;
        }
        let mut inner = Vec::new();
        for (taken, alternative) in alternatives.iter().enumerate() {
            let others = alternatives.iter().enumerate();
            let others: Vec<&Json> = others
                .filter(|(index, _)| *index != taken)
                .map(|(_, other)| other)
                .collect();
            let mut forms = follow(alternative, definitions, left);
            for form in &mut forms {
                form.others.extend(&others);
            }
            inner.extend(forms);
        }
        forms = product(&forms, &inner);
    }
    forms
}

fn product<'j>(outer: &[Form<'j>], inner: &[Form<'j>]) -> Vec<Form<'j>> {
    let mut forms = Vec::new();
    for outer in outer {
        for inner in inner {
            let mut form = outer.clone();
            form.schemas.extend(&inner.schemas);
            form.types.extend(&inner.types);
            form.others.extend(&inner.others);
            forms.push(form);
        }
    }
    forms.truncate(MOST);
    forms
}

fn list<'j>(words: &'j Object, keyword: &str) -> &'j [Json] {
    words
        .get(keyword)
        .and_then(Json::as_array)
        .unwrap_or_default()
}

impl<'j> Form<'j> {
    fn words(&self) -> impl Iterator<Item = &'j Object> + use<'j, '_> {
        self.schemas.iter().filter_map(|schema| schema.as_object())
    }

    /// What the first schema that has a keyword says there.
    pub(super) fn word(&self, keyword: &str) -> Option<&'j Json> {
        self.words().find_map(|words| words.get(keyword))
    }

    /// Whether nothing is said of the value.
    pub(super) fn is_free(&self) -> bool {
        self.words().all(says_nothing)
    }

    /// Whether values of this kind, a word of `type`, are allowed.
    pub(super) fn is(&self, kind: &str) -> bool {
        let names = |word: &Json| {
            word.as_str()
                .is_some_and(|word| word == kind || word == "number" && kind == "integer")
        };
        let allows = |words: &Object| match words.get("type") {
            Some(Json::Array(words)) => words.iter().any(names),
            Some(word) => names(word),
            None => true,
        };
        // Where no schema names a kind, what else they say shows which one is meant.
        let kinds_named = self.words().any(|words| words.contains_key("type"));
        let meant = kinds_named
            || self.listed().is_some()
            || match kind {
                "object" => self
                    .word("properties")
                    .or(self.word("additionalProperties"))
                    .is_some(),
                "array" => self.word("items").or(self.word("prefixItems")).is_some(),
                "string" => self.word("pattern").or(self.word("maxLength")).is_some(),
                "number" => self.word("minimum").or(self.word("maximum")).is_some(),
                _ => false,
            };
        meant && self.words().all(allows)
    }

    /// Whether texts are allowed and it is not listed which.
    pub(super) fn is_free_text(&self) -> bool {
        !self.is_free() && self.is("string") && self.listed().is_none()
    }

    /// Whether members without a name of their own may have any.
    pub(super) fn has_free_names(&self) -> bool {
        self.word("propertyNames").is_none() && self.word("patternProperties").is_none()
    }

    /// The values that are listed.
    pub(super) fn listed(&self) -> Option<Vec<&'j Json>> {
        if let Some(constant) = self.word("const") {
            return Some(vec![constant]);
        }
        Some(self.word("enum")?.as_array()?.iter().collect())
    }

    /// The properties, each name once.
    pub(super) fn properties(&self) -> Vec<(&'j str, &'j Json)> {
        let mut properties: Vec<(&'j str, &'j Json)> = Vec::new();
        let all = self
            .words()
            .filter_map(|words| words.get("properties")?.as_object());
        for (name, schema) in all.flatten() {
            if !properties.iter().any(|(other, _)| other == name) {
                properties.push((name, schema));
            }
        }
        properties
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

    /// A name and a schema for each sort of members that have no names of their own.
    pub(super) fn open_members(&self) -> Vec<(String, &'j Json)> {
        let mut members = Vec::new();
        for words in self.words() {
            for keyword in ["additionalProperties", "unevaluatedProperties"] {
                if let Some(schema @ Json::Object(_)) = words.get(keyword) {
                    members.push((Self::key(words), schema));
                }
            }
            let patterns = words.get("patternProperties").and_then(Json::as_object);
            for (pattern, schema) in patterns.into_iter().flatten() {
                if let Some(name) = super::text::matching(pattern).into_iter().next() {
                    members.push((name, schema));
                }
            }
        }
        members
    }

    fn key(words: &'j Object) -> String {
        let names = words.get("propertyNames");
        let Some(names) = names else {
            return "some key".to_owned();
        };
        let form = Form {
            schemas: vec![names],
            ..Form::default()
        };
        match form.listed() {
            Some(listed) => listed
                .first()
                .and_then(|name| name.as_str())
                .unwrap_or("a")
                .to_owned(),
            None => super::text::strings(&form)
                .into_iter()
                .next()
                .unwrap_or_default(),
        }
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

    pub(super) fn prefix(&self) -> &'j [Json] {
        self.word("prefixItems")
            .and_then(Json::as_array)
            .unwrap_or_default()
    }

    pub(super) fn items(&self) -> Option<&'j Json> {
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
