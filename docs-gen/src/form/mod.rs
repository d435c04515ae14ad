//! The data from which a page's script makes a form of a procedure's parameters: each schema as one of a few kinds of
//! input, with the constraints that can be checked during typing.
//!
//! The view of a schema comes in from `view/calls.rs`, and JSON for `assets/form-panel.js`, `form-check.js` and others
//! goes out. The schema
//!
//! ```json
//! {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "minimum": 1},
//!     "tags": {"type": "array", "items": {"$ref": "#/components/schemas/Tag"}}}}
//! ```
//!
//! becomes this, with the kind of `Tag` as the first of the shared kinds, `types`:
//!
//! ```json
//! {"t": "object", "f": [["id", {"t": "integer", "min": "1"}, 1],
//!     ["tags", {"t": "array", "i": {"r": 0}}, 0]]}
//! ```
//!
//! The [outline](View::outline) of the view chooses the kind, which says no more than a form can ask for. A value that
//! is too deep, too long or too intricate is `any`, which is typed as JSON, and a kind with `x` is not checked in full:
//! the service alone decides what it accepts. A pattern is handed over only if a browser reads it in the same way and in
//! little time ([`pattern`]).
//!
//! The schema itself would take a whole implementation of JSON Schema on every page. [`FormKinds`] lists the members
//! of a kind.

mod pattern;

use docent_describe::json::{Json, Object, shorten};
use docent_describe::schema::{
    Format, Kinds, Label, ListedValue, Outline, Property, Side, Span, Union, View,
};
use indexmap::IndexMap;

use crate::json_text::compact;
use crate::schema::{described_kind, label};

/// The approximate maximum number of kinds in a form. Values beyond them are typed as JSON.
const MAX_KINDS: usize = 260;

/// The maximum depth of kinds. Values below it are typed as JSON.
const MAX_DEPTH: usize = 24;

/// The maximum number of values to choose from. More are suggestions for a text that is typed.
const MAX_VALUES: usize = 300;

/// The approximate maximum number of bytes of the values that are suggested. Others can be typed.
const MAX_SUGGESTED_BYTES: usize = 40_000;

/// The maximum length of a value of an enumeration. One with a longer value is typed as JSON.
const MAX_VALUE_LENGTH: usize = 400;

/// The maximum length of the name of a member or a format. The form ignores longer ones.
const MAX_NAME_LENGTH: usize = 200;

/// The number that an input starts with if it refuses all integers.
const FRACTION_START: &str = "0.5";

/// The maximum number of alternatives to choose from. A value with more is typed as JSON.
const MAX_ALTERNATIVES: usize = 100;

/// Collects the kinds of one procedure's parameters.
///
/// A kind is an object with these members, whose names are short because they are in every page:
///
/// | member | meaning |
/// |---|---|
/// | `t` | the kind: `object`, `array`, `string`, `integer`, `number`, `enum`, `union`, or `any` for what is typed as JSON |
/// | `r` | instead of `t`: a shared kind by its number in `types` |
/// | `n` | 1 if null is accepted |
/// | `e` | 1 if values of every other kind are accepted |
/// | `s` | 1 if the value is a secret, which a page does not keep for a reload |
/// | `x` | 1 if the form does not check all that the schema says |
/// | `f` | of an object: its members, each with its name, its kind, and 1 if it is required; of a string: its format |
/// | `o`, `c` | the kind of other members; 1 if there are none |
/// | `p` | of a list: the kinds of its first elements; of a string: its pattern |
/// | `i`, `u` | the kind of the other elements; 1 if elements differ from each other |
/// | `b` | of a string: 1 if it is bytes, which can come from a file |
/// | `v`, `g` | the values of an enumeration, as JSON text; 1 if there are so many that they are suggestions |
/// | `a` | the alternatives of a union, each with its label and its kind |
/// | `least`, `most` | the limits on the length of a string or list |
/// | `min`, `max`, `above`, `below`, `by` | the bounds of a number, inclusive and exclusive, and its divisor |
/// | `begin` | the number that the input starts with |
pub(crate) struct FormKinds<'t> {
    /// The kinds of the shared types so far, by name. A kind is null while it is being made.
    types: IndexMap<&'t str, Json>,
    /// The number of kinds that still may be added.
    left: usize,
}

impl<'t> FormKinds<'t> {
    /// Begins without kinds.
    pub(crate) fn new() -> Self {
        Self {
            types: IndexMap::new(),
            left: MAX_KINDS,
        }
    }

    /// Returns the shared kinds, to which the others refer by their index.
    pub(crate) fn types(self) -> Json {
        Json::Array(self.types.into_values().collect())
    }

