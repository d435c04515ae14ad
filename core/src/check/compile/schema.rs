//! Compiles one schema.

use docent_describe::json::{Json, Object};

use super::words::{self, Negation};
use super::{Compiler, Mode, Place};
use crate::check::choices::Choices;
use crate::check::kinds::Kinds;
use crate::check::node::{ArrayRule, InPlace, Link, Node, ObjectRule};
use crate::check::number::NumberRule;
use crate::check::string::{Count, StringRule};

impl Compiler<'_> {
    /// Compiles a schema, or what of it is to be checked.
    pub(super) fn link(&mut self, schema: &Json, place: &mut Place) -> Link {
        match schema {
            Json::Bool(true) => Link::Any,
            Json::Bool(false) => Link::Never,
            Json::Object(words) => self.node(words, None, place),
            _ => {
                place.mistake("schema", "is neither an object nor a Boolean");
                Link::Any
            }
        }
    }

    /// Compiles the words of a schema. The property `chosen` is left out: it has been looked at to
    /// choose this schema.
    pub(super) fn node(&mut self, words: &Object, chosen: Option<&str>, place: &mut Place) -> Link {
        words::refuse_unenforced(words, place);
        let kinds = type_words(words, place);
        let node = Node {
            kinds,
            choices: choices(words, kinds, place),
            number: number_rule(words, place).filter(|_| kinds.meet(Kinds::NUMBER)),
            string: self
                .string_rule(words, place)
                .filter(|_| kinds.meet(Kinds::STRING)),
            array: self
                .array_rule(words, place)
                .filter(|_| kinds.meet(Kinds::ARRAY)),
            object: self
                .object_rule(words, chosen, place)
                .filter(|_| kinds.meet(Kinds::OBJECT)),
            in_place: self.in_place(words, place),
        };
        match words::negation(words) {
            Negation::Absent | Negation::Zero => {}
            Negation::Anything => return Link::Never,
            Negation::Other => place.mistake(
                "not",
                "is not enforced, except for integers as `{\"const\": 0}`",
            ),
        }
        assemble(node, words, place.mode)
    }

    /// Compiles a schema that stands within another.
    fn inner(
        &mut self,
        keyword: &str,
        token: &dyn std::fmt::Display,
        schema: &Json,
        place: &mut Place,
    ) -> Link {
        let mode = place.mode;
        place.within(&[&keyword, token], mode, |place| self.link(schema, place))
    }

    /// Compiles the only schema that stands under a keyword; anything fits where there is none.
    fn only(&mut self, keyword: &str, words: &Object, place: &mut Place) -> Link {
        let Some(schema) = words.get(keyword) else {
            return Link::Any;
        };
        let mode = place.mode;
        place.within(&[&keyword], mode, |place| self.link(schema, place))
    }

    fn string_rule(&mut self, words: &Object, place: &mut Place) -> Option<StringRule> {
        let length = words::count(words, "minLength", "maxLength", place);
        let pattern = match words.get("pattern") {
            None => None,
            Some(Json::String(pattern)) => match self.pattern(pattern) {
                Ok(pattern) => Some(pattern),
                Err(reason) => {
                    place.mistake("pattern", reason);
                    None
                }
            },
            Some(other) => {
                place.mistake("pattern", format!("must be a string, not {other}"));
                None
            }
        };
        (length != Count::ANY || pattern.is_some()).then_some(StringRule { length, pattern })
    }

    fn array_rule(&mut self, words: &Object, place: &mut Place) -> Option<Box<ArrayRule>> {
        let rule = ArrayRule {
            count: words::count(words, "minItems", "maxItems", place),
            unique: words::flag(words, "uniqueItems", place),
            prefix: self.list("prefixItems", words, place),
            items: if let Some(Json::Array(_)) = words.get("items") {
                place.mistake("items", "is a list; since 2020-12 that is `prefixItems`");
                Link::Any
            } else {
                self.only("items", words, place)
            },
        };
        let asserts = rule.count != Count::ANY
            || rule.unique
            || !rule.items.is_any()
            || rule.prefix.iter().any(|link| !link.is_any());
        asserts.then(|| Box::new(rule))
    }

    fn list(&mut self, keyword: &str, words: &Object, place: &mut Place) -> Vec<Link> {
        match words.get(keyword) {
            None => Vec::new(),
            Some(Json::Array(schemas)) if !schemas.is_empty() => schemas
                .iter()
                .enumerate()
                .map(|(index, schema)| self.inner(keyword, &index, schema, place))
                .collect(),
            Some(_) => {
                place.mistake(keyword, "must be a list of schemas");
                Vec::new()
            }
        }
    }

    fn object_rule(
        &mut self,
        words: &Object,
        chosen: Option<&str>,
        place: &mut Place,
    ) -> Option<Box<ObjectRule>> {
        let mut properties: Vec<(Box<str>, Link)> = members("properties", words, place)
            .map(|(name, schema)| {
                let link = self.inner("properties", name, schema, place);
                let link = if chosen == Some(name) {
                    Link::Any
                } else {
                    link
                };
                (name.as_str().into(), link)
            })
            .collect();
        properties.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let mut patterns = Vec::new();
        for (pattern, schema) in members("patternProperties", words, place) {
            let link = self.inner("patternProperties", pattern, schema, place);
            match self.pattern(pattern) {
                Ok(pattern) => patterns.push((pattern, link)),
                Err(reason) => place.mistake("patternProperties", reason),
            }
        }
        let additional = self.only("additionalProperties", words, place);
        self.unevaluated_properties(words, place);
        let mut required = required(words, place);
        let asserts = match place.mode {
            Mode::Decoded => {
                required.clear();
                !matches!(additional, Link::Any | Link::Never)
            }
            Mode::Full => !required.is_empty() || !additional.is_any(),
        };
        let asserts =
            asserts || !patterns.is_empty() || properties.iter().any(|(_, link)| !link.is_any());
        asserts.then(|| {
            Box::new(ObjectRule {
                properties,
                patterns,
                additional,
                required,
            })
        })
    }

    /// `unevaluatedProperties` is what schemars writes for structs that are flattened into others;
    /// serde decodes it. What it may say beyond that has nobody to enforce it.
    fn unevaluated_properties(&mut self, words: &Object, place: &mut Place) {
        let Some(schema) = words.get("unevaluatedProperties") else {
            return;
        };
        // Compiled for its mistakes, and so that its components are.
        self.only("unevaluatedProperties", words, place);
        if *schema != Json::Bool(false) && self.facts.schema_needs_check(schema) {
            place.mistake(
                "unevaluatedProperties",
                "promises more than structure, which is not enforced",
            );
        }
    }

    fn in_place(&mut self, words: &Object, place: &mut Place) -> Vec<InPlace> {
        let mut all = Vec::new();
        match words.get("$ref") {
            None => {}
            Some(Json::String(reference)) => match self.facts.resolve(reference) {
                Ok(component) => all.push(self.component(component, place.mode)),
                Err(reason) => place.mistake("$ref", reason),
            },
            Some(other) => place.mistake("$ref", format!("must be a string, not {other}")),
        }
        all.extend(self.list("allOf", words, place));
        let mut in_place: Vec<InPlace> = all
            .into_iter()
            .filter(|link| !link.is_any())
            .map(InPlace::All)
            .collect();
        in_place.extend(self.union("anyOf", words, place));
        in_place.extend(self.union("oneOf", words, place));
        in_place
    }
}

