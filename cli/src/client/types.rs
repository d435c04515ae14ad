//! Types from schemas.

use docent_describe::ServiceDescription;
use docent_describe::json::{Decimal, Json, Name, Object};
use docent_describe::schema::{Form, Kinds, Role, component_name, forms, role};
use indexmap::IndexMap;

use super::model::{Field, Named, Range, Shape, Type};
use super::names::{Scope, pascal, words};
use super::text::paragraphs;

/// How many forms of a schema become alternatives of a type.
const MOST_FORMS: usize = 40;
/// How deep a schema is followed.
const DEEPEST: usize = 64;

/// Names that the code around types uses, in any of the languages.
const RESERVED: &[&str] = &[
    "Any",
    "Box",
    "BTreeMap",
    "Clone",
    "Debug",
    "Default",
    "Deserialize",
    "Err",
    "Error",
    "False",
    "Literal",
    "None",
    "NotRequired",
    "Ok",
    "Option",
    "PartialEq",
    "Result",
    "Self",
    "Serialize",
    "Some",
    "String",
    "True",
    "TypeAlias",
    "TypedDict",
    "Union",
    "Value",
    "Vec",
    "Never",
    "Shape",
    "RpcError",
    "TransportError",
    "Call",
    "Client",
    "Types",
    // Words of the languages that a name without small letters could become.
    "Const",
    "Type",
    "Enum",
    "Undefined",
    "Object",
    "Symbol",
    "Number",
    "Boolean",
    "Bigint",
    "Unknown",
    "Void",
    "Interface",
    "Export",
    "Import",
    "Class",
    "Async",
    "Await",
    "Null",
];

/// Collects the types of a description.
#[derive(Debug)]
pub(crate) struct Types<'d> {
    components: &'d IndexMap<String, Json>,
    pub(super) named: Vec<Named>,
    pub(super) scope: Scope,
    depth: usize,
}

impl<'d> Types<'d> {
    /// Begins with the shared schemas, whose places are those of the description.
    pub(crate) fn new(service: &'d ServiceDescription) -> Self {
        let components = &service.components.schemas;
        let mut this = Self {
            components,
            named: Vec::new(),
            scope: Scope::new("Type", RESERVED),
            depth: 0,
        };
        for (name, schema) in components {
            this.named.push(Named {
                name: this.scope.take(&pascal(&words(name))),
                docs: documentation(schema),
                shape: Shape::Alias(Type::Any),
            });
        }
        for (place, schema) in components.values().enumerate() {
            let hint = this.named[place].name.clone();
            this.named[place].shape = this.shape(schema, &hint);
        }
        this
    }

    /// Gives a shape a name of its own.
    pub(crate) fn add(&mut self, shape: Shape, hint: &str, docs: String) -> usize {
        let name = self.scope.take(hint);
        self.named.push(Named { name, docs, shape });
        self.named.len() - 1
    }

    /// The type that a schema describes. `hint` is the name that it gets if it needs one.
    pub(crate) fn of(&mut self, schema: &Json, hint: &str) -> Type {
        if self.depth > DEEPEST {
            return Type::Any;
        }
        self.depth += 1;
        let shape = self.shape(schema, hint);
        self.depth -= 1;
        self.ty(shape, hint, documentation(schema))
    }

    fn ty(&mut self, shape: Shape, hint: &str, docs: String) -> Type {
        match shape {
            Shape::Alias(other) => other,
            // Every language has a plain type for these, and a single one is no type of its own.
            Shape::Values(values) if values == [Json::Null] => Type::Null,
            shape => Type::Ref(self.add(shape, hint, docs)),
        }
    }

    fn shape(&mut self, schema: &Json, hint: &str) -> Shape {
        let Json::Object(words) = schema else {
            return Shape::Alias(Type::Any);
        };
        if let Some(values) = listed(words) {
            return self.values(&values, hint);
        }
        let parts: Vec<&str> = words.keys().map(Name::as_str).collect();
        let parts: Vec<&str> = parts.into_iter().filter(|key| shapes(key)).collect();
        match parts[..] {
            ["$ref"] => Shape::Alias(self.reference(words)),
            ["anyOf" | "oneOf"] | ["type", "anyOf" | "oneOf"] | ["anyOf" | "oneOf", "type"] => {
                let parts = list(words, "anyOf");
                let parts = if parts.is_empty() {
                    list(words, "oneOf")
                } else {
                    parts
                };
                self.either(parts, hint)
            }
            ["allOf"] if list(words, "allOf").len() == 1 => {
                self.shape(&list(words, "allOf")[0], hint)
            }
            _ if ["$ref", "allOf", "anyOf", "oneOf"]
                .iter()
                .any(|it| parts.contains(it)) =>
            {
                self.combined(schema, hint)
            }
            _ => self.plain(words, hint),
        }
    }