    /// Returns the kind of a value.
    pub(crate) fn kind(&mut self, view: &'t View<'t>, depth: usize) -> Object {
        if self.left == 0 || depth > MAX_DEPTH {
            return marked(kind("any"), view);
        }
        self.left -= 1;
        let kind = match view.own_name() {
            Some(name) => self.reference(name, view, depth),
            None => self.unnamed(view, depth),
        };
        let has_null = view.takes_null == Some(true)
            && view.kinds != Kinds::NONE
            && view.kinds != Kinds::ALL.without(Kinds::NULL);
        kind.maybe("n", has_null.then_some(1))
            .maybe("s", is_secret(view).then_some(1))
    }

    /// Returns a reference to the kind of a shared type, which is made at the first reference.
    fn reference(&mut self, name: &'t str, view: &'t View<'t>, depth: usize) -> Object {
        let index = if let Some(index) = self.types.get_index_of(name) {
            index
        } else {
            // Reserved before the kind is made, so that a type that contains itself refers to it.
            let (index, _) = self.types.insert_full(name, Json::Null);
            self.types[index] = self.unnamed(view, depth + 1).into();
            index
        };
        Object::new().with("r", Json::Number(index.to_string().into()))
    }

    /// Returns the kind of a value that is no shared type.
    fn unnamed(&mut self, view: &'t View<'t>, depth: usize) -> Object {
        marked(self.by_values(view, depth), view)
    }

    /// Returns the kind of a value by its list of values, by its alternatives, or by its kinds of JSON.
    fn by_values(&mut self, view: &'t View<'t>, depth: usize) -> Object {
        match view.outline() {
            Outline::Null => enumeration(&["null"]),
            Outline::Listed(values) => listed_values(values),
            Outline::Alternatives([union, ..]) if union.alternatives.len() <= MAX_ALTERNATIVES => {
                self.union(view, union, depth)
            }
            Outline::Unknown | Outline::Nothing | Outline::Alternatives(_) => kind("any"),
            Outline::Object => self.object(view, depth),
            Outline::Array => self.array(view, depth),
            Outline::Scalar(kinds) | Outline::Mixed(kinds) => self.by_kinds(view, kinds, depth),
        }
    }

    /// Returns the kind of a value with alternatives, each with all that is said of the value.
    fn union(&mut self, view: &'t View<'t>, union: &Union<'t>, depth: usize) -> Object {
        let mut choices = Vec::new();
        for (index, alternative) in union.alternatives.iter().enumerate() {
            let choice = view.choose(alternative);
            // Others may accept all that it accepts, so that exactly one never does.
            if choice.kinds != Kinds::NONE {
                choices.push((index, choice));
            }
        }
        match choices[..] {
            [] => return kind("any"),
            [(_, only)] => return self.unnamed(only, depth),
            _ => {}
        }
        let mut alternatives = Vec::new();
        for (index, choice) in choices {
            let name = label(union, index).map_or_else(String::new, short_label);
            let mut kind = self.kind(choice, depth + 1);
            // Null is a switch of the union, not of an alternative.
            kind.shift_remove("n");
            alternatives.push(Json::Array(vec![
                Json::from(&*shorten(&name, 80)),
                kind.into(),
            ]));
        }
        kind("union").with("a", alternatives)
    }

    /// Returns the kind of a value by the kinds of JSON that it can be, each as an alternative.
    fn by_kinds(&mut self, view: &'t View<'t>, kinds: Kinds, depth: usize) -> Object {
        let kinds: Vec<&str> = if kinds == Kinds::ALL.without(Kinds::NULL) {
            described_kind(view).into_iter().collect()
        } else {
            kinds.type_names().collect()
        };
        match kinds[..] {
            [] => kind("any"),
            [only] => self.of_kind(view, only, depth),
            _ => {
                let mut alternatives = Vec::new();
                for name in kinds {
                    let kind = self.of_kind(view, name, depth);
                    alternatives.push(Json::Array(vec![Json::from(name), kind.into()]));
                }
                kind("union").with("a", alternatives)
            }
        }
    }

    /// Returns the kind of a value that is of this kind of JSON.
    fn of_kind(&mut self, view: &'t View<'t>, name: &str, depth: usize) -> Object {
        match name {
            "array" => self.array(view, depth),
            "object" => self.object(view, depth),
            "boolean" => enumeration(&["true", "false"]),
            "string" => string(view),
            "integer" | "number" => number_kind(view, name),
            _ => kind("any"),
        }
    }

