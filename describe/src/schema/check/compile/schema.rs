//! Compiles one schema.

use crate::json::{Json, Object};

use super::words::{self, Negation};
use super::{Compiler, Mode, Place};
use crate::schema::Kinds;
use crate::schema::check::choices::Choices;
use crate::schema::check::format::Format;
use crate::schema::check::node::{InPlace, Link, Node};
use crate::schema::check::string::{Count, StringRule};

impl Compiler<'_> {
    /// Compiles a schema, or the part of it that is checked in this mode.
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

    /// Compiles the keywords of a schema, except the property `chosen`, which has already been used
    /// to select this schema.
    pub(super) fn node(&mut self, words: &Object, chosen: Option<&str>, place: &mut Place) -> Link {
        words::refuse_unenforced(words, place);
        let kinds = type_words(words, place);
        let node = Node {
            kinds,
            choices: choices(words, kinds, place),
            number: words::number(words, place).filter(|_| kinds.meet(Kinds::NUMBER)),
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
            phrases: Default::default(),
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
        let is_enforced = |format: &Format| match self.enforced_formats {
            Some(enforced) => enforced.iter().any(|it| it == format.name()),
            None => true,
        };
        let format = words::format(words).filter(is_enforced);
        let asserts = length != Count::ANY || pattern.is_some() || format.is_some();
        asserts.then_some(StringRule {
            length,
            pattern,
            format,
        })
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

/// Returns the constraints of the schema in the simplest form.
fn assemble(mut node: Node, words: &Object, mode: Mode) -> Link {
    let beyond_width = |rule| mode == Mode::Full || !words::is_width(words, rule);
    let own = node.choices.is_some()
        || node.number.as_ref().is_some_and(beyond_width)
        || node.string.is_some()
        || node.array.is_some()
        || node.object.is_some()
        || mode == Mode::Full && node.kinds != Kinds::ALL;
    if own {
        return Link::Node(Box::new(node));
    }
    match node.in_place.as_slice() {
        [] => Link::Any,
        [InPlace::All(_)] => match node.in_place.pop() {
            Some(InPlace::All(link)) => link,
            _ => Link::Any,
        },
        _ => Link::Node(Box::new(node)),
    }
}

fn type_words(words: &Object, place: &mut Place) -> Kinds {
    Kinds::of_type(words).unwrap_or_else(|| {
        place.mistake(
            "type",
            "is empty or has a type that JSON Schema does not define",
        );
        Kinds::ALL
    })
}

/// Returns the values of `enum` and `const`.
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
        place.mistake(keyword, "has no value that matches the schema");
    }
    Some(choices)
}
