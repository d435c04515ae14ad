//! Awkward types.

#![expect(dead_code, reason = "the types are only decoded")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

/// Declares texts with a format.
macro_rules! texts {
    ($($name:ident $format:literal;)*) => {$(
        #[derive(Deserialize, JsonSchema)]
        #[schemars(extend("format" = $format))]
        pub(super) struct $name(String);
    )*};
}

texts! {
    Moment "date-time";
    Day "date";
    Clock "time";
    Span "duration";
    Id "uuid";
    Mail "email";
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[schemars(extend("pattern" = r"^[a-z]{2,3}(-[A-Z]{2})?$"))]
pub(super) struct Language(String);

#[derive(Deserialize, JsonSchema)]
pub(super) enum Plain {
    Red,
    Green,
}

#[derive(Deserialize, JsonSchema)]
pub(super) enum External {
    A(u8),
    B(String),
    C { x: bool },
    D,
}

#[derive(Deserialize, JsonSchema)]
pub(super) enum Either {
    A(u8),
    B(String),
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Flat<T> {
    id: u8,
    #[serde(flatten)]
    inner: T,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Twice {
    #[serde(flatten)]
    one: Either,
    #[serde(flatten)]
    two: Tagged,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(super) enum Tagged {
    One { x: u8 },
    Two,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    One(u8),
    Many(Vec<bool>),
    None,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Untagged {
    Number(i8),
    Closed(Closed),
    Text(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Closed {
    a: Option<i16>,
    #[serde(default)]
    b: bool,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Bounded {
    #[schemars(range(min = -1.5, max = 2.5))]
    ratio: f64,
    #[schemars(length(min = 1, max = 2), inner(length(max = 2)))]
    names: Vec<String>,
    #[schemars(extend("uniqueItems" = true))]
    set: Vec<u8>,
    #[schemars(extend("multipleOf" = 5))]
    fives: u32,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Tree {
    name: String,
    #[serde(default)]
    inner: Vec<Tree>,
}

pub(super) type Maps = BTreeMap<String, BTreeMap<u8, Option<bool>>>;
