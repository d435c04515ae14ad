//! Each attribute of serde and schemars is described and enforced: one test for each row of the guide's page on types.
//!
//! `agrees` checks that a service with the type takes what its description allows. `refused` checks that such a service
//! does not build, and `untrue` that it builds, but that `assert_description_holds` finds a value which it should take
//! (`zoo/mod.rs`).

#![expect(dead_code, reason = "the types are only decoded")]
#![expect(
    clippy::items_after_statements,
    reason = "each type stands before its assertions"
)]

use std::collections::BTreeMap;

use docent_core::{Cx, Fault, Procedure, Service};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::zoo::{agrees, agrees_on, refused, service, untrue};

/// Returns the published schema of a type, as text.
fn published<T: DeserializeOwned + JsonSchema + 'static>() -> String {
    let service: Service = service::<T>().expect("a service");
    let description = service.description();
    let mut published = description.procs[0].params[0].schema.to_string();
    for schema in description.components.schemas.values() {
        published.push(' ');
        published.push_str(&schema.to_string());
    }
    published
}

/// Checks that the published schema of a type has these parts, and lacks those of the second list.
#[track_caller]
fn publishes<T: DeserializeOwned + JsonSchema + 'static>(parts: &[&str], absent: &[&str]) {
    let schema = published::<T>();
    for part in parts {
        assert!(schema.contains(part), "{part} is not in {schema}");
    }
    for part in absent {
        assert!(!schema.contains(part), "{part} is in {schema}");
    }
}

#[test]
fn rename() {
    #[derive(Deserialize, JsonSchema)]
    struct Renamed {
        #[serde(rename = "new")]
        old: u8,
        #[serde(rename(deserialize = "in", serialize = "out"))]
        both: u8,
    }
    agrees::<Renamed>();
    publishes::<Renamed>(&["\"new\"", "\"in\""], &["\"old\"", "\"out\""]);
}

#[test]
fn rename_all() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", rename_all_fields = "UPPERCASE")]
    enum Renamed {
        OneTwo { three: u8 },
        Four,
    }
    agrees::<Renamed>();
    publishes::<Renamed>(&["\"oneTwo\"", "\"THREE\"", "\"four\""], &[]);
}

#[test]
fn deny_unknown_fields() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Closed {
        a: u8,
    }
    agrees::<Closed>();
    publishes::<Closed>(&["\"additionalProperties\":false"], &[]);
}

#[test]
fn no_deny_unknown_fields() {
    #[derive(Deserialize, JsonSchema)]
    struct Open {
        a: u8,
    }
    agrees_on::<Open>(&[r#"{"a":1,"b":[]}"#]);
}

#[test]
fn tag() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "t")]
    enum Internal {
        A { x: u8 },
        B,
    }
    agrees_on::<Internal>(&[r#"["A",1]"#, r#"{"x":1,"t":"A"}"#, r#"{"t":"B","x":[]}"#]);
}

#[test]
fn tag_and_content() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        A(u8),
        B,
    }
    agrees_on::<Adjacent>(&[
        r#"{"c":1,"t":"A"}"#,
        r#"{"t":"B","c":1}"#,
        r#"{"t":"B","c":null}"#,
    ]);
    publishes::<Adjacent>(&[r#""c":{"type":"null"}"#], &[]);
}

#[test]
fn untagged() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum Untagged {
        Number(u8),
        Named { a: u8 },
    }
    agrees_on::<Untagged>(&["[1]", "256", r#"{"a":1}"#]);
}

#[test]
fn untagged_variant() {
    #[derive(Deserialize, JsonSchema)]
    enum LastResort {
        Known,
        #[serde(untagged)]
        Other(u8),
    }
    agrees_on::<LastResort>(&["\"Known\"", "\"Unknown\"", "7"]);
}

#[test]
fn transparent() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(transparent)]
    struct Transparent {
        inner: Vec<u8>,
    }
    agrees::<Transparent>();
}

#[test]
fn default() {
    #[derive(Deserialize, JsonSchema)]
    struct Defaults {
        #[serde(default)]
        a: u8,
        #[serde(default = "seven")]
        b: u8,
    }
    #[derive(Default, Deserialize, JsonSchema)]
    #[serde(default)]
    struct All {
        a: u8,
    }
    agrees_on::<Defaults>(&["{}"]);
    publishes::<Defaults>(&["\"default\":7"], &["\"required\":[\"a\""]);
    agrees_on::<All>(&["{}"]);
}

fn seven() -> u8 {
    7
}

#[test]
fn from_and_into() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(from = "u8")]
    struct From8;
    impl From<u8> for From8 {
        fn from(_: u8) -> Self {
            Self
        }
    }
    agrees::<From8>();

    #[derive(Clone, Deserialize, Serialize, JsonSchema)]
    #[serde(into = "String")]
    struct Into {
        a: u8,
    }
    impl From<Into> for String {
        fn from(value: Into) -> Self {
            value.a.to_string()
        }
    }
    agrees::<Into>();
}

