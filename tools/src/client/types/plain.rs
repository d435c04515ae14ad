//! Types from schemas without references or alternatives.

use std::collections::HashSet;

use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::{Kinds, list, required};

use super::TypeTable;
use super::words::documentation;
use crate::client::model::{ClientShape, Field, Range, Type};
use crate::client::names::{self, pascal};

impl TypeTable<'_> {
    /// Returns the shape of a schema without references or alternatives.
    pub(super) fn plain(&mut self, words: &Object, hint: &str) -> ClientShape {
        let has = |keys: &[&str]| keys.iter().any(|key| words.contains_key(key));
        let mut kinds = Kinds::of_type(words).unwrap_or(Kinds::ALL);
        if !words.contains_key("type") {
            // Without `type`, other kinds of values would be allowed, too, which hardly anybody means.
            kinds = Kinds::NONE;
            if has(&["properties", "additionalProperties", "patternProperties"]) {
                kinds = kinds | Kinds::OBJECT;
            }
            if has(&["items", "prefixItems"]) {
                kinds = kinds | Kinds::ARRAY;
            }
        }
        let part = |name: &str| match kinds {
            Kinds::OBJECT | Kinds::ARRAY => hint.to_owned(),
            _ => format!("{hint}{name}"),
        };
        let number = if kinds.meet(Kinds::FRACTION) {
            Type::Number
        } else {
            Type::Integer(range(words))
        };
        let mut each = Vec::new();
        if kinds.meet(Kinds::OBJECT) {
            let shape = self.object(words, &part("Object"));
            if kinds == Kinds::OBJECT {
                return shape;
            }
            each.push(self.ty(shape, &part("Object"), String::new()));
        }
        if kinds.meet(Kinds::ARRAY) {
            each.push(self.array(words, &part("Array")));
        }
        for (kind, of) in [
            (Kinds::BOOLEAN, Type::Boolean),
            (Kinds::STRING, self.text(words)),
            (Kinds::NULL, Type::Null),
            (Kinds::NUMBER, number),
        ] {
            if kinds.meet(kind) {
                each.push(of);
            }
        }
        self.union(each, hint)
    }

    pub(super) fn object(&mut self, words: &Object, hint: &str) -> ClientShape {
        let properties = words.get("properties").and_then(Json::as_object);
        let rest = match words.get("additionalProperties") {
            Some(Json::Bool(_)) | None => self.patterns(words, hint),
            Some(schema) => Some(self.of(schema, &format!("{hint}Value"))),
        };
        let Some(properties) = properties.filter(|all| !all.is_empty()) else {
            return ClientShape::Alias(Type::Map(Box::new(rest.unwrap_or(Type::Any))));
        };
        let required: HashSet<&str> = required(words).collect();
        let mut fields = Vec::new();
        for (name, schema) in properties {
            let hint = format!("{hint}{}", pascal(&names::words(name)));
            fields.push(Field {
                wire: name.as_str().to_owned(),
                of: self.of(schema, &hint),
                required: required.contains(name.as_str()),
                docs: documentation(schema),
                default: schema.get("default").cloned(),
            });
        }
        ClientShape::Object(fields, rest)
    }

    /// Returns the type of members whose names match a pattern, if there is exactly one pattern.
    pub(super) fn patterns(&mut self, words: &Object, hint: &str) -> Option<Type> {
        let patterns = words.get("patternProperties")?.as_object()?;
        let schema = patterns.values().next().filter(|_| patterns.len() == 1)?;
        Some(self.of(schema, &format!("{hint}Value")))
    }

    pub(super) fn array(&mut self, words: &Object, hint: &str) -> Type {
        let hint = format!("{hint}Item");
        let prefix = list(words, "prefixItems");
        let items = match words.get("items") {
            Some(Json::Bool(false)) => None,
            Some(items) => Some(self.of(items, &hint)),
            None => Some(Type::Any),
        };
        if prefix.is_empty() {
            return Type::List(Box::new(items.unwrap_or(Type::Any)));
        }
        let each = prefix.iter().enumerate();
        let each = each.map(|(at, schema)| self.of(schema, &format!("{hint}{}", at + 1)));
        let each: Vec<Type> = each.collect();
        let count = |keyword| Decimal::new(words.get(keyword)?.as_number()?).to_i128();
        let length = i128::try_from(each.len()).ok();
        let is_closed = items.is_none() || count("maxItems") == length;
        // An array that may end early is not a tuple.
        if count("minItems") >= length {
            let rest = items.filter(|_| !is_closed);
            return Type::Tuple(each, rest.map(Box::new));
        }
        let union = self.union(each.into_iter().chain(items).collect(), &hint);
        Type::List(Box::new(self.ty(union, &hint, String::new())))
    }

    /// Returns the type of a text. Dates and times have names of their own.
    pub(super) fn text(&mut self, words: &Object) -> Type {
        let (name, docs) = match words.get("format").and_then(Json::as_str) {
            Some("date") => ("IsoDate", "A date (RFC 3339), such as `2026-03-02`."),
            Some("date-time") => (
                "IsoDateTime",
                "A point in time (RFC 3339), such as `2026-03-02T10:00:00Z`.",
            ),
            Some("time") => ("IsoTime", "A time of day (RFC 3339), such as `10:00:00Z`."),
            Some("duration") => ("IsoDuration", "A duration (ISO 8601), such as `PT1H`."),
            _ => return Type::Text,
        };
        if let Some(known) = self.formats.get(name) {
            return Type::Ref(*known);
        }
        let place = self.add(ClientShape::Alias(Type::Text), name, docs.to_owned());
        self.formats.insert(name, place);
        Type::Ref(place)
    }
}

fn range(words: &Object) -> Range {
    let bound = |keyword| words.get(keyword)?.as_number();
    let least = bound("minimum").or(bound("exclusiveMinimum"));
    let greatest = bound("maximum").or(bound("exclusiveMaximum"));
    Range {
        least: least.map(|text| {
            let is_low = text.starts_with('-');
            let wide = if is_low { i128::MIN } else { i128::MAX };
            Decimal::new(text).to_i128().unwrap_or(wide)
        }),
        greatest: greatest.map(|text| match Decimal::new(text).to_i128() {
            Some(number) => u128::try_from(number).unwrap_or(0),
            None if text.starts_with('-') => 0,
            None => u128::MAX,
        }),
    }
}
