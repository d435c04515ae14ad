//! Recursive types, and which of them are too expensive to decode.

#![expect(dead_code, reason = "the types are only described")]

use std::collections::{BTreeMap, HashMap};

use docent_core::{Cx, Fault, Procedure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{assert_fine, assert_one, builder, taking};

#[derive(Deserialize, JsonSchema)]
struct Holding<T> {
    value: T,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
enum ThroughList {
    Branch { children: Vec<ThroughList> },
    Leaf { value: f64 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum ThroughOption {
    Pair(Option<Box<ThroughOption>>, u8),
    Leaf(f64),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum ThroughMap {
    Names(HashMap<String, ThroughMap>),
    Leaf(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum ThroughTuple {
    Both((Box<ThroughTuple>, u8)),
    Leaf(bool),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum OneOrMany<T> {
    One(Box<T>),
    Many(Vec<T>),
}

#[derive(Deserialize, JsonSchema)]
struct ThroughGenerics {
    children: Option<OneOrMany<ThroughGenerics>>,
}

#[derive(Deserialize, JsonSchema)]
struct Ping {
    pong: BTreeMap<String, Pong>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Pong {
    Back { ping: Vec<Either> },
    Done,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Ping(Ping),
    Number(u8),
}

#[derive(Deserialize, JsonSchema)]
enum LastResort {
    Named(u8),
    #[serde(untagged)]
    Other(Vec<LastResort>),
}

#[derive(Deserialize, JsonSchema)]
struct Flattening {
    #[serde(flatten)]
    inner: Flattened,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Flattened {
    Branch { children: Vec<Flattening> },
    Leaf { value: u8 },
}

/// The parameters themselves are the recursive type.
#[derive(Deserialize, JsonSchema)]
struct Whole {
    next: Option<OneOrMany<Whole>>,
}

#[test]
fn recursion_through_an_untagged_enum_is_a_mistake_that_names_the_cure() {
    fn refused<T: for<'de> Deserialize<'de> + JsonSchema + 'static>(name: &str) {
        assert_one(
            builder().procedure(taking::<Holding<T>>("p")),
            Some("p"),
            &[
                "parameter `value`",
                &format!("`{name}`"),
                "untagged",
                "tag = ",
                ".unchecked(reason)",
            ],
        );
    }
    refused::<ThroughList>("ThroughList");
    refused::<Vec<Option<ThroughList>>>("ThroughList");
    refused::<ThroughOption>("ThroughOption");
    refused::<ThroughMap>("ThroughMap");
    refused::<ThroughTuple>("ThroughTuple");
    refused::<ThroughGenerics>("OneOrMany_of_ThroughGenerics");
    refused::<Ping>("Either");
    refused::<LastResort>("LastResort");
    refused::<Flattening>("Flattening");
    assert_one(
        builder().procedure(taking::<Whole>("p")),
        Some("p"),
        &["`next`", "untagged"],
    );
    assert_one(
        builder().procedure(taking::<Vec<ThroughList>>("p")),
        Some("p"),
        &["`values`", "`ThroughList`"],
    );
}

#[derive(Deserialize, JsonSchema)]
struct FlatMap {
    #[serde(default)]
    value: u8,
    #[serde(flatten)]
    children: BTreeMap<String, Vec<FlatMap>>,
}

#[derive(Deserialize, JsonSchema)]
struct FlatTagged {
    #[serde(flatten)]
    inner: Inner,
}

/// Tagged internally, with the schema of an adjacently tagged enum.
#[derive(Deserialize, JsonSchema)]
struct FlatOneField {
    #[serde(flatten)]
    inner: OneField,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum OneField {
    Branch { value: Vec<FlatOneField> },
    Leaf { value: u8 },
}

#[derive(Deserialize, JsonSchema)]
struct FlatTwice {
    #[serde(flatten)]
    other: Other,
    #[serde(flatten)]
    inner: InnerTwice,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Inner {
    Branch { children: Vec<FlatTagged> },
    Leaf { value: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum InnerTwice {
    Branch { children: Vec<FlatTwice> },
    Leaf { value: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "other")]
enum Other {
    A,
    B,
}

#[test]
fn recursion_through_what_is_flattened_and_copied_is_a_mistake_that_names_the_cure() {
    fn refused<T: for<'de> Deserialize<'de> + JsonSchema + 'static>(name: &str) {
        assert_one(
            builder().procedure(taking::<Holding<T>>("p")),
            Some("p"),
            &[
                "parameter `value`",
                &format!("`{name}`"),
                "flattened",
                "use a separate field",
                ".unchecked(reason)",
            ],
        );
    }
    refused::<FlatMap>("FlatMap");
    refused::<FlatOneField>("FlatOneField");
    refused::<FlatAdjacent>("FlatAdjacent");
    refused::<FlatTagged>("FlatTagged");
    refused::<FlatTwice>("FlatTwice");
}

#[derive(Deserialize, JsonSchema)]
struct FlatStruct {
    #[serde(flatten)]
    inner: Fields,
    #[serde(flatten)]
    maybe: Option<Box<MoreFields>>,
    #[serde(flatten)]
    named: Named,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

/// Described like an enum with an internal tag.
#[derive(Deserialize, JsonSchema)]
struct FlatAdjacent {
    name: String,
    #[serde(flatten)]
    inner: Adjacent,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    Branch(Vec<FlatAdjacent>),
    Leaf(u8),
}

#[derive(Deserialize, JsonSchema)]
struct MapOfItself(BTreeMap<String, MapOfItself>);

#[derive(Deserialize, JsonSchema)]
struct MapOfTagged(BTreeMap<String, TaggedMap>);

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum TaggedMap {
    Inner { map: MapOfTagged },
    Leaf,
}

#[derive(Deserialize, JsonSchema)]
struct Fields {
    children: Vec<FlatStruct>,
}

#[derive(Deserialize, JsonSchema)]
struct MoreFields {
    more: Vec<FlatStruct>,
}

#[derive(Deserialize, JsonSchema)]
enum Named {
    First { children: Vec<FlatStruct> },
    Second(u8),
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    next: Option<Box<Tree>>,
    value: Scalar,
    children: Vec<Tagged>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Scalar {
    Number(f64),
    Text(String),
    List(Vec<Plain>),
}

#[derive(Deserialize, JsonSchema)]
struct Plain {
    x: u8,
}

#[derive(Deserialize, JsonSchema)]
enum Tagged {
    Tree(Box<Tree>),
    Two(Box<Tagged>, u8),
}

#[test]
fn other_recursion_is_fine_and_so_is_an_untagged_enum_beside_it() {
    assert_fine(builder().procedure(taking::<Holding<Tree>>("p")));
    assert_fine(builder().procedure(taking::<Holding<Option<OneOrMany<Plain>>>>("p")));
    assert_fine(builder().procedure(taking::<Holding<FlatStruct>>("p")));
    assert_fine(builder().procedure(taking::<Holding<MapOfItself>>("p")));
    assert_fine(builder().procedure(taking::<Holding<MapOfTagged>>("p")));
}

#[test]
fn who_knows_better_may_say_so() {
    let procedure = taking::<Holding<ThroughList>>("p").unchecked("callers are our own");
    assert_fine(builder().procedure(procedure));
}

#[test]
fn results_and_the_data_of_errors_are_only_written() {
    let procedure = Procedure::sync("p", |_: Cx, (): ()| {
        Ok::<_, Fault>(ThroughList::Leaf { value: 1.0 })
    });
    assert_fine(builder().procedure(procedure.error_with_data::<ThroughList>(7, "Wrong")));
}
