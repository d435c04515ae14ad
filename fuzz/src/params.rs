//! Parameters of every kind: the types that the service under test accepts and that the oracle
//! decodes in its own way.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The constraints of a schema that serde does not check, repeated by hand.
pub(crate) trait Promises {
    /// Returns whether all of them hold.
    fn hold(&self) -> bool {
        true
    }
}

/// No parameters.
impl Promises for () {}

impl<T> Promises for Vec<T> {}

/// One of each scalar.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Scalars {
    flag: bool,
    number: f64,
    text: String,
}

impl Promises for Scalars {}

/// One text, which may also come by GET.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Text {
    pub(crate) text: String,
}

impl Promises for Text {}

/// Anything at all.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Anything {
    pub(crate) value: Value,
}

impl Promises for Anything {}

/// Integers of every width, none of which has to be given.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Widths {
    i8: Option<i8>,
    u8: Option<u8>,
    i16: Option<i16>,
    u16: Option<u16>,
    i32: Option<i32>,
    u32: Option<u32>,
    i64: Option<i64>,
    u64: Option<u64>,
}

impl Promises for Widths {}

/// Members that may be left out, that may be null, and both.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Optional {
    required: String,
    #[serde(default = "three")]
    count: u32,
    maybe: Option<String>,
    #[serde(default)]
    list: Vec<bool>,
}

fn three() -> u32 {
    3
}

impl Promises for Optional {}

/// Structures in structures, in lists, in maps.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Nested {
    outer: Outer,
    by_name: BTreeMap<String, Vec<Inner>>,
}

impl Promises for Nested {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Outer {
    inner: Vec<Inner>,
    pair: (i64, String),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Inner {
    x: i32,
    y: Option<bool>,
}

/// Enums of every representation.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Choices {
    #[serde(default)]
    colour: Option<Colour>,
    #[serde(default)]
    outside: Option<Outside>,
    #[serde(default)]
    inside: Option<Inside>,
    #[serde(default)]
    either: Option<Either>,
}

impl Promises for Choices {}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Colour {
    Red,
    LightBlue,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Outside {
    Nothing,
    One(u8),
    Two(i64, String),
    Named { x: f64, y: Option<bool> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Inside {
    Circle { radius: u32 },
    Word { text: String },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
    Many(Vec<bool>),
}

/// A parameter that must be given behind one that need not, both under other names as well.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Renamed {
    #[serde(alias = "before")]
    new: Option<i64>,
    #[serde(alias = "prior")]
    required: String,
}

impl Promises for Renamed {}

/// A struct in which another is flattened, and so one without an order.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Flat {
    #[serde(flatten)]
    text: Text,
    flag: bool,
}

impl Promises for Flat {}

/// Values with promises that serde does not look at.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Checked {
    #[schemars(length(min = 1, max = 4), regex(pattern = "^[a-zä]+$"))]
    code: String,
    #[schemars(range(min = 0, max = 100))]
    #[serde(default)]
    percent: i32,
    #[schemars(length(max = 3), extend("uniqueItems" = true))]
    #[serde(default)]
    set: Vec<i64>,
    #[schemars(extend("multipleOf" = 5))]
    #[serde(default)]
    fives: u64,
}

impl Promises for Checked {
    fn hold(&self) -> bool {
        let mut sorted = self.set.clone();
        sorted.sort_unstable();
        sorted.dedup();
        (1..=4).contains(&self.code.chars().count())
            && self
                .code
                .chars()
                .all(|letter| letter.is_ascii_lowercase() || letter == 'ä')
            && (0..=100).contains(&self.percent)
            && self.set.len() <= 3
            && sorted.len() == self.set.len()
            && self.fives.is_multiple_of(5)
    }
}

/// A structure that holds itself.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Chain {
    link: Option<Box<Chain>>,
    name: Option<String>,
}

impl Promises for Chain {}

/// An amount of something.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Amount {
    pub(crate) amount: u8,
}

impl Promises for Amount {}

/// Any value, in the text that it was written with.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Verbatim {
    value: AsWritten,
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct AsWritten(Box<RawValue>);

impl JsonSchema for AsWritten {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "AsWritten".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// Two numbers to take one from the other.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Subtract {
    minuend: i32,
    subtrahend: i32,
}

impl Promises for Subtract {}

impl Subtract {
    pub(crate) fn difference(&self) -> i64 {
        i64::from(self.minuend) - i64::from(self.subtrahend)
    }
}

/// The sum of all of them.
pub(crate) fn sum(values: &[i32]) -> i64 {
    values.iter().copied().map(i64::from).sum()
}
