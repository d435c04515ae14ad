//! The data from which a page's script makes a form of a procedure's parameters: each schema as one of
//! a few kinds of input, with the constraints that can be checked during typing.
//!
//! The names are short because they are in every page: `t` is the kind, `n` means that null is
//! allowed, `r` is a shared kind by its number in `types`.

mod pattern;

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::width;
use indexmap::IndexMap;

use crate::json_text::compact;
use crate::schema::{self, Outline, Shape, Shared, component_name, resolve, shape, text_of};
use crate::schema::{label, told_apart};

/// The most kinds in a form, approximately. Values beyond them are typed as JSON.
const MOST: usize = 260;

/// The deepest nesting of kinds. Values below it are typed as JSON.
const DEEPEST: usize = 24;

/// The most values of an enumeration. One with more is typed as JSON.
const MOST_VALUES: usize = 300;

/// The longest value of an enumeration. One with a longer value is typed as JSON.
const LONGEST_VALUE: usize = 400;

/// The longest name of a member, and the longest format. The form ignores longer ones.
const LONGEST_NAME: usize = 200;

/// Collects the kinds of one procedure's parameters.
pub(crate) struct Kinds<'a> {
    shared: &'a Shared,
    numbers: IndexMap<String, usize>,
    types: Vec<Json>,
    left: usize,
}

