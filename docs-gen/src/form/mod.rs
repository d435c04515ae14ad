//! The data from which a page's script makes a form of a procedure's parameters: each schema as one of
//! a few kinds of input, with the constraints that can be checked during typing.
//!
//! The names are short because they are in every page: `t` is the kind, `n` means that null is
//! allowed, `r` is a shared kind by its number in `types`.

mod pattern;

use docent_describe::json::{Json, Object, shorten};
use indexmap::IndexMap;

use crate::json_text::compact;
use crate::schema::{
    AllowedValue, Constraint, Layers, ObjectProperty, Outline, SchemaShape, SchemaUnion,
    SharedSchemas, stated_outline, text_of,
};

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

/// The most alternatives to choose from. A value with more is typed as JSON.
const MOST_BRANCHES: usize = 100;

/// Collects the kinds of one procedure's parameters.
pub(crate) struct FormKinds<'j> {
    shared: &'j SharedSchemas<'j>,
    numbers: IndexMap<String, usize>,
    types: Vec<Json>,
    left: usize,
}

impl<'j> FormKinds<'j> {
    pub(crate) fn new(shared: &'j SharedSchemas<'j>) -> Self {
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

    /// Returns the kind of a value that these schemas apply to.
    pub(crate) fn kind(&mut self, schemas: &[&'j Json], depth: usize) -> Json {
        if self.left == 0 || depth > DEEPEST {
            return kind("any", []);
        }
        self.left -= 1;
        let (Outline { shape, nullable }, _) = Layers::of(self.shared, schemas).outline();
        let mut kind = self.of_shape(&shape, schemas, depth);
        if nullable && let Some(members) = kind.as_object_mut() {
            members.insert("n".to_owned(), Json::from(1));
        }
        kind
    }

    fn of_shape(&mut self, shape: &SchemaShape<'j>, schemas: &[&'j Json], depth: usize) -> Json {
        match shape {
            SchemaShape::Ref(name) => self.reference(name, depth),
            SchemaShape::Scalar(name) => self.of_type(name, schemas, depth),
            SchemaShape::Kinds(names) => {
                let branches = names.iter().map(|name| {
                    let of_one = self.of_type(name, schemas, depth);
                    Json::Array(vec![Json::from(*name), of_one])
                });
                kind("union", [("a", Json::Array(branches.collect()))])
            }
            SchemaShape::Enum(values) if values.len() <= MOST_VALUES => choice(values),
            SchemaShape::Array(_) | SchemaShape::Tuple(..) => self.array(schemas, depth),
            SchemaShape::Map(_) | SchemaShape::Object => self.object(schemas, depth),
            SchemaShape::Alternatives(_) => self.union(schemas, depth),
            SchemaShape::All(_) => self.all(schemas, depth),
            SchemaShape::Any | SchemaShape::Never | SchemaShape::Lost(_) | SchemaShape::Enum(_) => {
                kind("any", [])
            }
        }
    }

    fn of_type(&mut self, name: &str, schemas: &[&'j Json], depth: usize) -> Json {
        let words = |words: &[&str]| {
            let words = words.iter().map(|word| Json::from(*word));
            kind("enum", [("v", Json::Array(words.collect()))])
        };
        match name {
            "array" => self.array(schemas, depth),
            "object" => self.object(schemas, depth),
            "boolean" => words(&["true", "false"]),
            "null" => words(&["null"]),
            "string" | "integer" | "number" => self.scalar(name, schemas),
            _ => kind("any", []),
        }
    }

    fn scalar(&self, name: &str, schemas: &[&'j Json]) -> Json {
        let layers = Layers::all(self.shared, schemas);
        let mut members = constraints(name, &layers);
        let mut formats = layers.schemas.iter();
        let format = formats.find_map(|layer| text_of(layer, "format"));
        let format = format.filter(|format| name == "string" && format.len() <= LONGEST_NAME);
        members.extend(format.map(|format| ("f", Json::from(format))));
        kind(name, members)
    }

    fn reference(&mut self, name: &str, depth: usize) -> Json {
        let number = |at: usize| {
            let number = Json::Number(at.to_string().into());
            Json::Object(Object::from([("r", number)]))
        };
        if let Some(&known) = self.numbers.get(name) {
            return number(known);
        }
        let Some(target) = self.shared.by_name.get(name) else {
            return kind("any", []);
        };
        let own = self.types.len();
        self.numbers.insert(name.to_owned(), own);
        self.types.push(Json::Null);
        self.types[own] = self.kind(&[target], depth + 1);
        number(own)
    }

    fn array(&mut self, schemas: &[&'j Json], depth: usize) -> Json {
        let layers = Layers::all(self.shared, schemas);
        let mut members = constraints("array", &layers);
        match layers.elements() {
            Some(SchemaShape::Array(Some(items))) => {
                members.push(("i", self.kind(&[items], depth + 1)));
            }
            Some(SchemaShape::Tuple(places, rest)) => {
                let places = places.iter().map(|place| self.kind(&[place], depth + 1));
                members.push(("p", Json::Array(places.collect())));
                members.extend(rest.map(|rest| ("i", self.kind(&[rest], depth + 1))));
            }
            _ => {}
        }
        kind("array", members)
    }

    fn object(&mut self, schemas: &[&'j Json], depth: usize) -> Json {
        let layers = Layers::all(self.shared, schemas);
        let unions = layers.unions();
        let union = unions.iter().find(|it| it.branches.len() < MOST_BRANCHES);
        let Some(union) = union else {
            return self.members(&layers, depth);
        };
        self.choices(union, |kinds, branch| {
            let both = [schemas, &[branch]].concat();
            kinds.members(&Layers::all(kinds.shared, &both), depth + 1)
        })
    }

    fn union(&mut self, schemas: &[&'j Json], depth: usize) -> Json {
        match Layers::all(self.shared, schemas).unions().first() {
            Some(union) if union.branches.len() <= MOST_BRANCHES => {
                self.choices(union, |kinds, branch| kinds.kind(&[branch], depth + 1))
            }
            _ => kind("any", []),
        }
    }

    /// Returns the alternatives of a union, each of the kind that `of_branch` makes.
    fn choices(
        &mut self,
        union: &SchemaUnion<'j>,
        of_branch: impl Fn(&mut Self, &'j Json) -> Json,
    ) -> Json {
        let branches = union.branches.iter().enumerate();
        let branches = branches.map(|(at, branch)| {
            let name = union.label(at).unwrap_or_default();
            let name = Json::from(&*shorten(&name, 80));
            Json::Array(vec![name, of_branch(self, branch)])
        });
        kind("union", [("a", Json::Array(branches.collect()))])
    }

    /// Returns the kind of several schemas at once: an object with the members of all, or else the
    /// most specific of them.
    fn all(&mut self, schemas: &[&'j Json], depth: usize) -> Json {
        let layers = Layers::all(self.shared, schemas);
        let own = layers.schemas.iter();
        let own: Vec<_> = own.map(|layer| stated_outline(layer).shape).collect();
        let is_object = |it| matches!(it, &SchemaShape::Object | &SchemaShape::Map(_));
        match own.iter().min_by_key(|it| it.vagueness()) {
            _ if own.iter().any(is_object) => self.object(schemas, depth),
            None | Some(SchemaShape::Any) => self.union(schemas, depth),
            Some(narrowest) => self.of_shape(narrowest, schemas, depth),
        }
    }

    fn members(&mut self, layers: &Layers<'j>, depth: usize) -> Json {
        // Only the service sends members that are for reading.
        let is_sent = |shared, property: &ObjectProperty<'j>| {
            property.required || !Layers::of(shared, &property.schemas).is("readOnly")
        };
        let most = self.left.min(100) + 1;
        let fields = layers.properties(&[]).into_iter();
        let fields =
            fields.filter(|(name, it)| name.len() <= LONGEST_NAME && is_sent(self.shared, it));
        let fields: Vec<_> = fields.take(most).collect();
        let fields = fields.into_iter().map(|(name, property)| {
            let kind = self.kind(&property.schemas, depth + 1);
            let required = i64::from(property.required);
            Json::Array(vec![Json::from(name), kind, Json::from(required)])
        });
        let mut all = vec![("f", Json::Array(fields.collect()))];
        let mut constraints = layers.constraints();
        if constraints.any(|it| it == Constraint::Flag("closed")) {
            all.push(("c", Json::from(1)));
        } else if let Some(others) = layers.others().next() {
            all.push(("o", self.kind(&[others], depth + 1)));
        }
        kind("object", all)
    }
}

/// Returns the constraints of a kind that are checked during typing.
fn constraints<'j>(kind: &str, layers: &Layers<'j>) -> Vec<(&'j str, Json)> {
    let counted = match kind {
        "string" => "length",
        "array" => "items",
        _ => "",
    };
    let mut members = Vec::new();
    for constraint in layers.constraints() {
        match (kind, constraint) {
            ("integer" | "number", Constraint::Number(key, bound)) => {
                members.extend(number(key, Some(bound)));
            }
            (_, Constraint::Count { unit, least, most }) if unit == counted => {
                members.extend(number("least", least));
                members.extend(number("most", most));
            }
            ("string", Constraint::Pattern(text)) if pattern::is_safe(text) => {
                members.push(("p", Json::from(text)));
            }
            ("array", Constraint::Flag("unique")) => members.push(("u", Json::from(1))),
            _ => {}
        }
    }
    members
}

/// Returns an enumeration of these values, or any JSON if one of them is too long to choose from.
fn choice(values: &[AllowedValue<'_>]) -> Json {
    let texts: Vec<_> = values.iter().map(|it| compact(it.value)).collect();
    if texts.iter().any(|text| text.len() > LONGEST_VALUE) {
        return kind("any", []);
    }
    let texts = texts.into_iter().map(Json::from).collect();
    kind("enum", [("v", Json::Array(texts))])
}

/// Returns a member with a number as it is written, if it is not too long.
fn number<'m>(name: &'m str, number: Option<&str>) -> Option<(&'m str, Json)> {
    let number = number.filter(|number| number.len() < 60)?;
    Some((name, Json::from(number)))
}

fn kind<'m>(name: &str, members: impl IntoIterator<Item = (&'m str, Json)>) -> Json {
    let mut kind = Object::from([("t", Json::from(name))]);
    kind.extend(members);
    Json::Object(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(schema: &str) -> String {
        let schema: Json = schema.parse().expect("JSON");
        let shared = IndexMap::new();
        let shared = SharedSchemas::new(&shared, 1);
        let mut kinds = FormKinds::new(&shared);
        compact(&kinds.kind(&[&schema], 0))
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
                r#"{"type": "number", "exclusiveMinimum": 0}"#,
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
        let shared = IndexMap::from([("Tree".to_owned(), tree.clone())]);
        let shared = SharedSchemas::new(&shared, 1);
        let mut kinds = FormKinds::new(&shared);
        let kind = kinds.kind(&[&tree], 0);
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
