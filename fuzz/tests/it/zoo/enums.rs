//! Enums of every representation, with serde's attributes.

#![expect(dead_code, reason = "the types are only decoded")]

use schemars::JsonSchema;
use serde::Deserialize;

use super::{agrees, agrees_on, refused};

/// The contents of variants.
#[derive(Deserialize, JsonSchema)]
struct Inner {
    #[schemars(range(max = 10))]
    a: u8,
    b: Option<String>,
}

macro_rules! representations {
    ($($name:ident: $(#[$attribute:meta])*;)*) => {$(
        mod $name {
            use super::*;

            #[derive(Deserialize, JsonSchema)]
            $(#[$attribute])*
            enum Enum {
                Unit,
                /// Documented.
                Documented,
                Newtype(Inner),
                Struct { x: u8, y: Option<bool> },
            }

            #[test]
            fn agrees_with_its_schema() {
                agrees_on::<Enum>(&[
                    r#"{"t":"Unit"}"#, r#"{"t":"Unit","c":null}"#, r#"{"t":"Unit","c":5}"#,
                    r#"{"c":null,"t":"Unit"}"#, r#"{"Unit":null}"#, r#"["Unit"]"#, r#"["Unit",null]"#,
                    r#"["Struct",1,true]"#, r#"{"t":"Struct","x":1,"c":9}"#, r#"{"t":0}"#,
                    r#"{"t":"Newtype","a":11}"#, r#"{"a":1,"t":"Newtype"}"#, r#"{"c":{"x":1},"t":"Struct"}"#, r#"{"c":[1,null],"t":"Struct"}"#,
                    r#"{"t":"Struct","c":[1,null]}"#,
                ]);
            }

            #[test]
            fn agrees_inside() {
                agrees::<Vec<Enum>>();
                agrees::<Option<Enum>>();
            }
        }
    )*};
}

representations! {
    external: ;
    external_closed: #[serde(deny_unknown_fields)];
    external_renamed: #[serde(rename_all = "kebab-case", rename_all_fields = "UPPERCASE")];
    internal: #[serde(tag = "t")];
    internal_closed: #[serde(tag = "t", deny_unknown_fields)];
    adjacent: #[serde(tag = "t", content = "c")];
    adjacent_closed: #[serde(tag = "t", content = "c", deny_unknown_fields)];
    untagged: #[serde(untagged)];
    untagged_closed: #[serde(untagged, deny_unknown_fields)];
}

#[derive(Deserialize, JsonSchema)]
enum OnlyUnits {
    A,
    #[serde(rename = "bee")]
    B,
    #[serde(skip)]
    C,
}

#[derive(Deserialize, JsonSchema)]
enum Tuples {
    Two(u8, String),
    None(),
    Nested((u8, u8), [bool; 2]),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum InternalUnits {
    A,
    B,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", deny_unknown_fields)]
enum InternalClosedUnits {
    A,
    B { x: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum AdjacentMixed {
    Unit,
    One(u8),
    Two(u8, bool),
    Optional(Option<u8>),
    Nothing(()),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Kinds {
    Null,
    Flag(bool),
    Number(u8),
    Text(String),
    List(Vec<u8>),
    Pair(String, u8),
    Object { a: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Overlapping {
    Small { a: u8 },
    Large { a: u8, b: u8 },
    Other { a: String },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Constrained {
    Low(#[schemars(range(max = 5))] u8),
    Word(#[schemars(length(max = 2))] String),
    Named {
        #[schemars(range(min = 1))]
        a: i8,
    },
}

#[derive(Deserialize, JsonSchema)]
enum LastResort {
    Known,
    Value(u8),
    #[serde(untagged)]
    Other(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum InternalOfEnums {
    Outer(InternalTwo),
    Plain { x: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "u")]
enum InternalTwo {
    X { a: u8 },
    Y,
}

#[test]
fn small_enums() {
    agrees::<OnlyUnits>();
    agrees_on::<Tuples>(&[r#"{"Two":[1]}"#, r#"{"None":[]}"#, r#"{"None":null}"#]);
    agrees_on::<InternalUnits>(&[r#"{"t":"A","x":[1]}"#, r#"["A"]"#]);
    agrees_on::<InternalClosedUnits>(&[r#"{"t":"A","x":1}"#, r#"{"t":"B","x":1,"y":1}"#]);
    agrees_on::<AdjacentMixed>(&[
        r#"{"t":"Optional"}"#,
        r#"{"t":"Nothing"}"#,
        r#"{"t":"One"}"#,
    ]);
    agrees::<Kinds>();
    agrees::<Overlapping>();
    agrees_on::<Constrained>(&["6", "\"abc\"", r#"{"a":0}"#]);
    agrees_on::<LastResort>(&["\"Known\"", "\"x\"", r#"{"Value":1}"#, r#"{"Known":null}"#]);
    agrees_on::<InternalOfEnums>(&[r#"{"u":"Y","t":"Outer"}"#, r#"{"t":"Outer"}"#]);
}

#[derive(Deserialize, JsonSchema)]
enum Aliased {
    #[serde(alias = "alias")]
    A,
    B,
}

#[derive(Deserialize, JsonSchema)]
enum AliasedContent {
    #[serde(alias = "alias")]
    A(u8),
}

#[derive(Deserialize, JsonSchema)]
enum AliasedField {
    A {
        #[serde(alias = "alias")]
        x: u8,
    },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum AliasedInternal {
    #[serde(alias = "alias")]
    A { x: u8 },
    #[serde(other)]
    Other,
}

#[test]
fn names_that_are_not_described() {
    refused::<Aliased>(&["`alias`", "`Aliased`"]);
    refused::<AliasedContent>(&["`alias`"]);
    refused::<AliasedField>(&["`alias`"]);
    // A buffer hides the name from the schema, so the service enforces what it describes.
    agrees_on::<AliasedInternal>(&[r#"{"t":"alias","x":1}"#, r#"{"t":"whatever"}"#]);
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Wide {
    Number(i128),
    Text(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum WideInternal {
    A { n: u128 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum WideAdjacent {
    A(u128),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Keyed {
    A {
        by: std::collections::BTreeMap<u8, String>,
    },
}

#[test]
fn what_a_buffer_cannot_give_is_a_mistake() {
    refused::<Wide>(&["integers of 128 bits", ".unchecked(reason)"]);
    refused::<WideInternal>(&["integers of 128 bits"]);
    refused::<WideAdjacent>(&["integers of 128 bits"]);
    refused::<Keyed>(&["keys of maps that are integers"]);
}