    /// Returns the kind of an array: its length, its first elements by position, and all others.
    fn array(&mut self, view: &'t View<'t>, depth: usize) -> Object {
        let elements = view.elements();
        let mut kind = counted("array", elements.length);
        kind = kind.maybe("u", elements.are_unique.then_some(1));
        let is_tuple = !elements.prefix.is_empty();
        if is_tuple {
            let mut positions = Vec::new();
            for nodes in &elements.prefix {
                positions.push(Json::from(self.kind(view.views.view(nodes), depth + 1)));
            }
            kind = kind.with("p", positions);
        }
        let has_rest = is_tuple || !elements.rest.is_empty();
        if has_rest && !elements.is_closed() {
            kind = kind.with("i", self.kind(view.views.view(&elements.rest), depth + 1));
        }
        kind
    }

    /// Returns the kind of an object: its members with their kinds, and that of all others.
    fn object(&mut self, view: &'t View<'t>, depth: usize) -> Object {
        let mut properties = view.properties();
        for name in view.conditional_names() {
            properties.entry(name).or_default();
        }
        properties
            .retain(|name, property| name.len() <= MAX_NAME_LENGTH && is_sent(view, property));
        let mut fields = Vec::new();
        for (name, property) in properties.iter().take(self.left.min(100) + 1) {
            let kind = self.kind(view.views.view(&property.nodes()), depth + 1);
            fields.push(Json::Array(vec![
                Json::from(*name),
                kind.into(),
                Json::from(i64::from(property.is_required)),
            ]));
        }
        let kind = kind("object").with("f", fields);
        let others = view.other_properties();
        let nodes = match &others.patterns[..] {
            [] if others.are_refused || others.nodes.is_empty() => None,
            [] => Some(others.nodes),
            [(_, only)] if others.are_refused => Some(vec![*only]),
            // The schema of a value depends on its name.
            _ => return kind.with("o", self::kind("any").with("x", 1)),
        };
        match nodes {
            Some(nodes) => kind.with("o", self.kind(view.views.view(&nodes), depth + 1)),
            None => kind.maybe("c", others.are_refused.then_some(1)),
        }
    }
}

/// Marks a kind if the value can be of other kinds too, and if the form does not check all that the schemas say of it.
/// Alternatives are marked each by itself.
fn marked(kind: Object, view: &View<'_>) -> Object {
    let is_any = kind.get_str("t") == Some("any");
    let is_checked = if is_any {
        view.accepts_all()
    } else {
        let patterns = view.patterns();
        view.conditions().is_empty()
            && view.property_count() == Span::default()
            && patterns.len() < 2
            && patterns.into_iter().all(pattern::is_safe)
    };
    let has_alternatives = !is_any && !view.unions.is_empty();
    let is_of_every_kind = !is_any && view.kinds == Kinds::ALL.without(Kinds::NULL);
    kind.maybe("e", (is_of_every_kind && !has_alternatives).then_some(1))
        .maybe("x", (!is_checked && !has_alternatives).then_some(1))
}

/// Returns whether callers send a member. Only the service sends members that are for reading.
fn is_sent<'t>(view: &View<'t>, property: &Property<'t>) -> bool {
    let is_refused = property.is_refused && !property.is_required;
    !is_refused && !view.hides(property, Side::Input)
}

/// Returns whether a value is for the service alone.
fn is_secret(view: &View<'_>) -> bool {
    view.is_write_only() || view.formats().contains(&"password")
}

/// Returns whether a string is bytes, whether or not the service checks its encoding.
fn is_bytes(view: &View<'_>) -> bool {
    view.formats().contains(&"byte")
        || view
            .strings()
            .filter_map(|strings| strings.encoding)
            .any(|encoding| encoding.eq_ignore_ascii_case("base64"))
}

/// Returns the label of an alternative for the choice, which may be empty.
fn short_label(label: Label<'_>) -> String {
    match label {
        Label::Named(name) => name.to_owned(),
        Label::Values(values) => values.into_iter().map(compact).collect(),
        Label::With(names) => names.join(", "),
        Label::Without(_) => String::new(),
    }
}

/// Returns the kind of a string: its length, and a pattern and a format that the browser can check.
fn string(view: &View<'_>) -> Object {
    let pattern = view
        .patterns()
        .into_iter()
        .find(|pattern| pattern::is_safe(pattern));
    // The browser checks an encoding only where the service does.
    let encoding = view.checked_encoding().map(|encoding| encoding.name);
    let formats = view.formats();
    let format = formats
        .first()
        .copied()
        .filter(|format| Format::encoding(format).is_none() && format.len() <= MAX_NAME_LENGTH);
    counted("string", view.length())
        .maybe("p", pattern)
        .maybe("f", encoding.or(format))
        .maybe("b", is_bytes(view).then_some(1))
}

