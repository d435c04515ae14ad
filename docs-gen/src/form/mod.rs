//! The data from which a page's script makes a form of a procedure's parameters: each schema as one of
//! a few kinds of input, with the constraints that can be checked during typing.
//!
//! The names are short because they are in every page: `t` is the kind, `n` means that null is
//! allowed, `r` is a shared kind by its number in `types`.

mod pattern;

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::{Kinds, Label, ListedValue, Property, Span, Union, View};
use indexmap::IndexMap;

use crate::json_text::compact;
use crate::schema::{described_kind, label};

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
pub(crate) struct FormKinds<'t> {
    /// The shared types so far, by name, with their places among the shared kinds.
    numbers: IndexMap<&'t str, usize>,
    types: Vec<Json>,
    left: usize,
}

impl<'t> FormKinds<'t> {
    pub(crate) fn new() -> Self {
        Self {
            numbers: IndexMap::new(),
            types: Vec::new(),
            left: MOST,
        }
    }

    /// Returns the shared kinds that the others refer to by number.
    pub(crate) fn types(self) -> Json {
        Json::Array(self.types)
    }

    /// Returns the kind of a value.
    pub(crate) fn kind(&mut self, view: &'t View<'t>, depth: usize) -> Json {
        if self.left == 0 || depth > DEEPEST {
            return kind("any", []);
        }
        self.left -= 1;
        let mut kind = match view.own_name() {
            Some(name) => self.reference(name, view, depth),
            None => self.unnamed(view, depth),
        };
        if view.takes_null == Some(true)
            && view.kinds != Kinds::NONE
            && view.kinds != Kinds::ALL.without(Kinds::NULL)
            && let Some(members) = kind.as_object_mut()
        {
            members.insert("n".to_owned(), Json::from(1));
        }
        kind
    }

    fn reference(&mut self, name: &'t str, view: &'t View<'t>, depth: usize) -> Json {
        let known = self.numbers.get(name).copied();
        let number = known.unwrap_or(self.types.len());
        if known.is_none() {
            self.numbers.insert(name, number);
            self.types.push(Json::Null);
            self.types[number] = self.unnamed(view, depth + 1);
        }
        let number = Json::Number(number.to_string().into());
        Json::Object(Object::from([("r", number)]))
    }

    fn unnamed(&mut self, view: &'t View<'t>, depth: usize) -> Json {
        if !view.is_complete() {
            return kind("any", []);
        }
        if let Some(values) = &view.listed {
            return choice(values);
        }
        match view.unions.first() {
            Some(union) if union.alternatives.len() <= MOST_BRANCHES => {
                self.union(view, union, depth)
            }
            Some(_) => kind("any", []),
            None => self.by_kinds(view, depth),
        }
    }

    /// Returns the alternatives of a value, each with all that is said of the value.
    fn union(&mut self, view: &'t View<'t>, union: &Union<'t>, depth: usize) -> Json {
        let places = union.alternatives.iter().enumerate();
        let choices: Vec<_> = places
            .map(|(place, alternative)| (place, view.choose(alternative)))
            // Others may accept all that it accepts, so that exactly one never does.
            .filter(|(_, choice)| choice.kinds != Kinds::NONE)
            .collect();
        if let [(_, only)] = choices[..] {
            return self.unnamed(only, depth);
        }
        let alternatives = choices.into_iter().map(|(place, choice)| {
            let name = label(union, place).map_or_else(String::new, short_label);
            let kind = self.kind(choice, depth + 1);
            Json::Array(vec![Json::from(&*shorten(&name, 80)), kind])
        });
        kind("union", [("a", alternatives.collect())])
    }

    fn by_kinds(&mut self, view: &'t View<'t>, depth: usize) -> Json {
        let kinds: Vec<&str> = if view.kinds == Kinds::ALL.without(Kinds::NULL) {
            described_kind(view).into_iter().collect()
        } else {
            view.kinds.words().collect()
        };
        match kinds[..] {
            [] if view.is_only_null() => words(&["null"]),
            [] => kind("any", []),
            [only] => self.of_kind(view, only, depth),
            _ => {
                let alternatives = kinds.into_iter().map(|name| {
                    let of_one = self.of_kind(view, name, depth);
                    Json::Array(vec![Json::from(name), of_one])
                });
                kind("union", [("a", alternatives.collect())])
            }
        }
    }