    fn reference(&self, words: &Object) -> Type {
        let name = words
            .get("$ref")
            .and_then(Json::as_str)
            .and_then(component_name);
        let place = name.and_then(|name| self.components.get_index_of(name.as_ref()));
        place.map_or(Type::Any, Type::Ref)
    }

    fn values(&mut self, values: &[&Json], hint: &str) -> Shape {
        let others: Vec<Json> = values
            .iter()
            .filter(|value| ***value != Json::Null)
            .map(|value| (*value).clone())
            .collect();
        let is_plain = |value: &Json| !matches!(value, Json::Array(_) | Json::Object(_));
        if !others.iter().all(is_plain) {
            return Shape::Alias(Type::Any);
        }
        let mut each: Vec<Json> = Vec::new();
        for value in others {
            if !each.contains(&value) {
                each.push(value);
            }
        }
        if each.is_empty() {
            return Shape::Alias(Type::Null);
        }
        if values.contains(&&Json::Null) {
            let inner = self.add(Shape::Values(each), hint, String::new());
            return Shape::Alias(Type::Ref(inner).nullable());
        }
        Shape::Values(each)
    }

    /// One of several schemas.
    fn either(&mut self, parts: &[Json], hint: &str) -> Shape {
        // The variants of an enum, each with documentation of its own.
        let values = parts.iter().map(|part| match part.as_object() {
            Some(words) if words.get("type").and_then(Json::as_str) == Some("null") => {
                Some(vec![&Json::Null])
            }
            Some(words) => listed(words),
            None => None,
        });
        if let Some(values) = values.collect::<Option<Vec<_>>>() {
            return self.values(&values.concat(), hint);
        }
        let each = parts.iter().enumerate().map(|(at, part)| {
            let hint = format!("{hint}{}", told_by(part, at));
            self.of(part, &hint)
        });
        let each: Vec<Type> = each.collect();
        self.union(each, hint)
    }

    fn union(&mut self, each: Vec<Type>, hint: &str) -> Shape {
        let mut types: Vec<Type> = Vec::new();
        let mut has_null = false;
        for of in each {
            let of = match of {
                Type::Null => {
                    has_null = true;
                    continue;
                }
                Type::Any => return Shape::Alias(Type::Any),
                Type::Nullable(inner) => {
                    has_null = true;
                    *inner
                }
                other => other,
            };
            if !types.contains(&of) {
                types.push(of);
            }
        }
        let shape = match types.len() {
            0 => return Shape::Alias(if has_null { Type::Null } else { Type::Any }),
            1 => Shape::Alias(types.remove(0)),
            _ => Shape::Union(types),
        };
        if has_null {
            let inner = self.ty(shape, hint, String::new());
            return Shape::Alias(inner.nullable());
        }
        shape
    }

    /// A schema with several that apply to the same value.
    fn combined(&mut self, schema: &Json, hint: &str) -> Shape {
        let forms = forms(schema, self.components, MOST_FORMS + 1);
        if forms.is_empty() || forms.len() > MOST_FORMS {
            return Shape::Alias(Type::Any);
        }
        if let [only] = &forms[..] {
            return self.form(only, hint);
        }
        let mut each = Vec::new();
        for (at, form) in forms.iter().enumerate() {
            let told = form
                .words()
                .map(|it| told_by(&Json::Object(it.clone()), at));
            let told = told.last().unwrap_or_default();
            let hint = format!("{hint}{told}");
            let shape = self.form(form, &hint);
            each.push(self.ty(shape, &hint, String::new()));
        }
        self.union(each, hint)
    }

