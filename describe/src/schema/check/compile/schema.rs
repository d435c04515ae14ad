//! Compiles one schema.

use crate::json::{Json, Name, Object};

use super::place::SchemaPlace;
use super::words;
use super::{Compiler, Formats, MAX_UTF8_BYTES};
use crate::schema::check::choices::Choices;
use crate::schema::check::format::Format;
use crate::schema::check::node::{InPlace, Link, Node};
use crate::schema::check::string::{Count, FormatRule, StringRule};
use crate::schema::keyword::{component_entered, component_name, listed, resolve};
use crate::schema::kinds::Kinds;

/// The maximum number of references into components that are followed inside each other.
const FOLLOWED: usize = 16;

impl Compiler<'_> {
    /// Compiles a schema.
    pub(super) fn link(&mut self, schema: &Json, place: &mut SchemaPlace) -> Link {
        let Some(left) = self.left.checked_sub(1) else {
            return Link::Unknown;
        };
        self.left = left;
        match schema {
            Json::Bool(true) => Link::Any,
            Json::Bool(false) => Link::Never,
            Json::Object(words) => {
                let mut link = self.node(words, place);
                if let Link::Node(node) = &mut link
                    && !self.is_for_tools
                {
                    node.is_beyond_decoding = self.asserts_beyond_decoding(schema);
                }
                link
            }
            _ => {
                place.mistake("schema", "is neither an object nor a Boolean");
                Link::Unknown
            }
        }
    }

    /// Compiles the keywords of a schema.
    fn node(&mut self, words: &Object, place: &mut SchemaPlace) -> Link {
        let is_outer_incomplete = std::mem::take(&mut place.is_incomplete);
        let enforced: Object;
        let refused = words::refuse_unenforced(words, place);
        let words = if refused.is_empty() || self.is_for_tools {
            words
        } else {
            let is_enforced = |(word, _): &(&Name, &Json)| !refused.contains(&word.as_str());
            enforced = words.iter().filter(is_enforced).map(cloned).collect();
            &enforced
        };
        let kinds = type_words(words, place);
        let mut node = Node {
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
                .object_rule(words, place)
                .filter(|_| kinds.meet(Kinds::OBJECT)),
            in_place: self.in_place(words, place),
            is_beyond_decoding: true,
        };
        if std::mem::replace(&mut place.is_incomplete, is_outer_incomplete) {
            node.in_place.push(InPlace::All(Link::Unknown));
        }
        // The constraints in the simplest form.
        match node.in_place.pop() {
            None if !node.has_own_rules() => Link::Any,
            Some(InPlace::Not(Link::Any)) => Link::Never,
            // For a tool, each reference counts as a step: it may lead to itself.
            Some(InPlace::All(link))
                if !self.is_for_tools && node.in_place.is_empty() && !node.has_own_rules() =>
            {
                link
            }
            last => {
                node.in_place.extend(last);
                Link::Node(Box::new(node))
            }
        }
    }

    fn string_rule(&mut self, words: &Object, place: &mut SchemaPlace) -> Option<StringRule> {
        let length = words::count(words, "minLength", "maxLength", place);
        let pattern = words::read(words, "pattern", "a string", Json::as_str, place);
        let pattern = pattern.map(|pattern| self.pattern(pattern)).transpose();
        let pattern = pattern.unwrap_or_else(|reason| {
            place.mistake("pattern", reason);
            None
        });
        if let Some(pattern) = &pattern
            && self.is_slow(pattern, length.max)
        {
            let most = pattern.sure_bytes() / MAX_UTF8_BYTES;
            let reason = format!(
                "takes too long to match in the longest text that is allowed: set a `maxLength` of at \
                 most {most} beside it, or use a simpler pattern"
            );
            place.unenforced("pattern", reason);
        }
        let format = words::format(words).map_or(FormatRule::Any, |name| self.format_rule(name));
        let asserts =
            length != Count::ANY || pattern.is_some() || !matches!(format, FormatRule::Any);
        asserts.then_some(StringRule {
            length,
            pattern,
            format,
        })
    }

    fn format_rule(&self, name: &str) -> FormatRule {
        let known = Format::named(name);
        match (self.formats, known) {
            (Formats::Known, None) => FormatRule::Any,
            (Formats::Listed(listed), _) if !listed.iter().any(|it| it == name) => FormatRule::Any,
            (Formats::Known | Formats::Listed(_), Some(format)) => FormatRule::Enforced(format),
            (Formats::Listed(_) | Formats::Unsaid, known) => FormatRule::Unsaid(known),
        }
    }

    fn in_place(&mut self, words: &Object, place: &mut SchemaPlace) -> Vec<InPlace> {
        let mut all = Vec::new();
        let reference = words::read(words, "$ref", "a string", Json::as_str, place);
        all.extend(reference.map(|reference| self.reference(reference, place)));
        all.extend(self.list("allOf", words, place));
        all.retain(|link| !link.is_any());
        let mut in_place: Vec<InPlace> = all.into_iter().map(InPlace::All).collect();
        in_place.extend(self.union("anyOf", words, place));
        in_place.extend(self.union("oneOf", words, place));
        if words.contains_key("if") {
            let links = ["if", "then", "else"].map(|keyword| self.only(keyword, words, place));
            in_place.push(InPlace::If(Box::new(links)));
        }
        in_place.extend(self.dependent(words, place));
        in_place.extend(self.unevaluated(words, place));
        if words.contains_key("not") {
            in_place.push(InPlace::Not(self.only("not", words, place)));
        }
        in_place
    }

    /// Returns the component that a reference leads to.
    fn resolve(&self, reference: &str) -> Result<usize, String> {
        let Some(name) = component_name(reference) else {
            return Err(match component_entered(reference) {
                Some(_) => format!("points into a component: `{reference}`"),
                None => {
                    format!("points to `{reference}`; only `#/components/schemas/…` is followed")
                }
            });
        };
        let component = self.components.get_index_of(name.as_ref());
        component.ok_or_else(|| format!("points to `{name}`, which is not a component"))
    }

    fn reference(&mut self, reference: &str, place: &mut SchemaPlace) -> Link {
        let reason = match self.resolve(reference) {
            Ok(component) => return self.component(component),
            Err(reason) => reason,
        };
        let target = resolve(reference, self.components());
        let Some(target) = target.filter(|_| place.followed < FOLLOWED) else {
            place.mistake("$ref", reason);
            return Link::Unknown;
        };
        // Services refuse a reference into a component, but its meaning is clear.
        place.unenforced("$ref", reason);
        let mut inside = SchemaPlace {
            followed: place.followed + 1,
            ..SchemaPlace::default()
        };
        self.link(target, &mut inside)
    }
}

fn cloned((name, value): (&Name, &Json)) -> (Name, Json) {
    (name.clone(), value.clone())
}

fn type_words(words: &Object, place: &mut SchemaPlace) -> Kinds {
    Kinds::of_type(words).unwrap_or_else(|| {
        place.mistake(
            "type",
            "is empty or has a type that JSON Schema does not define",
        );
        Kinds::ALL
    })
}

/// Returns the values of `enum` and `const`.
fn choices(words: &Object, kinds: Kinds, place: &mut SchemaPlace) -> Option<Choices> {
    let mut keywords = ["const", "enum"].into_iter();
    if matches!(words.get("enum"), Some(values) if values.as_array().is_none()) {
        place.mistake("enum", "must be a list of values");
    }
    let choices = Choices::new(&listed(words)?);
    if !choices.kinds.meet(kinds) {
        let keyword = keywords.find(|keyword| words.contains_key(keyword))?;
        place.unenforced(keyword, "has no value that matches the schema");
    }
    Some(choices)
}