    fn of_kind(&mut self, view: &'t View<'t>, name: &str, depth: usize) -> Json {
        match name {
            "array" => self.array(view, depth),
            "object" => self.object(view, depth),
            "boolean" => words(&["true", "false"]),
            "string" => string(view),
            "integer" | "number" => number_kind(view, name),
            _ => kind("any", []),
        }
    }

    fn array(&mut self, view: &'t View<'t>, depth: usize) -> Json {
        let elements = view.elements();
        let mut members = count(elements.length);
        members.extend(elements.are_unique.then(|| ("u", Json::from(1))));
        let is_list = elements.places.is_empty();
        if !is_list {
            let places = elements
                .places
                .iter()
                .map(|nodes| self.kind(view.views.view(nodes), depth + 1));
            members.push(("p", places.collect()));
        }
        if !(elements.is_closed() || is_list && elements.rest.is_empty()) {
            members.push(("i", self.kind(view.views.view(&elements.rest), depth + 1)));
        }
        kind("array", members)
    }

    fn object(&mut self, view: &'t View<'t>, depth: usize) -> Json {
        let mut properties = view.properties();
        for name in view.conditional_names() {
            properties.entry(name).or_default();
        }
        properties.retain(|name, property| name.len() <= LONGEST_NAME && is_sent(view, property));
        let fields = properties
            .iter()
            .take(self.left.min(100) + 1)
            .map(|(name, property)| {
                Json::Array(vec![
                    Json::from(*name),
                    self.kind(view.views.view(&property.nodes()), depth + 1),
                    Json::from(i64::from(property.is_required)),
                ])
            });
        let mut members = vec![("f", fields.collect())];
        let others = view.other_properties();
        let nodes = match &others.patterns[..] {
            [] if others.are_refused || others.nodes.is_empty() => None,
            [] => Some(others.nodes),
            [(_, only)] if others.are_refused => Some(vec![*only]),
            // What a value may be depends on its name.
            _ => Some(Vec::new()),
        };
        if let Some(nodes) = nodes {
            members.push(("o", self.kind(view.views.view(&nodes), depth + 1)));
        } else if others.are_refused {
            members.push(("c", Json::from(1)));
        }
        kind("object", members)
    }
}

/// Returns whether callers send a member. Only the service sends members that are for reading.
fn is_sent<'t>(view: &View<'t>, property: &Property<'t>) -> bool {
    let is_refused = property.is_refused && !property.is_required;
    let is_read = || view.views.view(&property.nodes()).is_read_only();
    !is_refused && (property.is_required || !is_read())
}

fn short_label(label: Label<'_>) -> String {
    match label {
        Label::Named(name) => name.to_owned(),
        Label::Values(values) => values.into_iter().map(compact).collect(),
        Label::With(names) => names.join(", "),
        Label::Without(_) => String::new(),
    }
}

fn string(view: &View<'_>) -> Json {
    let mut members = count(view.length());
    let patterns = view.patterns().into_iter();
    let pattern = { patterns }.find(|pattern| pattern::is_safe(pattern));
    members.extend(pattern.map(|pattern| ("p", Json::from(pattern))));
    let format = view
        .formats()
        .first()
        .copied()
        .filter(|format| format.len() <= LONGEST_NAME);
    members.extend(format.map(|format| ("f", Json::from(format))));
    kind("string", members)
}

fn number_kind(view: &View<'_>, name: &str) -> Json {
    let mut bounds = view.numbers();
    if matches!(view.width(), Some("float" | "double")) {
        // All numbers that the service can hold are within them.
        bounds.least = None;
        bounds.most = None;
    }
    let mut members = Vec::new();
    if let Some(least) = bounds.least {
        let key = if least.is_exclusive { "above" } else { "min" };
        members.extend(number(key, least.number));
    }
    if let Some(most) = bounds.most {
        let key = if most.is_exclusive { "below" } else { "max" };
        members.extend(number(key, most.number));
    }
    members.extend(bounds.steps.first().and_then(|step| number("by", step)));
    kind(name, members)
}

