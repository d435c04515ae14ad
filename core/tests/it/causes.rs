//! A mistake names its parameter and its cause, once.

use docent_core::{Cx, Fault, Procedure};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{assert_one, assert_untrue, builder, taking};

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
fn an_alias_inside_of_a_type_is_told_of_the_parameter_that_has_the_type() {
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

#[test]
fn integers_of_128_bits_in_a_flattened_type_are_found_by_a_test() {
    assert_untrue(
        builder().procedure(taking::<Flat<Wide>>("wide")),
        &["parameter `_unsigned`", "u128 is not supported"],
    );
    assert_untrue(
        builder().procedure(taking::<Beside<Flat<Wide>>>("wide")),
        &["parameter `_holds`", "128 is not supported"],
    );
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
fn a_clash_in_what_is_both_taken_and_returned_is_told_once() {
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
fn a_brace_that_repeats_nothing_is_told_how_it_is_written() {
    assert_one(
        builder().procedure(taking::<Braces>("braces")),
        Some("braces"),
        &["`pattern`", "write `\\{` for a brace"],
    );
}