/// Returns whether other alternatives refuse all integers.
fn takes_fractions_only(view: &View<'_>) -> bool {
    view.kinds & Kinds::NUMBER == Kinds::FRACTION
}

/// Returns the kind of a number: its bounds and its divisor, as text, because the script computes with
/// decimals.
fn number_kind(view: &View<'_>, name: &str) -> Object {
    let mut bounds = view.numbers();
    if matches!(view.width(), Some("float" | "double")) {
        // All numbers that the service can hold are within them.
        bounds.least = None;
        bounds.most = None;
    }
    let mut kind = kind(name);
    if let Some(least) = bounds.least {
        let key = if least.is_exclusive { "above" } else { "min" };
        kind = kind.maybe(key, short(least.number));
    }
    if let Some(most) = bounds.most {
        let key = if most.is_exclusive { "below" } else { "max" };
        kind = kind.maybe(key, short(most.number));
    }
    kind.maybe("by", bounds.steps.first().and_then(|step| short(step)))
        .maybe(
            "begin",
            takes_fractions_only(view).then_some(FRACTION_START),
        )
}

/// Returns a kind with limits on its number of characters or elements.
fn counted(name: &str, span: Span) -> Object {
    let least = span.least.filter(|least| *least > 0);
    kind(name)
        .maybe("least", least.map(|least| least.to_string()))
        .maybe("most", span.most.map(|most| most.to_string()))
}

/// Returns an enumeration of the values that these texts are in JSON.
fn enumeration(texts: &[&str]) -> Object {
    kind("enum").with("v", texts.iter().copied().collect::<Json>())
}