    /// Everything that applies in one form, as one schema.
    fn form(&mut self, form: &Form<'_>, hint: &str) -> Shape {
        let mut all = Object::new();
        let mut properties = Object::new();
        let mut required: Vec<Json> = Vec::new();
        for words in form.words() {
            for (keyword, value) in words {
                match (keyword.as_str(), value) {
                    ("properties", Json::Object(more)) => {
                        for (name, schema) in more {
                            properties.or_insert_with(name, || schema.clone());
                        }
                    }
                    ("required", Json::Array(more)) => {
                        required.extend(more.iter().cloned());
                    }
                    ("$ref" | "allOf" | "anyOf" | "oneOf" | "additionalProperties", _) => {}
                    (keyword, value) => {
                        all.or_insert_with(keyword, || value.clone());
                    }
                }
            }
        }
        if !properties.is_empty() {
            all.insert("type", Json::from("object"));
            all.insert("properties", Json::Object(properties));
        }
        all.insert("required", Json::Array(required));
        match listed(&all) {
            Some(values) => self.values(&values, hint),
            None => self.plain(&all, hint),
        }
    }

    /// A schema that refers to no other for the same value.
    fn plain(&mut self, words: &Object, hint: &str) -> Shape {
        let said = words.contains_key("type");
        let has = |keys: &[&str]| keys.iter().any(|key| words.contains_key(key));
        let kinds = Kinds::of_type(words).unwrap_or(Kinds::ALL);
        let is_object = has(&["properties", "additionalProperties", "patternProperties"]);
        let is_array = has(&["items", "prefixItems"]);
        if !said && !is_object && !is_array {
            return Shape::Alias(Type::Any);
        }
        let mut shapes = Vec::new();
        let meets = |kind| kinds.meet(kind);
        if meets(Kinds::OBJECT) && (said || is_object) {
            shapes.push(self.object(words, hint));
        }
        if meets(Kinds::ARRAY) && (said || is_array) {
            shapes.push(Shape::Alias(self.array(words, hint)));
        }
        if said {
            for (kind, of) in [
                (Kinds::BOOLEAN, Type::Boolean),
                (Kinds::STRING, self.text(words)),
                (Kinds::NULL, Type::Null),
            ] {
                if meets(kind) {
                    shapes.push(Shape::Alias(of));
                }
            }
            if meets(Kinds::FRACTION) {
                shapes.push(Shape::Alias(Type::Number));
            } else if meets(Kinds::INTEGER) {
                shapes.push(Shape::Alias(Type::Integer(range(words))));
            }
        }
        if shapes.len() == 1 {
            return shapes.remove(0);
        }
        let hints = ["Object", "Array", "", "", "", ""];
        let each = shapes.into_iter().zip(hints);
        let each: Vec<Type> = each
            .map(|(shape, part)| self.ty(shape, &format!("{hint}{part}"), String::new()))
            .collect();
        self.union(each, hint)
    }

    fn object(&mut self, words: &Object, hint: &str) -> Shape {
        let properties = words.get("properties").and_then(Json::as_object);
        let rest = match words.get("additionalProperties") {
            Some(Json::Bool(_)) | None => self.patterns(words, hint),
            Some(schema) => Some(self.of(schema, &format!("{hint}Value"))),
        };
        let Some(properties) = properties.filter(|all| !all.is_empty()) else {
            return Shape::Alias(Type::Map(Box::new(rest.unwrap_or(Type::Any))));
        };
        let required: Vec<&str> = list(words, "required")
            .iter()
            .filter_map(Json::as_str)
            .collect();
        let mut fields = Vec::new();
        for (name, schema) in properties {
            let hint = format!("{hint}{}", pascal(&super::names::words(name)));
            fields.push(Field {
                wire: name.as_str().to_owned(),
                of: self.of(schema, &hint),
                required: required.contains(&name.as_str()),
                docs: documentation(schema),
                default: schema.get("default").cloned(),
            });
        }
        Shape::Object(fields, rest)
    }

    /// The type of members whose names fit a pattern, if there is one pattern.
    fn patterns(&mut self, words: &Object, hint: &str) -> Option<Type> {
        let patterns = words.get("patternProperties")?.as_object()?;
        let schema = patterns.values().next().filter(|_| patterns.len() == 1)?;
        Some(self.of(schema, &format!("{hint}Value")))
    }