/// The members of an object, by name: their schemas, and whether they are required.
type Fields<'j> = IndexMap<&'j str, (&'j Json, bool)>;

impl<'a> Kinds<'a> {
    pub(crate) fn new(shared: &'a Shared) -> Self {
        Self {
            shared,
            numbers: IndexMap::new(),
            types: Vec::new(),
            left: MOST,
        }
    }

    /// Returns the shared kinds that the others refer to by number.
    pub(crate) fn types(self) -> Json {
        Json::Array(self.types)
    }

    /// Returns the kind of a schema.
    pub(crate) fn kind(&mut self, schema: &Json, depth: usize) -> Json {
        if self.left == 0 || depth > DEEPEST {
            return kind("any", []);
        }
        self.left -= 1;
        let Outline { shape, nullable } = shape(schema);
        let mut kind = self.of_shape(&shape, schema, depth);
        if nullable && let Some(members) = kind.as_object_mut() {
            members.insert("n".to_owned(), Json::from(1));
        }
        kind
    }

    fn of_shape(&mut self, shape: &Shape<'_>, schema: &Json, depth: usize) -> Json {
        match shape {
            Shape::Ref(name) => self.reference(name, depth),
            Shape::Scalar(name) => scalar(name, alone(schema)),
            Shape::Kinds(names) => {
                let branches = names.iter().map(|name| {
                    let of_one = self.of_type(name, schema, depth);
                    Json::Array(vec![Json::from(*name), of_one])
                });
                kind("union", [("a", Json::Array(branches.collect()))])
            }
            Shape::Enum(values) if values.len() <= MOST_VALUES => choice(values),
            Shape::Array(items) => self.array(*items, schema, depth),
            Shape::Tuple(places, rest) => {
                let places = places.iter().map(|place| self.kind(place, depth + 1));
                let places = Json::Array(places.collect());
                let mut kind = kind("array", [("p", places)]);
                if let (Some(rest), Some(members)) = (rest, kind.as_object_mut()) {
                    members.insert("i".to_owned(), self.kind(rest, depth + 1));
                }
                kind
            }
            Shape::Map(_) | Shape::Object => self.object(schema, depth),
            Shape::Alternatives(branches) => self.union(schema, branches, depth),
            Shape::All(branches) => self.all(schema, branches, depth),
            Shape::Any | Shape::Never | Shape::Lost(_) | Shape::Enum(_) => kind("any", []),
        }
    }

    fn of_type(&mut self, name: &str, schema: &Json, depth: usize) -> Json {
        match name {
            "array" => self.array(schema.get("items"), schema, depth),
            "object" => self.object(schema, depth),
            other => scalar(other, alone(schema)),
        }
    }

    fn reference(&mut self, name: &str, depth: usize) -> Json {
        let number =
            |number: usize| Json::Object(Object::from([("r".to_owned(), integer(number))]));
        if let Some(&known) = self.numbers.get(name) {
            return number(known);
        }
        let Some(target) = self.shared.get(name) else {
            return kind("any", []);
        };
        let own = self.types.len();
        self.numbers.insert(name.to_owned(), own);
        self.types.push(Json::Null);
        self.types[own] = self.kind(target, depth + 1);
        number(own)
    }

    fn array(&mut self, items: Option<&Json>, schema: &Json, depth: usize) -> Json {
        let mut members = numbers(schema, &[("least", "minItems"), ("most", "maxItems")]);
        if schema.get("uniqueItems").and_then(Json::as_bool) == Some(true) {
            members.push(("u", Json::from(1)));
        }
        if let Some(items) = items {
            members.push(("i", self.kind(items, depth + 1)));
        }
        kind("array", members)
    }

    fn object(&mut self, schema: &Json, depth: usize) -> Json {
        let branches = ["oneOf", "anyOf"].iter().find_map(|word| {
            let branches = schema.get(word)?.as_array()?;
            (!branches.is_empty() && branches.len() < 100).then_some(branches)
        });
        let mut own = Fields::new();
        self.collect(schema, &mut own, 0);
        let Some(branches) = branches else {
            return self.members(schema, &own, depth);
        };
        let branches: Vec<&Json> = branches.iter().collect();
        let told = told_apart(self.shared, schema, &branches);
        let alternatives = branches.iter().enumerate().map(|(at, branch)| {
            let mut fields = own.clone();
            self.collect(branch, &mut fields, 0);
            let name = label(&told, at, branch).unwrap_or_default();
            let name = shorten(&name, 80);
            Json::Array(vec![
                Json::from(&*name),
                self.members(schema, &fields, depth + 1),
            ])
        });
        kind("union", [("a", Json::Array(alternatives.collect()))])
    }

    /// Collects the members of an object from a schema, its references and the branches of its
    /// `allOf`.
    fn collect<'j>(&self, schema: &'j Json, fields: &mut Fields<'j>, depth: usize)
    where
        'a: 'j,
    {
        if depth > 8 {
            return;
        }
        if component_name(schema).is_some() {
            return self.collect(resolve(self.shared, schema), fields, depth + 1);
        }
        for branch in list(schema, "allOf") {
            self.collect(branch, fields, depth + 1);
        }
        let properties = schema.get("properties").and_then(Json::as_object);
        for (name, member) in properties.into_iter().flatten() {
            if name.len() > LONGEST_NAME {
                continue;
            }
            let before = fields
                .get(name.as_str())
                .is_some_and(|(_, required)| *required);
            fields.insert(name, (member, before));
        }
        for name in list(schema, "required").filter_map(Json::as_str) {
            if let Some((_, required)) = fields.get_mut(name) {
                *required = true;
            }
        }
    }

    fn members(&mut self, schema: &Json, fields: &Fields<'_>, depth: usize) -> Json {
        let members = fields.iter().take(self.left.min(100) + 1);
        let members = members.map(|(name, (schema, required))| {
            let kind = self.kind(schema, depth + 1);
            Json::Array(vec![
                Json::from(*name),
                kind,
                integer(usize::from(*required)),
            ])
        });
        let mut all = vec![("f", Json::Array(members.collect()))];
        match schema.get("additionalProperties") {
            Some(Json::Bool(false)) => all.push(("c", Json::from(1))),
            Some(others @ Json::Object(_)) => all.push(("o", self.kind(others, depth + 1))),
            _ => {}
        }
        kind("object", all)
    }

    fn union(&mut self, schema: &Json, branches: &[&Json], depth: usize) -> Json {
        if branches.len() > 100 {
            return kind("any", []);
        }
        let told = told_apart(self.shared, schema, branches);
        let alternatives = branches.iter().enumerate().map(|(at, branch)| {
            let name = label(&told, at, branch).unwrap_or_default();
            let name = shorten(&name, 80);
            Json::Array(vec![Json::from(&*name), self.kind(branch, depth + 1)])
        });
        kind("union", [("a", Json::Array(alternatives.collect()))])
    }

    /// Returns the kind of an `allOf`: one object with the members of all branches, or one scalar with
    /// the constraints of all.
    fn all(&mut self, schema: &Json, branches: &[Json], depth: usize) -> Json {
        let is_object = |branch: &Json| {
            matches!(
                shape(resolve(self.shared, branch)).shape,
                Shape::Object | Shape::All(_)
            )
        };
        if branches.iter().all(is_object) {
            return self.object(schema, depth);
        }
        let mut merged = Object::new();
        for branch in branches {
            let members = resolve(self.shared, branch).as_object();
            merged.extend(
                members
                    .into_iter()
                    .flatten()
                    .map(|(name, it)| (name.clone(), it.clone())),
            );
        }
        match &shape(&Json::Object(merged.clone())).shape {
            Shape::Scalar(name) => scalar(name, &Json::Object(merged.clone())),
            _ => kind("any", []),
        }
    }
}

/// Returns an enumeration of these values, or any JSON if one of them is too long to choose from.
fn choice(values: &[schema::Value<'_>]) -> Json {
    let texts: Vec<_> = values.iter().map(|it| compact(it.value)).collect();
    if texts.iter().any(|text| text.len() > LONGEST_VALUE) {
        return kind("any", []);
    }
    let texts = texts.into_iter().map(Json::from).collect();
    kind("enum", [("v", Json::Array(texts))])
}

/// Returns a value as JSON text, so that the script reads it without rounding a number.
pub(crate) fn printed(value: &Json) -> Json {
    Json::from(compact(value))
}

fn integer(number: usize) -> Json {
    Json::from(i64::try_from(number).unwrap_or(i64::MAX))
}

fn list<'j>(schema: &'j Json, member: &str) -> impl Iterator<Item = &'j Json> {
    schema
        .get(member)
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
}