/// Returns an enumeration of these values, or any JSON if one is too long to choose from. If there are too many to
/// choose from, they are suggestions, as many as a page can bear.
fn listed_values(values: &[ListedValue<'_>]) -> Object {
    let mut texts: Vec<_> = values.iter().map(|listed| compact(listed.value)).collect();
    if texts.iter().any(|text| text.len() > MAX_VALUE_LENGTH) {
        return kind("any");
    }
    let are_suggested = texts.len() > MAX_VALUES;
    if are_suggested {
        let mut left = MAX_SUGGESTED_BYTES;
        texts.retain(|text| {
            left = left.saturating_sub(text.len());
            left > 0
        });
    }
    let is_cut = texts.len() < values.len();
    kind("enum")
        .with("v", texts.into_iter().collect::<Json>())
        .maybe("g", are_suggested.then_some(1))
        .maybe("x", is_cut.then_some(1))
}

/// Returns a number as it is written, if it is not too long.
fn short(number: &str) -> Option<&str> {
    (number.len() < 60).then_some(number)
}

/// Returns a kind without constraints.
fn kind(name: &str) -> Object {
    Object::new().with("t", name)
}

#[cfg(test)]
mod tests {
    use docent_describe::schema::{SchemaContext, SchemaViews};

    use super::*;

    fn views<'c>(components: &'c IndexMap<String, Json>, checked: &'c [String]) -> SchemaViews<'c> {
        SchemaViews::new(SchemaContext::new(components, Some(checked)))
    }

    fn kind_of(schema: &str) -> String {
        let schema: Json = schema.parse().expect("JSON");
        let components = IndexMap::new();
        let checked = ["base64".to_owned()];
        let views = views(&components, &checked);
        let mut kinds = FormKinds::new();
        compact(&kinds.kind(views.view_of_schema(&schema), 0).into())
    }

    /// Returns the kind of an enumeration of so many values.
    fn kind_of_values(count: usize) -> String {
        let values: Vec<String> = (0..count).map(|at| format!("\"value {at}\"")).collect();
        kind_of(&format!(r#"{{"enum": [{}]}}"#, values.join(", ")))
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
                r#"{"t": "object", "f": [["a", {"t": "string"}, 1], ["b", {"t": "any"}, 0]], "e": 1}"#,
            ),
            (
                r#"{"type": "object", "additionalProperties": false}"#,
                r#"{"t": "object", "f": [], "c": 1}"#,
            ),
            (
                r#"{"type": "object", "patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": false}"#,
                r#"{"t": "object", "f": [], "o": {"t": "integer"}}"#,
            ),
            (
                r#"{"type": "object", "allOf": [{"unevaluatedProperties": false}, {"patternProperties": {"^n": {}}}]}"#,
                r#"{"t": "object", "f": [], "c": 1}"#,
            ),
            (r#"{"const": null}"#, r#"{"t": "enum", "v": ["null"]}"#),
            (
                r#"{"enum": [[1], {"a": null}, null]}"#,
                r#"{"t": "enum", "v": ["[1]", "{\"a\": null}"], "n": 1}"#,
            ),
            // A value that two alternatives of `oneOf` accept is not offered.
            (
                r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#,
                r#"{"t": "number", "begin": "0.5"}"#,
            ),
            (
                r#"{"oneOf": [{"type": "string"}, {"const": "a"}]}"#,
                r#"{"t": "string"}"#,
            ),
            (
                r#"{"oneOf": [{"type": "string"}, {"enum": ["a", 1, null]}, {"type": "boolean"}]}"#,
                r#"{"t": "union", "a": [["", {"t": "string"}], ["", {"t": "enum", "v": ["1"]}], ["", {"t": "enum", "v": ["true", "false"]}]], "n": 1}"#,
            ),
        ] {
            assert_eq!(kind_of(schema), kind, "{schema}");
        }
    }

    #[test]
    fn bytes_and_secrets_are_marked() {
        for (schema, kind) in [
            (
                r#"{"type": "string", "contentEncoding": "base64"}"#,
                r#"{"t": "string", "f": "base64", "b": 1}"#,
            ),
            (
                r#"{"type": "string", "format": "byte"}"#,
                r#"{"t": "string", "f": "byte", "b": 1}"#,
            ),
            (
                r#"{"type": "string", "format": "password"}"#,
                r#"{"t": "string", "f": "password", "s": 1}"#,
            ),
            (
                r#"{"properties": {"pin": {"type": "string", "writeOnly": true}}, "type": "object"}"#,
                r#"{"t": "object", "f": [["pin", {"t": "string", "s": 1}, 0]]}"#,
            ),
            (
                r#"{"type": "string", "contentEncoding": "base16", "format": "base64"}"#,
                r#"{"t": "string"}"#,
            ),
        ] {
            assert_eq!(kind_of(schema), kind, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_is_not_fully_checked_is_marked() {
        for (schema, kind) in [
            (
                r#"{"type": "object", "properties": {"a": {"type": "string"}}, "dependentRequired": {"a": ["z"]},
                    "if": {"properties": {"a": {"const": "1"}}}, "then": {"properties": {"b": {"type": "integer"}}}}"#,
                r#"{"t": "object", "f": [["a", {"t": "string"}, 0], ["b", {"t": "any"}, 0], ["z", {"t": "any"}, 0]], "x": 1}"#,
            ),
            (
                r#"{"type": "object", "patternProperties": {"^n": {"type": "integer"}}, "additionalProperties": {"type": "string"}}"#,
                r#"{"t": "object", "f": [], "o": {"t": "any", "x": 1}}"#,
            ),
            (
                r#"{"type": "string", "pattern": "^(a+)+$"}"#,
                r#"{"t": "string", "x": 1}"#,
            ),
            (
                r#"{"type": "integer", "not": {"const": 3}}"#,
                r#"{"t": "integer", "x": 1}"#,
            ),
            (r#"{"not": {"type": "null"}}"#, r#"{"t": "any", "x": 1}"#),
            (
                r##"{"$ref": "#/components/schemas/Lost"}"##,
                r#"{"t": "any", "x": 1}"#,
            ),
        ] {
            assert_eq!(kind_of(schema), kind, "{schema}");
        }
    }

    #[test]
    fn values_too_many_to_choose_from_are_suggested() {
        assert!(!kind_of_values(300).contains(r#""g""#));
        let suggested = kind_of_values(301);
        assert!(
            suggested.ends_with(r#""\"value 300\""], "g": 1}"#),
            "{suggested}"
        );
        let cut = kind_of_values(20_000);
        assert!(
            cut.ends_with(r#""g": 1, "x": 1}"#) && cut.len() < 80_000,
            "{}",
            cut.len()
        );
    }

    #[test]
    fn a_type_that_holds_itself_is_one_kind() {
        let tree = r##"{"properties": {"next": {"$ref": "#/components/schemas/Tree"}}}"##;
        let tree: Json = tree.parse().expect("JSON");
        let components = IndexMap::from([("Tree".to_owned(), tree.clone())]);
        let views = views(&components, &[]);
        let mut kinds = FormKinds::new();
        let kind = kinds.kind(views.view_of_schema(&tree), 0);
        assert_eq!(kind.get_str("t"), Some("object"));
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