    fn array(&mut self, words: &Object, hint: &str) -> Type {
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
        let each: Vec<Type> = each
            .map(|(at, schema)| self.of(schema, &format!("{hint}{}", at + 1)))
            .collect();
        let count = |keyword| match words.get(keyword) {
            Some(Json::Number(text)) => Decimal::new(text).to_i128(),
            _ => None,
        };
        let length = i128::try_from(each.len()).ok();
        let is_closed = items.is_none() || count("maxItems") == length;
        // An array that may stop early is no tuple.
        if is_closed && count("minItems") == length {
            return Type::Tuple(each, None);
        }
        let union = self.union(each.into_iter().chain(items).collect(), &hint);
        Type::List(Box::new(self.ty(union, &hint, String::new())))
    }

    /// Text; dates and times have names of their own.
    fn text(&mut self, words: &Object) -> Type {
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
        let known = self.named.iter().position(|it| it.docs == docs);
        Type::Ref(
            known.unwrap_or_else(|| self.add(Shape::Alias(Type::Text), name, docs.to_owned())),
        )
    }
}

/// A word that tells an alternative from others, for its name.
fn told_by(part: &Json, at: usize) -> String {
    let title = part.get("title").and_then(Json::as_str);
    let properties = part.get("properties").and_then(Json::as_object);
    let constant = properties.and_then(|all| all.values().find_map(only_text));
    let only = properties.filter(|all| all.len() == 1);
    let only = only.and_then(|all| all.keys().next()).map(Name::as_str);
    let name = title.or(constant).or(only).map(|it| pascal(&words(it)));
    name.filter(|name| !name.is_empty())
        .unwrap_or_else(|| (at + 1).to_string())
}

/// Whether a keyword decides what type a schema describes.
fn shapes(keyword: &str) -> bool {
    matches!(
        keyword,
        "$ref"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "type"
            | "properties"
            | "items"
            | "prefixItems"
            | "additionalProperties"
            | "patternProperties"
            | "required"
    ) && role(keyword) != Some(Role::Annotates)
}

/// The values that a schema lists.
fn listed(words: &Object) -> Option<Vec<&Json>> {
    match (words.get("const"), words.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Json::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

/// The only text that a schema allows.
fn only_text(schema: &Json) -> Option<&str> {
    match listed(schema.as_object()?)?[..] {
        [Json::String(text)] => Some(text),
        _ => None,
    }
}

fn list<'j>(words: &'j Object, keyword: &str) -> &'j [Json] {
    words
        .get(keyword)
        .and_then(Json::as_array)
        .unwrap_or_default()
}

fn range(words: &Object) -> Range {
    let bound = |keyword| match words.get(keyword) {
        Some(Json::Number(text)) => Some(text.as_str()),
        _ => None,
    };
    let least = bound("minimum").or(bound("exclusiveMinimum"));
    let greatest = bound("maximum").or(bound("exclusiveMaximum"));
    Range {
        least: least.map(|text| {
            let wide = if text.starts_with('-') {
                i128::MIN
            } else {
                i128::MAX
            };
            Decimal::new(text).to_i128().unwrap_or(wide)
        }),
        greatest: greatest.map(|text| match Decimal::new(text).to_i128() {
            Some(number) => u128::try_from(number).unwrap_or(0),
            None if text.starts_with('-') => 0,
            None => u128::MAX,
        }),
    }
}

/// The documentation of a schema.
fn documentation(schema: &Json) -> String {
    let word = |keyword| {
        schema
            .get(keyword)
            .and_then(Json::as_str)
            .unwrap_or_default()
    };
    let deprecated = match schema.get("deprecated") {
        Some(Json::Bool(true)) => "Deprecated.",
        _ => "",
    };
    let text = word("description");
    let text = if text.is_empty() { word("title") } else { text };
    paragraphs([text, &variants(schema), deprecated])
}

/// What is said of the variants of an enum, as a list.
fn variants(schema: &Json) -> String {
    let parts = ["oneOf", "anyOf"]
        .into_iter()
        .filter_map(|it| schema.get(it)?.as_array());
    let lines = parts.flatten().filter_map(|part| {
        let description = part.get("description").and_then(Json::as_str)?;
        Some(format!(
            "- `{}`: {}",
            only_text(part)?,
            description.replace('\n', " ")
        ))
    });
    lines.collect::<Vec<_>>().join("\n")
}