/// The schema's assertions in the simplest form.
fn assemble(mut node: Node, words: &Object, mode: Mode) -> Link {
    if mode == Mode::Decoded
        && node
            .number
            .as_ref()
            .is_some_and(|rule| words::is_width(words, rule))
    {
        let others = node.choices.is_some() || node.string.is_some() || !node.in_place.is_empty();
        if !others && node.array.is_none() && node.object.is_none() {
            return Link::Any;
        }
    }
    let own = node.choices.is_some()
        || node.number.is_some()
        || node.string.is_some()
        || node.array.is_some()
        || node.object.is_some()
        || mode == Mode::Full && node.kinds != Kinds::ALL;
    if own {
        return Link::Node(Box::new(node));
    }
    if node.in_place.is_empty() {
        return Link::Any;
    }
    if let [InPlace::All(_)] = node.in_place.as_slice()
        && let Some(InPlace::All(link)) = node.in_place.pop()
    {
        return link;
    }
    Link::Node(Box::new(node))
}

fn type_words(words: &Object, place: &mut Place) -> Kinds {
    words::kinds(words).unwrap_or_else(|| {
        place.mistake(
            "type",
            "names no type, or one that JSON Schema does not know",
        );
        Kinds::ALL
    })
}

fn number_rule(words: &Object, place: &mut Place) -> Option<NumberRule> {
    words::number(words, place)
}

/// The values of `enum` and `const`.
fn choices(words: &Object, kinds: Kinds, place: &mut Place) -> Option<Choices> {
    let constant = words.get("const");
    let choices = match (words.get("enum"), constant) {
        (None, None) => return None,
        (None, Some(value)) => Choices::new(std::iter::once(value)),
        (Some(Json::Array(values)), None) => Choices::new(values.iter()),
        (Some(Json::Array(values)), Some(constant)) => {
            Choices::new(values.iter().filter(|&value| value == constant))
        }
        (Some(_), _) => {
            place.mistake("enum", "must be a list of values");
            return None;
        }
    };
    if !choices.kinds().meet(kinds) {
        let keyword = if constant.is_some() { "const" } else { "enum" };
        place.mistake(keyword, "names no value that fits the schema");
    }
    Some(choices)
}

/// The schemas under a keyword, by name.
fn members<'j>(
    keyword: &str,
    words: &'j Object,
    place: &mut Place,
) -> impl Iterator<Item = (&'j String, &'j Json)> + use<'j> {
    let members = words.get(keyword);
    if members.is_some_and(|members| members.as_object().is_none()) {
        place.mistake(keyword, "must be an object of schemas");
    }
    members.and_then(Json::as_object).into_iter().flatten()
}

fn required(words: &Object, place: &mut Place) -> Vec<Box<str>> {
    let Some(names) = words.get("required") else {
        return Vec::new();
    };
    let names = names.as_array().and_then(|names| {
        let names = names.iter().map(|name| Some(name.as_str()?.into()));
        names.collect::<Option<Vec<Box<str>>>>()
    });
    let Some(mut names) = names else {
        place.mistake("required", "must be a list of names");
        return Vec::new();
    };
    names.sort_unstable();
    names.dedup();
    names
}