fn count(span: Span) -> Vec<(&'static str, Json)> {
    let least = span.least.filter(|least| *least > 0);
    [("least", least), ("most", span.most)]
        .into_iter()
        .filter_map(|(key, bound)| Some((key, bound?)))
        .map(|(key, bound)| (key, Json::from(bound.to_string())))
        .collect()
}

fn words(words: &[&str]) -> Json {
    kind("enum", [("v", words.iter().copied().collect())])
}

/// Returns an enumeration of these values, or any JSON if one is too long to choose from, or if there are too many.
fn choice(values: &[ListedValue<'_>]) -> Json {
    let texts: Vec<_> = values.iter().map(|listed| compact(listed.value)).collect();
    if texts.len() > MOST_VALUES || texts.iter().any(|text| text.len() > LONGEST_VALUE) {
        return kind("any", []);
    }
    kind("enum", [("v", texts.into_iter().collect())])
}

/// Returns a member with a number as it is written, if it is not too long.
fn number<'m>(name: &'m str, number: &str) -> Option<(&'m str, Json)> {
    (number.len() < 60).then(|| (name, Json::from(number)))
}

fn kind<'m>(name: &str, members: impl IntoIterator<Item = (&'m str, Json)>) -> Json {
    let mut kind = Object::from([("t", Json::from(name))]);
    kind.extend(members);
    Json::Object(kind)
}

#[cfg(test)]
mod tests {
    use docent_describe::schema::{SchemaContext, SchemaViews};

    use super::*;

    fn views(components: &IndexMap<String, Json>) -> SchemaViews<'_> {
        SchemaViews::new(SchemaContext {
            components,
            enforced_formats: Some(&[]),
        })
    }

    fn kind_of(schema: &str) -> String {
        let schema: Json = schema.parse().expect("JSON");
        let components = IndexMap::new();
        let views = views(&components);
        let mut kinds = FormKinds::new();
        compact(&kinds.kind(views.of(&schema), 0))
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
            (
                r#"{"type": "object", "properties": {"a": {"type": "string"}}, "dependentRequired": {"a": ["z"]},
                    "if": {"properties": {"a": {"const": "1"}}}, "then": {"properties": {"b": {"type": "integer"}}}}"#,
                r#"{"t": "object", "f": [["a", {"t": "string"}, 0], ["b", {"t": "any"}, 0], ["z", {"t": "any"}, 0]]}"#,
            ),
            (
                r#"{"type": "object", "patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": false}"#,
                r#"{"t": "object", "f": [], "o": {"t": "integer"}}"#,
            ),
            (
                r#"{"type": "object", "patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": {"type": "string"}}"#,
                r#"{"t": "object", "f": [], "o": {"t": "any"}}"#,
            ),
            (
                r#"{"type": "object", "allOf": [{"unevaluatedProperties": false}, {"patternProperties": {"^n": {}}}]}"#,
                r#"{"t": "object", "f": [], "c": 1}"#,
            ),
            // A value that two alternatives of `oneOf` accept is not offered.
            (
                r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#,
                r#"{"t": "number"}"#,
            ),
            (
                r#"{"oneOf": [{"type": "string"}, {"const": "a"}]}"#,
                r#"{"t": "string"}"#,
            ),
            (
                r#"{"oneOf": [{"type": "string"}, {"enum": ["a", 1, null]}, {"type": "boolean"}]}"#,
                r#"{"t": "union", "a": [["", {"t": "string", "n": 1}], ["", {"t": "enum", "v": ["1"], "n": 1}], ["", {"t": "enum", "v": ["true", "false"], "n": 1}]], "n": 1}"#,
            ),
        ] {
            assert_eq!(kind_of(schema), kind, "{schema}");
        }
    }

    #[test]
    fn a_type_that_holds_itself_is_one_kind() {
        let tree = r##"{"properties": {"next": {"$ref": "#/components/schemas/Tree"}}}"##;
        let tree: Json = tree.parse().expect("JSON");
        let components = IndexMap::from([("Tree".to_owned(), tree.clone())]);
        let views = views(&components);
        let mut kinds = FormKinds::new();
        let kind = kinds.kind(views.of(&tree), 0);
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
