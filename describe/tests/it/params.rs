//! Tests of the parameters that are found in types.

use std::collections::{BTreeMap, HashSet};

use docent_describe::TypeCode;
use docent_describe::json::Json;
use docent_describe::schema::{
    ParamsKind, ParamsSchema, SchemaProblem, data_of, params_of, return_of,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[track_caller]
fn params_schema<P: DeserializeOwned + JsonSchema>() -> ParamsSchema {
    params_of::<P>().unwrap()
}

#[track_caller]
fn problem<P: DeserializeOwned + JsonSchema>() -> String {
    let problems = params_of::<P>().unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].to_string()
}

fn texts(problems: &[SchemaProblem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

fn names(schema: &ParamsSchema) -> Vec<&str> {
    schema
        .params
        .iter()
        .map(|param| param.name.as_str())
        .collect()
}

/// The schemas as text: order counts.
fn schemas(schema: &ParamsSchema) -> Vec<String> {
    schema
        .params
        .iter()
        .map(|param| param.schema.to_string())
        .collect()
}

/// Finds books.
///
/// By title only.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its description is of interest")]
struct Find {
    /// Words of the title.
    words: String,
    #[serde(rename = "yearOfPrint")]
    zenith: Option<u16>,
    /// The maximum number.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    #[deprecated]
    #[serde(default)]
    anywhere: bool,
}

fn twenty() -> u32 {
    20
}

#[test]
fn the_fields_of_a_struct_are_parameters_in_the_order_of_declaration() {
    let schema = params_schema::<Find>();
    assert_eq!(schema.kind, ParamsKind::Named);
    assert!(!schema.by_name_only);
    assert_eq!(
        names(&schema),
        ["words", "yearOfPrint", "limit", "anywhere"]
    );
    assert_eq!(
        schema.params.iter().map(|p| p.required).collect::<Vec<_>>(),
        [true, false, false, false]
    );
    assert_eq!(
        schema.documentation.as_deref(),
        Some("Finds books.\n\nBy title only.")
    );
    assert!(schema.definitions.is_empty());
    assert_eq!(schema.warnings, [""; 0]);
}

#[test]
fn what_a_description_says_is_not_said_again_in_the_schema_but_for_deprecation() {
    let schema = params_schema::<Find>();
    assert_eq!(
        schemas(&schema),
        [
            r#"{"type":"string"}"#,
            r#"{"type":["integer","null"],"format":"uint16","minimum":0,"maximum":65535}"#,
            r#"{"type":"integer","format":"uint32","minimum":1,"maximum":100}"#,
            r#"{"deprecated":true,"type":"boolean"}"#,
        ]
    );
    let [words, year, limit, anywhere] = &schema.params[..] else {
        panic!("four parameters");
    };
    assert_eq!(words.description.as_deref(), Some("Words of the title."));
    assert_eq!(words.default, None);
    assert_eq!(
        (year.type_code, year.default.as_ref()),
        (TypeCode::Num, None)
    );
    assert_eq!(limit.description.as_deref(), Some("The maximum number."));
    assert_eq!(limit.default, Some(Json::from(20)));
    assert!(anywhere.deprecated && !limit.deprecated);
}

#[derive(Deserialize, JsonSchema)]
struct Nothing;

#[derive(Deserialize, JsonSchema)]
struct Empty {}

/// Some numbers.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its description is of interest")]
struct Numbers(Vec<f64>);

#[test]
fn nothing_is_no_parameters() {
    assert_eq!(params_schema::<()>().kind, ParamsKind::None);
    assert_eq!(params_schema::<Nothing>().kind, ParamsKind::None);
    assert_eq!(params_schema::<Empty>().kind, ParamsKind::Named);
    assert!(params_schema::<Empty>().params.is_empty());
}

#[test]
fn a_sequence_of_any_length_is_one_variadic_parameter() {
    let schema = params_schema::<Numbers>();
    assert_eq!(schema.kind, ParamsKind::List);
    assert_eq!(schema.documentation.as_deref(), Some("Some numbers."));
    let values = &schema.params[0];
    assert_eq!(
        (values.name.as_str(), values.type_code),
        ("values", TypeCode::Arr)
    );
    assert!(values.variadic && !values.required);
    assert_eq!(values.default, Some(Json::Array(vec![])));
    assert_eq!(
        values.schema.to_string(),
        r#"{"type":"array","items":{"type":"number","format":"double","minimum":-1.7976931348623157e308,"maximum":1.7976931348623157e308}}"#
    );
    assert!(params_schema::<HashSet<String>>().params[0].variadic);
    assert_eq!(params_schema::<Vec<Find>>().definitions.len(), 1);
}

#[test]
fn other_types_are_refused_with_what_to_use_instead() {
    assert_eq!(
        problem::<(f64, f64)>(),
        "`(f64, f64)` is a tuple and cannot be a procedure's parameters; use a struct with a named \
         field for each value"
    );
    assert!(problem::<[u8; 2]>().contains("is a tuple"));
    assert!(problem::<BTreeMap<String, u8>>().contains("is a map"));
    assert!(problem::<f64>().contains("single value"));
    assert!(problem::<serde_json::Value>().contains("any value"));
    assert!(problem::<Option<Find>>().contains("an option"));
    assert!(problem::<Result<u8, u8>>().contains("an enum"));
}

#[derive(Deserialize, JsonSchema)]
struct Page {
    #[serde(rename = "pageSize")]
    _size: u8,
    #[serde(rename = "after")]
    _after: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Flattened {
    #[serde(rename = "z")]
    _z: bool,
    #[serde(flatten)]
    _page: Page,
    #[serde(rename = "alpha", default)]
    _alpha: bool,
}

#[test]
fn flattened_parameters_are_by_name_only_and_required_ones_come_first() {
    let schema = params_schema::<Flattened>();
    assert!(schema.by_name_only);
    assert_eq!(names(&schema), ["z", "pageSize", "after", "alpha"]);
}

#[derive(Deserialize, JsonSchema)]
struct Open {
    #[serde(flatten)]
    _rest: BTreeMap<String, u8>,
    #[serde(rename = "a")]
    _a: u8,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by")]
#[expect(dead_code, reason = "only its description is of interest")]
enum By {
    Title { words: String },
    Shelf { number: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its description is of interest")]
enum Either {
    Title { words: String },
    Shelf { number: u8 },
}

#[derive(Deserialize, JsonSchema)]
struct OneFlattened<T> {
    #[serde(flatten)]
    _only: T,
}

#[test]
fn a_struct_with_nothing_but_a_flattened_enum_is_refused_for_its_alternatives() {
    for problem in [
        problem::<OneFlattened<Either>>(),
        problem::<OneFlattened<By>>(),
        problem::<OneFlattened<Result<u8, u8>>>(),
    ] {
        assert!(
            problem.contains("does not apply to single parameters"),
            "{problem}"
        );
        assert!(problem.contains("enum"), "{problem}");
    }
}

#[derive(Deserialize, JsonSchema)]
struct Branching {
    #[serde(flatten)]
    _by: By,
    #[serde(rename = "a")]
    _a: u8,
}

#[test]
fn parameters_that_are_not_single_ones_are_refused() {
    assert!(problem::<Open>().contains("`additionalProperties`"));
    assert!(problem::<Branching>().contains("`oneOf`"));
}

#[derive(Deserialize, JsonSchema)]
struct Misdescribed {
    #[serde(rename = "a")]
    _a: u8,
    #[serde(rename = "c", default)]
    #[schemars(skip)]
    _c: u8,
}

struct Undecoded;

impl<'de> Deserialize<'de> for Undecoded {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Empty::deserialize(deserializer).map(|_| Self)
    }
}

impl JsonSchema for Undecoded {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Undecoded".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "object", "properties": {"ghost": {"type": "string"}}})
    }
}

#[test]
fn what_is_described_can_be_called_and_nothing_else() {
    let problem = problem::<Misdescribed>();
    assert!(
        problem.starts_with("serde accepts the name `c`"),
        "{problem}"
    );
    let problem = self::problem::<Undecoded>();
    assert!(problem.contains("a parameter `ghost`"), "{problem}");
}

fn from_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    String::deserialize(deserializer).map(|text| text.parse().ok())
}

#[derive(Deserialize, JsonSchema)]
struct HalfOptional {
    #[serde(rename = "a", deserialize_with = "from_text")]
    _a: Option<u8>,
}

#[test]
fn an_option_that_serde_requires_is_not_described_as_optional() {
    assert_eq!(
        problem::<HalfOptional>(),
        "the schema says that `a` is optional, but serde requires it; add `#[serde(default)]` to \
         the field"
    );
}

#[derive(Deserialize, JsonSchema)]
struct Disordered {
    #[serde(rename = "a", default)]
    _a: u8,
    #[serde(rename = "b")]
    _b: u8,
    #[serde(rename = "c")]
    _c: u8,
}

#[test]
fn required_parameters_behind_optional_ones_are_told_of_by_the_shape() {
    let late = texts(&params_schema::<Disordered>().misplaced());
    let [b, c] = &*late else { panic!("{late:?}") };
    assert!(b.contains("`b` follows the optional `a`"), "{b}");
    assert!(c.contains("`c` follows the optional `a`"), "{c}");
}

#[derive(Deserialize, JsonSchema)]
struct BadlyNamed {
    #[serde(rename = "7", alias = "8")]
    _seven: u8,
    #[serde(rename = "a")]
    #[schemars(skip)]
    _a: Option<u8>,
}

#[test]
fn all_problems_come_at_once() {
    let problems = texts(&params_of::<BadlyNamed>().unwrap_err());
    let starts = [
        "`7` cannot be",
        "`8` cannot be",
        "serde accepts the name `a`",
    ];
    assert_eq!(problems.len(), starts.len(), "{problems:?}");
    for (problem, start) in problems.iter().zip(starts) {
        assert!(problem.starts_with(start), "{problem}");
    }
}

#[derive(Deserialize, JsonSchema)]
struct Renamed {
    #[serde(rename = "first", alias = "zeroth", alias = "a")]
    _first: net::Address,
    #[serde(rename = "second", alias = "b", default)]
    _second: Option<u8>,
    #[serde(rename = "third", alias = "0a")]
    _third: std::net::SocketAddr,
    #[serde(rename = "fourth")]
    _fourth: bool,
}

#[test]
fn aliases_belong_to_the_parameter_that_serde_decodes_them_to() {
    let schema = params_schema::<Renamed>();
    let aliases = |name: &str| {
        let param = schema
            .params
            .iter()
            .find(|param| param.name == name)
            .expect("a parameter");
        assert!(param.aliases.iter().all(|alias| alias.deprecated));
        param
            .aliases
            .iter()
            .map(|alias| alias.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(aliases("first"), ["a", "zeroth"]);
    assert_eq!(aliases("second"), ["b"]);
    assert_eq!(aliases("third"), ["0a"]);
    assert!(aliases("fourth").is_empty());
    let names = schema.params.iter().map(|param| &*param.name);
    assert!(names.eq(["first", "second", "third", "fourth"]));
}

#[test]
fn an_order_lists_each_parameter_once() {
    let schema = params_schema::<Renamed>();
    let order = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        schema.reordered(&names)
    };
    let reordered = order(&["fourth", "third", "first", "second"]).unwrap();
    let names = reordered.params.iter().map(|param| &*param.name);
    assert!(names.eq(["fourth", "third", "first", "second"]));
    assert_eq!(reordered.loose.len(), 4);
    assert_eq!(
        texts(&order(&["first", "fifth", "first", "second"]).unwrap_err()),
        [
            "the order lists `fifth`, which is not a parameter; remove it",
            "the order lists the parameter `first` twice; remove one",
            "the order does not list the parameter `third`; add it",
            "the order does not list the parameter `fourth`; add it",
        ]
    );
}

#[derive(Deserialize, JsonSchema, Default)]
struct Silent {}

#[derive(Deserialize, JsonSchema)]
struct Defaults {
    #[serde(rename = "silent", default)]
    _silent: Silent,
    #[serde(rename = "tenth", default = "tenth")]
    _tenth: f32,
}

fn tenth() -> f32 {
    0.1
}

#[test]
fn a_default_that_cannot_be_described_draws_a_warning() {
    let schema = params_schema::<Defaults>();
    assert_eq!(schema.warnings.len(), 1);
    assert!(
        schema.warnings[0].contains("`silent`"),
        "{:?}",
        schema.warnings
    );
}

#[test]
fn a_default_has_the_text_its_author_wrote() {
    let schema = params_schema::<Defaults>();
    let default = schema.params[1].default.as_ref().unwrap();
    assert_eq!(default.to_string(), "0.1");
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[schemars(rename = "Integers")]
struct Integers(
    i8,
    i16,
    i32,
    i64,
    isize,
    i128,
    u8,
    u16,
    u32,
    u64,
    usize,
    u128,
    std::num::NonZeroU32,
    #[schemars(range(min = -5, max = 300))] u8,
);

#[test]
fn integers_have_the_bounds_that_serde_enforces() {
    let schema = return_of::<Integers>().unwrap().definitions["Integers"].clone();
    let bounds: Vec<String> = schema
        .get("prefixItems")
        .and_then(Json::as_array)
        .unwrap()
        .iter()
        .map(|item| {
            format!(
                "{}..{}",
                item.get("minimum").unwrap(),
                item.get("maximum").unwrap()
            )
        })
        .collect();
    assert_eq!(
        bounds,
        [
            "-128..127",
            "-32768..32767",
            "-2147483648..2147483647",
            "-9223372036854775808..9223372036854775807",
            "-9223372036854775808..9223372036854775807",
            "-170141183460469231731687303715884105728..170141183460469231731687303715884105727",
            "0..255",
            "0..65535",
            "0..4294967295",
            "0..18446744073709551615",
            "0..18446744073709551615",
            "0..340282366920938463463374607431768211455",
            "1..4294967295",
            "0..255",
        ]
    );
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Tree {
    value: u8,
    children: Vec<Tree>,
}

#[test]
fn a_recursive_type_is_a_component_of_its_own() {
    let schema = params_schema::<Tree>();
    assert_eq!(
        schemas(&schema)[1],
        r##"{"type":"array","items":{"$ref":"#/components/schemas/Tree"}}"##
    );
    assert_eq!(
        schema.definitions["Tree"].to_string(),
        r##"{"type":"object","properties":{"value":{"type":"integer","format":"uint8","minimum":0,"maximum":255},"children":{"type":"array","items":{"$ref":"#/components/schemas/Tree"}}},"required":["value","children"]}"##
    );
    let returns = return_of::<Tree>().unwrap();
    assert_eq!(
        returns.returns.schema.to_string(),
        r##"{"$ref":"#/components/schemas/Tree"}"##
    );
    assert_eq!(returns.returns.type_code, TypeCode::Obj);
    assert_eq!(returns.definitions.len(), 1);
}

#[test]
fn nothing_returned_is_nil_and_anything_is_any() {
    assert_eq!(return_of::<()>().unwrap().returns.type_code, TypeCode::Nil);
    let any = return_of::<serde_json::Value>().unwrap().returns;
    assert_eq!(
        (any.type_code, any.schema.to_string().as_str()),
        (TypeCode::Any, "{}")
    );
    let data = data_of::<Vec<String>>().unwrap();
    assert_eq!(
        data.schema.to_string(),
        r#"{"type":"array","items":{"type":"string"}}"#
    );
}

mod home {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Address {
        #[serde(rename = "street")]
        _street: String,
    }
}

mod net {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Address {
        #[serde(rename = "port")]
        _port: u16,
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Address2 {
        #[serde(rename = "port")]
        _port: u16,
    }
}

#[derive(Deserialize, JsonSchema)]
struct Clashing {
    #[serde(rename = "a")]
    _a: home::Address,
    #[serde(rename = "b")]
    _b: net::Address,
}

#[derive(Deserialize, JsonSchema)]
struct Numbered {
    #[serde(rename = "a")]
    _a: home::Address,
    #[serde(rename = "b")]
    _b: net::Address2,
}

#[derive(Deserialize, JsonSchema)]
struct Both {
    #[serde(rename = "a")]
    _a: net::Address2,
    #[serde(rename = "b")]
    _b: home::Address,
    #[serde(rename = "c")]
    _c: net::Address,
}

#[test]
fn two_types_of_one_name_are_a_problem_and_a_name_with_a_number_is_none() {
    assert_eq!(
        problem::<Clashing>(),
        "two different types are both named `Address`; rename one of them with `#[schemars(rename \
         = \"…\")]`"
    );
    let returned = texts(&return_of::<Clashing>().unwrap_err());
    assert_eq!(returned, [problem::<Clashing>()]);
    let numbered = params_schema::<Numbered>();
    assert!(numbered.definitions.keys().eq(["Address", "Address2"]));
    assert!(problem::<Both>().contains("both named `Address`;"));
}

#[derive(Deserialize, JsonSchema)]
struct Address {
    #[serde(rename = "inner")]
    _inner: home::Address,
}

#[test]
fn parameters_may_be_called_like_a_type_inside_them() {
    let schema = params_schema::<Address>();
    assert_eq!(
        schemas(&schema),
        [r##"{"$ref":"#/components/schemas/Address"}"##]
    );
    assert!(schema.definitions["Address"].to_string().contains("street"));
}

#[derive(Deserialize, JsonSchema)]
struct Selves {
    #[serde(rename = "z")]
    _z: By,
    #[serde(rename = "anything")]
    _anything: serde_json::Value,
}

#[test]
fn documentation_does_not_change_how_anything_is_written() {
    let schema = params_schema::<Selves>();
    assert_eq!(
        schemas(&schema),
        [r##"{"$ref":"#/components/schemas/By"}"##, "{}"]
    );
    assert_eq!(schema.params[0].type_code, TypeCode::Obj);
}
