//! A mistake names its parameter and its cause, once.

use docent_core::{Cx, Fault, Procedure};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{assert_one, builder, mistakes, taking};

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
fn a_function_that_decodes_another_type_is_told_of_its_own_parameter_also_where_it_is_flattened() {
    let service = builder().procedure(taking::<Flat<Converted>>("convert"));
    let service = service.build().expect("only warnings");
    let warnings: Vec<String> = service.warnings().iter().map(ToString::to_string).collect();
    let [warning] = &*warnings else {
        panic!("{warnings:#?}");
    };
    for words in ["parameter `_number`", "deserialize_with", "found 0"] {
        assert!(warning.contains(words), "{warning}");
    }
    let nested = builder().procedure(taking::<Beside<Flat<Converted>>>("convert"));
    let nested = nested.build().expect("only warnings");
    assert_eq!(nested.warnings().len(), 1, "{:?}", nested.warnings());
}

#[derive(Deserialize, JsonSchema)]
struct Wide {
    _unsigned: u128,
    _signed: Option<i128>,
}

#[test]
fn integers_of_128_bits_in_a_flattened_type_are_told_of_once_each() {
    let found = mistakes(builder().procedure(taking::<Flat<Wide>>("wide")));
    let texts: Vec<&str> = found.iter().map(docent_core::Mistake::text).collect();
    assert_eq!(texts.len(), 2, "{texts:#?}");
    for name in ["_unsigned", "_signed"] {
        let start = format!("parameter `{name}`: ");
        let mut of_it = texts.iter().filter(|text| text.starts_with(&start));
        assert!(
            of_it.next().is_some_and(|text| text.contains("128-bit")),
            "{texts:#?}"
        );
    }
    assert_one(
        builder().procedure(taking::<Beside<Flat<Wide>>>("wide")),
        Some("wide"),
        &["parameter `_holds`", "128-bit"],
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
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
enum Number {
    Single(f32),
    Double(f64),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only described")]
enum Apart {
    Single(f32),
    Text(String),
}

#[test]
fn a_single_that_takes_from_a_buffer_what_only_a_double_can_hold_is_a_mistake() {
    assert_one(
        builder().procedure(taking::<Beside<Number>>("number")),
        Some("number"),
        &["parameter `_holds`", "1e39", "infinite", "`f64`"],
    );
    // A value with only one possible form is held to its bounds.
    assert!(mistakes(builder().procedure(taking::<Beside<Apart>>("apart"))).is_empty());
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