fn kind<'m>(name: &str, members: impl IntoIterator<Item = (&'m str, Json)>) -> Json {
    let mut object = Object::from([("t".to_owned(), Json::from(name))]);
    object.extend(
        members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value)),
    );
    Json::Object(object)
}

/// Returns the only branch besides null in which a scalar is wrapped, or the schema itself.
fn alone(schema: &Json) -> &Json {
    let branches = ["oneOf", "anyOf", "allOf"];
    let branch = branches.iter().find_map(|word| {
        let mut others = list(schema, word).filter(|it| text_of(it, "type") != Some("null"));
        Some((others.next()?, others.next())).filter(|(_, more)| more.is_none())
    });
    match branch {
        Some((only, _)) if schema.get("type").is_none() => alone(only),
        _ => schema,
    }
}

/// Returns the members of a schema that are numbers, as they are written, under other names.
fn numbers<'m>(schema: &Json, names: &[(&'m str, &str)]) -> Vec<(&'m str, Json)> {
    let number = |member: &str| match schema.get(member)? {
        Json::Number(text) if text.len() < 60 => Some(Json::from(&**text)),
        _ => None,
    };
    (names.iter())
        .filter_map(|(name, member)| Some((*name, number(member)?)))
        .collect()
}

fn scalar(name: &str, schema: &Json) -> Json {
    match name {
        "boolean" => kind(
            "enum",
            [("v", vec![Json::from("true"), "false".into()].into())],
        ),
        "null" => kind("enum", [("v", vec![Json::from("null")].into())]),
        "string" => {
            let mut members = numbers(schema, &[("least", "minLength"), ("most", "maxLength")]);
            if let Some(format) = text_of(schema, "format").filter(|it| it.len() <= LONGEST_NAME) {
                members.push(("f", Json::from(format)));
            }
            if let Some(pattern) = text_of(schema, "pattern").filter(|it| pattern::is_safe(it)) {
                members.push(("p", Json::from(pattern)));
            }
            kind("string", members)
        }
        "integer" | "number" => {
            let mut names = vec![("by", "multipleOf")];
            if !matches!(width(schema), Some("float" | "double")) {
                // Draft 4 wrote exclusive bounds as Booleans beside the bound.
                let excludes = |it: &str| schema.get(it).and_then(Json::as_bool) == Some(true);
                let (above, below) = (excludes("exclusiveMinimum"), excludes("exclusiveMaximum"));
                names.push((if above { "above" } else { "min" }, "minimum"));
                names.push((if below { "below" } else { "max" }, "maximum"));
                names.extend([("above", "exclusiveMinimum"), ("below", "exclusiveMaximum")]);
            }
            kind(name, numbers(schema, &names))
        }
        _ => kind("any", []),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(schema: &str) -> String {
        let schema: Json = schema.parse().expect("JSON");
        let shared = Shared::new();
        let mut kinds = Kinds::new(&shared);
        compact(&kinds.kind(&schema, 0))
    }

    #[test]
    fn each_schema_is_an_input_with_what_it_asks() {
        for (schema, kind) in [
            (
                r#"{"type": ["string", "null"], "maxLength": 3}"#,
                r#"{"t": "string", "most": "3", "n": 1}"#,
            ),
            (
                r#"{"type": "integer", "minimum": 0, "maximum": 18446744073709551615}"#,
                r#"{"t": "integer", "min": "0", "max": "18446744073709551615"}"#,
            ),
            (
                r#"{"type": "number", "minimum": 0, "exclusiveMinimum": true}"#,
                r#"{"t": "number", "above": "0"}"#,
            ),
            (
                r#"{"type": "boolean"}"#,
                r#"{"t": "enum", "v": ["true", "false"]}"#,
            ),
            (
                r#"{"enum": [1e400, "a", null]}"#,
                r#"{"t": "enum", "v": ["1e400", "\"a\""], "n": 1}"#,
            ),
            (
                r#"{"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}"#,
                r#"{"t": "string", "f": "date", "n": 1}"#,
            ),
            (
                r#"{"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {}}, "required": ["a"]}]}"#,
                r#"{"t": "object", "f": [["a", {"t": "string"}, 1], ["b", {"t": "any"}, 0]]}"#,
            ),
            (
                r#"{"type": "object", "additionalProperties": false}"#,
                r#"{"t": "object", "f": [], "c": 1}"#,
            ),
        ] {
            assert_eq!(kind_of(schema), kind, "{schema}");
        }
    }

    #[test]
    fn a_type_that_holds_itself_is_one_kind() {
        let tree = r##"{"properties": {"next": {"$ref": "#/components/schemas/Tree"}}}"##;
        let tree: Json = tree.parse().expect("JSON");
        let shared = Shared::from([("Tree".to_owned(), tree.clone())]);
        let mut kinds = Kinds::new(&shared);
        let kind = kinds.kind(&tree, 0);
        assert_eq!(kind.get("t").and_then(Json::as_str), Some("object"));
        assert_eq!(kinds.types().as_array().map(<[Json]>::len), Some(1));
    }

    #[test]
    fn a_wide_schema_ends() {
        let members: Vec<String> = (0..5000)
            .map(|at| format!(r#""m{at}": {{"type": "string"}}"#))
            .collect();
        let wide = format!(r#"{{"properties": {{{}}}}}"#, members.join(", "));
        assert!(kind_of(&wide).len() < 20_000);
        let deep = format!("{}{{}}{}", r#"{"items": "#.repeat(500), "}".repeat(500));
        assert!(kind_of(&deep).len() < 5_000);
    }
}
