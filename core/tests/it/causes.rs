//! A mistake names its parameter and its cause, once.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use docent_core::{Cx, Fault, Procedure};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{assert_fine, assert_one, assert_untrue, builder, mistakes, taking};

#[derive(Deserialize, JsonSchema)]
struct Aliased {
    #[serde(alias = "other")]
    _value: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Beside<T> {
    _apart: u8,
    _holds: T,
}

#[test]
fn an_alias_inside_of_a_type_is_reported_for_the_parameter_of_the_type() {
    let procedure = taking::<Beside<Aliased>>("alias");
    assert_one(
        builder().procedure(procedure),
        Some("alias"),
        &["parameter `_holds`", "`other`"],
    );
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

#[derive(Deserialize, JsonSchema)]
struct Converted {
    #[serde(deserialize_with = "from_text")]
    _number: u8,
    _plain: u8,
}

#[derive(Deserialize, JsonSchema)]
struct Flat<T> {
    _own: u8,
    #[serde(flatten)]
    _inner: T,
}

#[test]
fn a_function_that_decodes_another_type_is_found_by_a_test_also_where_it_is_flattened() {
    assert_untrue(
        builder().procedure(taking::<Converted>("convert")),
        &["parameter `_number`", "expected a string, found"],
    );
    assert_untrue(
        builder().procedure(taking::<Beside<Flat<Converted>>>("convert")),
        &["parameter `_holds`", "expected a string"],
    );
}

#[derive(Deserialize, JsonSchema)]
struct Wide {
    _unsigned: u128,
    _signed: Option<i128>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged<T> {
    One { _holds: T },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged<T> {
    One { _holds: T },
    Text(()),
}

#[derive(Deserialize, JsonSchema)]
struct Counts {
    _counts: BTreeMap<u64, String>,
}

#[test]
fn integers_of_128_bits_that_serde_reads_from_a_buffer_are_a_mistake() {
    let wide = |procedure: Procedure, parameter: &str| {
        let words = [parameter, "integers of 128 bits", "`.unchecked(reason)`"];
        assert_one(builder().procedure(procedure), Some("wide"), &words);
    };
    wide(taking::<Beside<Flat<Wide>>>("wide"), "parameter `_holds`");
    wide(taking::<Beside<Tagged<u128>>>("wide"), "parameter `_holds`");
    wide(
        taking::<Beside<Untagged<i128>>>("wide"),
        "parameter `_holds`",
    );
    let found: Vec<String> = mistakes(builder().procedure(taking::<Flat<Wide>>("wide")))
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("parameter `_unsigned`"), "{found:#?}");
    assert!(found[1].contains("parameter `_signed`"), "{found:#?}");
    assert_fine(builder().procedure(taking::<Wide>("plain")));
    let unchecked = taking::<Flat<Wide>>("wide").unchecked("never called");
    assert_fine(builder().procedure(unchecked));
}

#[test]
fn keys_that_are_integers_and_that_serde_reads_from_a_buffer_are_a_mistake() {
    for procedure in [
        taking::<Beside<Tagged<BTreeMap<u64, String>>>>("keys"),
        taking::<Beside<Untagged<BTreeMap<i8, String>>>>("keys"),
        taking::<Beside<Flat<Counts>>>("keys"),
        taking::<Beside<Flat<BTreeMap<u32, String>>>>("keys"),
        taking::<Beside<Vec<Tagged<BTreeMap<NonZeroU8, u8>>>>>("keys"),
        taking::<Beside<Tagged<BTreeMap<u128, String>>>>("keys"),
    ] {
        let words = ["parameter `_holds`", "keys of maps that are integers"];
        assert_one(builder().procedure(procedure), Some("keys"), &words);
    }
    let parameter = taking::<Flat<Counts>>("keys");
    let words = ["parameter `_counts`", "keys of maps that are integers"];
    assert_one(builder().procedure(parameter), Some("keys"), &words);
    assert_fine(builder().procedures([
        taking::<Counts>("plain"),
        taking::<Beside<Tagged<BTreeMap<String, u64>>>>("texts"),
        taking::<Beside<Flat<BTreeMap<String, u64>>>>("flat"),
    ]));
}

mod other {
    use super::{Deserialize, JsonSchema, Serialize};

    #[derive(Deserialize, Serialize, JsonSchema)]
    pub(super) struct Address {
        _city: String,
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Address {
    _street: String,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Both {
    _one: Address,
    _two: other::Address,
}

#[test]
fn a_clash_of_a_type_that_is_both_taken_and_returned_is_reported_once() {
    let echo = Procedure::sync("echo", |_: Cx, both: Both| Ok::<_, Fault>(both));
    assert_one(builder().procedure(echo), Some("echo"), &["`Address`"]);
    // Types that are only returned are reported too.
    let give = Procedure::sync("give", |_: Cx, (): ()| Ok::<Option<Both>, Fault>(None));
    assert_one(builder().procedure(give), Some("give"), &["`Address`"]);
}

#[derive(Deserialize, JsonSchema)]
struct Braces {
    #[schemars(regex(pattern = "^{x}$"))]
    _text: String,
}

#[test]
fn the_error_for_a_brace_that_repeats_nothing_says_how_to_write_it() {
    assert_one(
        builder().procedure(taking::<Braces>("braces")),
        Some("braces"),
        &["`pattern`", "write `\\{` for a brace"],
    );
}
