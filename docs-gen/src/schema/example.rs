//! A value that fits a schema, where its author gave none.

use docent_describe::json::{Decimal, Json, Object};
use docent_describe::schema::width;

use super::refs::{Shared, component_name};
use super::shape::{Outline, Shape, shape};

/// Values within values beyond this are left out.
const DEEPEST: usize = 6;

/// Optional members are shown up to this level; below it an example would be all detail.
const DEEPEST_OPTIONAL: usize = 2;

/// An example has at most about this many values, however wide its schema.
const MOST: usize = 60;

/// Makes a value that fits the schema, as far as its outline goes.
pub(crate) fn example(shared: &Shared, schema: &Json) -> Json {
    let mut maker = Maker { shared, left: MOST };
    maker.value(schema, 0)
}

struct Maker<'a> {
    shared: &'a Shared,
    left: usize,
}

impl Maker<'_> {
    fn value(&mut self, schema: &Json, depth: usize) -> Json {
        if let Some(given) = given(schema) {
            return given.clone();
        }
        self.left = self.left.saturating_sub(1);
        let Outline { shape, nullable } = shape(schema);
        if (depth > DEEPEST || self.left == 0) && nullable {
            return Json::Null;
        }
        match shape {
            Shape::Ref(name) => match self.shared.get(name.as_ref()) {
                Some(target) if depth <= DEEPEST => self.value(target, depth + 1),
                _ => Json::Null,
            },
            Shape::Scalar(kind) => scalar(kind, schema),
            Shape::Kinds(kinds) => scalar(kinds.first().copied().unwrap_or_default(), schema),
            Shape::Array(items) => self.array(items, schema, depth),
            Shape::Tuple(places, _) => Json::Array(
                places
                    .iter()
                    .take(MOST)
                    .map(|place| self.value(place, depth + 1))
                    .collect(),
            ),
            Shape::Map(values) => {
                let mut object = Object::new();
                if depth < DEEPEST_OPTIONAL {
                    object.insert("key".to_owned(), self.value(values, depth + 1));
                }
                Json::Object(object)
            }
            Shape::Object => self.object(schema, depth),
            Shape::Enum(values) => values
                .first()
                .map_or(Json::Null, |first| first.value.clone()),
            Shape::Alternatives(branches) => branches
                .first()
                .map_or(Json::Null, |first| self.value(first, depth + 1)),
            Shape::All(branches) => self.all(branches, depth),
            Shape::Any | Shape::Never | Shape::Lost(_) => Json::Null,
        }
    }

    fn array(&mut self, items: Option<&Json>, schema: &Json, depth: usize) -> Json {
        let least = schema.get("minItems").and_then(Json::as_i64).unwrap_or(0);
        match items {
            Some(items) if least > 0 || (depth < DEEPEST_OPTIONAL && self.left > 0) => {
                let count = usize::try_from(least).unwrap_or(1).clamp(1, 3);
                Json::Array((0..count).map(|_| self.value(items, depth + 1)).collect())
            }
            _ => Json::Array(Vec::new()),
        }
    }

    fn object(&mut self, schema: &Json, depth: usize) -> Json {
        let required = schema
            .get("required")
            .and_then(Json::as_array)
            .unwrap_or_default();
        let mut object = Object::new();
        for (name, member) in schema
            .get("properties")
            .and_then(Json::as_object)
            .into_iter()
            .flatten()
        {
            let is_required = required
                .iter()
                .any(|required| required.as_str() == Some(name));
            let is_shown =
                is_required || (depth < DEEPEST_OPTIONAL && component_name(member).is_none());
            if is_shown && self.left > 0 {
                object.insert(name.clone(), self.value(member, depth + 1));
            }
        }
        for word in ["oneOf", "anyOf"] {
            if let Some([first, ..]) = schema.get(word).and_then(Json::as_array) {
                self.extend(&mut object, first, depth);
            }
        }
        for branch in schema
            .get("allOf")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
        {
            self.extend(&mut object, branch, depth);
        }
        Json::Object(object)
    }

    fn all(&mut self, branches: &[Json], depth: usize) -> Json {
        let mut object = Object::new();
        for branch in branches.iter().take(MOST) {
            self.extend(&mut object, branch, depth);
        }
        Json::Object(object)
    }

    fn extend(&mut self, object: &mut Object, branch: &Json, depth: usize) {
        if depth <= DEEPEST
            && let Json::Object(members) = self.value(branch, depth + 1)
        {
            object.extend(members);
        }
    }
}

/// A value that the author gave: an example, the default, the constant.
fn given(schema: &Json) -> Option<&Json> {
    let listed = match schema.get("examples") {
        Some(Json::Array(examples)) => examples.first(),
        _ => None,
    };
    let default = || {
        schema
            .get("default")
            .filter(|default| !matches!(default, Json::Null))
    };
    listed
        .or_else(|| schema.get("example"))
        .or_else(default)
        .or_else(|| schema.get("const"))
}

fn scalar(kind: &str, schema: &Json) -> Json {
    match kind {
        "integer" | "number" => number(kind, schema),
        "boolean" => Json::Bool(true),
        "string" => Json::String(string(schema)),
        "array" => Json::Array(Vec::new()),
        "object" => Json::Object(Object::new()),
        _ => Json::Null,
    }
}

fn number(kind: &str, schema: &Json) -> Json {
    if width(schema).is_some() {
        // Any number will do, and the least of a type's is nobody's example.
        return Json::from(1);
    }
    let bound = ["minimum", "maximum", "multipleOf"]
        .iter()
        .find_map(|bound| match schema.get(bound)? {
            Json::Number(text) if text.len() < 40 => Some(text),
            _ => None,
        });
    match bound {
        // `0.0` bounds an integer as well as `0` does, but no integer is written so.
        Some(bound) if kind == "integer" => {
            let whole = Decimal::new(bound).to_i128().filter(|&whole| whole != 0);
            Json::Number(whole.unwrap_or(1).to_string().into())
        }
        Some(bound) if Decimal::new(bound) != Decimal::new("0") => Json::Number(bound.clone()),
        _ => Json::from(1),
    }
}

fn string(schema: &Json) -> String {
    let format = schema
        .get("format")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let text = match format {
        "date-time" => "2026-01-31T12:00:00Z",
        "date" => "2026-01-31",
        "time" => "12:00:00Z",
        "duration" => "PT1H",
        "email" => "reader@example.org",
        "uri" | "url" | "iri" => "https://example.org/",
        "uuid" => "3f2a8c1e-7b4d-4e0a-9c5f-1d2e3f4a5b6c",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "hostname" => "example.org",
        _ => "text",
    };
    let least = schema.get("minLength").and_then(Json::as_i64).unwrap_or(0);
    let most = schema
        .get("maxLength")
        .and_then(Json::as_i64)
        .unwrap_or(i64::MAX);
    let length = usize::try_from(least.clamp(0, 200)).unwrap_or(0);
    let mut fitted: String = text.chars().cycle().take(text.len().max(length)).collect();
    fitted.truncate(
        usize::try_from(most.max(0))
            .unwrap_or(usize::MAX)
            .max(length),
    );
    fitted
}