#[test]
fn try_from() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(try_from = "u8")]
    struct Small;
    impl TryFrom<u8> for Small {
        type Error = &'static str;
        fn try_from(value: u8) -> Result<Self, Self::Error> {
            if value < 9 {
                Ok(Self)
            } else {
                Err("too large")
            }
        }
    }
    untrue::<Small>(&["too large"]);

    #[derive(Deserialize, JsonSchema)]
    #[serde(try_from = "u8")]
    #[schemars(extend("maximum" = 8))]
    struct Described;
    impl TryFrom<u8> for Described {
        type Error = &'static str;
        fn try_from(value: u8) -> Result<Self, Self::Error> {
            if value < 9 {
                Ok(Self)
            } else {
                Err("too large")
            }
        }
    }
    agrees_on::<Described>(&["8", "9"]);
}

#[test]
fn alias() {
    #[derive(Deserialize, JsonSchema)]
    struct Field {
        #[serde(alias = "other")]
        a: u8,
    }
    refused::<Field>(&["`other`", "`Field`", "alias"]);

    #[derive(Deserialize, JsonSchema)]
    enum Variant {
        #[serde(alias = "other")]
        A,
    }
    refused::<Variant>(&["`other`", "`Variant`"]);
}

#[test]
fn alias_of_a_parameter() {
    #[derive(Deserialize, JsonSchema)]
    struct Parameters {
        #[serde(alias = "other")]
        a: u8,
    }
    let procedure = Procedure::sync("p", |_: Cx, _: Parameters| Ok::<_, Fault>(()));
    let service = Service::builder("tested", "urn:example:tested")
        .procedure(procedure)
        .build()
        .expect("no mistakes");
    let alias = &service.description().procs[0].params[0].aliases[0];
    assert_eq!((alias.name.as_str(), alias.deprecated), ("other", true));
}

#[test]
fn alias_in_a_buffer() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "t")]
    enum Buffered {
        A {
            #[serde(alias = "other")]
            a: u8,
        },
    }
    agrees_on::<Buffered>(&[r#"{"t":"A","other":1}"#]);
}

#[test]
fn skip() {
    #[derive(Deserialize, JsonSchema)]
    struct Skipping {
        a: u8,
        #[serde(skip)]
        b: u8,
        #[serde(skip_deserializing)]
        c: u8,
    }
    #[derive(Deserialize, JsonSchema)]
    enum Variants {
        A,
        #[serde(skip)]
        B,
        #[serde(skip_deserializing)]
        C {
            x: u8,
        },
    }
    agrees::<Skipping>();
    publishes::<Skipping>(&["\"a\""], &["\"b\":{", "\"c\":{"]);
    agrees_on::<Variants>(&["\"A\"", "\"B\"", r#"{"C":{"x":1}}"#]);
}

#[test]
fn skip_serializing() {
    #[derive(Deserialize, JsonSchema)]
    struct Skipping {
        #[serde(skip_serializing)]
        a: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        b: Option<u8>,
    }
    agrees::<Skipping>();
    publishes::<Skipping>(&["\"a\":{", "\"b\":{"], &[]);
}

#[test]
fn flatten_of_a_struct() {
    #[derive(Deserialize, JsonSchema)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    agrees::<Outer>();

    #[derive(Deserialize, JsonSchema)]
    struct Twice {
        x: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    untrue::<Twice>(&["is missing"]);
}

#[derive(Deserialize, JsonSchema)]
struct Inner {
    x: u8,
}

#[test]
fn flatten_of_an_option() {
    #[derive(Deserialize, JsonSchema)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        inner: Option<Inner>,
    }
    agrees_on::<Outer>(&[r#"{"a":1,"x":"wrong"}"#]);
}

#[test]
fn flatten_of_a_map() {
    #[derive(Deserialize, JsonSchema)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, bool>,
    }
    agrees_on::<Outer>(&[r#"{"a":1,"b":true}"#, r#"{"a":1,"b":2}"#]);
}

#[test]
fn flatten_of_an_enum() {
    #[derive(Deserialize, JsonSchema)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        kind: Kind,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "t")]
    enum Kind {
        One { x: u8 },
        Two,
    }
    agrees_on::<Outer>(&[r#"{"a":1,"t":"Two","x":[]}"#, r#"{"x":1,"t":"One","a":1}"#]);
}

#[test]
fn flatten_of_an_externally_tagged_enum() {
    #[derive(Deserialize, JsonSchema)]
    struct Outer {
        id: u8,
        #[serde(flatten)]
        kind: Kind,
    }
    #[derive(Deserialize, JsonSchema)]
    enum Kind {
        A(u8),
        B(String),
    }
    agrees_on::<Outer>(&[
        r#"{"id":1,"A":1,"B":1}"#,
        r#"{"id":1,"B":1,"A":1}"#,
        r#"{"id":1,"A":1,"B":"x"}"#,
        r#"{"id":1,"A":1,"C":1}"#,
    ]);
    let built = service::<Outer>().expect("a service");
    let schema = &built.description().components.schemas["Outer"];
    let validator =
        jsonschema::validator_for(&schema.to_string().parse().expect("JSON")).expect("a schema");
    let allows = |text: &str| validator.is_valid(&text.parse().expect("JSON"));
    assert!(allows(r#"{"id":1,"A":1}"#) && allows(r#"{"id":1,"B":"x"}"#));
    assert!(!allows(r#"{"id":1,"A":1,"B":1}"#) && !allows(r#"{"id":1,"B":1,"A":1}"#));
}

#[test]
fn flatten_with_deny_unknown_fields() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    agrees_on::<Outer>(&[r#"{"a":1,"x":1,"y":1}"#]);
}

#[test]
fn unevaluated_properties() {
    #[derive(Deserialize, JsonSchema)]
    #[schemars(extend("unevaluatedProperties" = false))]
    struct Promised {
        a: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    refused::<Promised>(&["unevaluatedProperties", "deny_unknown_fields", "`Promised`"]);
}

#[test]
fn deserialize_with() {
    #[derive(Deserialize, JsonSchema)]
    struct Other {
        #[serde(deserialize_with = "from_text")]
        n: u32,
    }
    untrue::<Other>(&["at /n: expected a string"]);

    #[derive(Deserialize, JsonSchema)]
    struct Described {
        #[serde(deserialize_with = "from_text")]
        #[schemars(with = "String", regex(pattern = "^[0-9]{1,9}$"))]
        n: u32,
    }
    agrees_on::<Described>(&[r#"{"n":"12"}"#, r#"{"n":"x"}"#, r#"{"n":12}"#]);
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

#[test]
fn other() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "t")]
    enum Kind {
        A,
        #[serde(other)]
        Else,
    }
    agrees_on::<Kind>(&[r#"{"t":"A"}"#, r#"{"t":"Else"}"#, r#"{"t":"whatever"}"#]);
}

#[test]
fn bound_and_crate_and_expecting() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(bound = "T: DeserializeOwned", expecting = "something else")]
    struct Bound<T> {
        t: T,
    }
    agrees::<Bound<u8>>();
}

#[test]
fn remote() {
    struct Foreign {
        x: u8,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(remote = "Foreign")]
    struct Local {
        x: u8,
    }
    #[derive(Deserialize, JsonSchema)]
    struct Holder {
        #[serde(with = "Local")]
        foreign: Foreign,
    }
    agrees::<Holder>();
}

#[test]
fn schemars_rename() {
    #[derive(Deserialize, JsonSchema)]
    struct Renamed {
        #[schemars(rename = "b")]
        a: Option<u8>,
    }
    refused::<Renamed>(&["`a`", "`b`", "`JsonSchema` of the type agree"]);
}

#[test]
fn schemars_skip() {
    #[derive(Deserialize, JsonSchema)]
    struct Skipping {
        a: u8,
        #[schemars(skip)]
        b: Option<u8>,
    }
    refused::<Skipping>(&["`b`", "schemars(skip)"]);
}

#[test]
fn schemars_with() {
    #[derive(Deserialize, JsonSchema)]
    struct Wrong {
        #[schemars(with = "bool")]
        a: u8,
    }
    untrue::<Wrong>(&["expected an integer, found"]);

    #[derive(Deserialize, JsonSchema)]
    struct Narrower {
        #[schemars(with = "u8")]
        a: u64,
    }
    agrees_on::<Narrower>(&[r#"{"a":256}"#]);
}

#[test]
fn schemars_required() {
    #[derive(Deserialize, JsonSchema)]
    struct Required {
        #[schemars(required)]
        a: Option<u8>,
    }
    agrees_on::<Required>(&["{}", r#"{"a":null}"#, r#"{"a":1}"#]);
}

#[test]
fn schemars_annotations() {
    #[derive(Deserialize, JsonSchema)]
    #[schemars(title = "Annotated", description = "Says much.", example = 1)]
    struct Annotated(#[schemars(extend("x-anything" = true))] u8);
    agrees::<Annotated>();
    publishes::<Annotated>(&["Annotated", "Says much.", "\"x-anything\""], &[]);
}

#[test]
fn schemars_transform() {
    #[derive(Deserialize, JsonSchema)]
    #[schemars(transform = narrow)]
    struct Narrowed(u8);
    fn narrow(schema: &mut schemars::Schema) {
        schema.insert("maximum".to_owned(), 9.into());
    }
    agrees_on::<Narrowed>(&["9", "10"]);
}

#[test]
fn schemars_inline() {
    #[derive(Deserialize, JsonSchema)]
    #[schemars(inline)]
    struct Inlined {
        a: u8,
    }
    agrees::<Vec<Inlined>>();
    publishes::<Inlined>(&[], &["$ref"]);
}

#[test]
fn range() {
    #[derive(Deserialize, JsonSchema)]
    struct Ranges {
        #[schemars(range(min = 1, max = 10))]
        a: u8,
        #[schemars(range(min = 0.0, max = 1.0))]
        b: f64,
    }
    agrees_on::<Ranges>(&[r#"{"a":0,"b":0.5}"#, r#"{"a":1,"b":1.5}"#]);
}

#[test]
fn length() {
    #[derive(Deserialize, JsonSchema)]
    struct Lengths {
        #[schemars(length(min = 1, max = 2))]
        text: String,
        #[schemars(length(equal = 2))]
        list: Vec<u8>,
    }
    agrees_on::<Lengths>(&[
        r#"{"text":"äöü","list":[1,2]}"#,
        r#"{"text":"ä","list":[1]}"#,
    ]);
}

#[test]
fn pattern() {
    #[derive(Deserialize, JsonSchema)]
    struct Patterns {
        #[schemars(regex(pattern = "^[a-z]{2}$"))]
        a: String,
        #[schemars(contains(pattern = "."))]
        b: String,
    }
    agrees_on::<Patterns>(&[r#"{"a":"xy","b":"x.y"}"#, r#"{"a":"xy","b":"xy"}"#]);
}

#[test]
fn inner() {
    #[derive(Deserialize, JsonSchema)]
    struct Inners {
        #[schemars(inner(range(max = 5)))]
        list: Vec<u8>,
    }
    agrees_on::<Inners>(&[r#"{"list":[5]}"#, r#"{"list":[6]}"#]);
}

#[test]
fn constraints_on_a_field_whose_type_has_a_name() {
    #[derive(Deserialize, JsonSchema)]
    struct Percent(u8);
    #[derive(Deserialize, JsonSchema)]
    struct Holder {
        #[schemars(range(max = 100))]
        percent: Percent,
    }
    agrees_on::<Holder>(&[r#"{"percent":101}"#, r#"{"percent":100}"#]);
    publishes::<Holder>(&["\"maximum\":100"], &[]);

    #[derive(Deserialize, JsonSchema)]
    struct Described(#[schemars(range(max = 100))] u8);
    agrees_on::<Described>(&["101", "100"]);
}

#[test]
fn extend() {
    #[derive(Deserialize, JsonSchema)]
    struct Extended {
        #[schemars(extend("multipleOf" = 5))]
        a: i32,
        #[schemars(extend("uniqueItems" = true))]
        b: Vec<u8>,
        #[schemars(extend("enum" = ["x", "y"]))]
        c: String,
        #[schemars(extend("propertyNames" = {"maxLength": 2}))]
        d: BTreeMap<String, u8>,
        #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 9))]
        e: i32,
    }
    agrees_on::<Extended>(&[
        r#"{"a":5,"b":[1],"c":"x","d":{"ab":1},"e":1}"#,
        r#"{"a":5,"b":[1],"c":"x","d":{"abc":1},"e":1}"#,
        r#"{"a":5,"b":[1,1],"c":"x","d":{},"e":1}"#,
        r#"{"a":5,"b":[1],"c":"z","d":{},"e":1}"#,
        r#"{"a":5,"b":[1],"c":"x","d":{},"e":0}"#,
        r#"{"a":5,"b":[1],"c":"x","d":{},"e":9}"#,
    ]);

    #[derive(Deserialize, JsonSchema)]
    struct Unkept {
        #[schemars(extend("minProperties" = 1))]
        a: BTreeMap<String, u8>,
    }
    refused::<Unkept>(&["`minProperties`", "is not enforced"]);
}

#[test]
fn formats() {
    #[derive(Deserialize, JsonSchema)]
    struct Formats {
        #[schemars(email)]
        email: String,
        #[schemars(extend("format" = "date"))]
        date: String,
    }
    agrees_on::<Formats>(&[
        r#"{"email":"no mail","date":"2024-02-29"}"#,
        r#"{"email":"a@example.com","date":"2023-02-29"}"#,
        r#"{"email":"a@example.com","date":"2024-02-29"}"#,
    ]);
    #[derive(Deserialize, JsonSchema)]
    struct Own(#[schemars(extend("format" = "isbn"))] String);
    let warnings = service::<Own>().expect("a service").warnings().join("\n");
    assert!(warnings.contains("isbn"), "{warnings}");
}
