//! Examples and defaults: calls that work, and values that follow their own rules.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use docent_core::{Cx, Fault, Procedure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{assert_fine, assert_one, builder, mistakes, plain, taking};

#[derive(Deserialize, JsonSchema)]
struct Words {
    words: String,
    #[schemars(range(min = 1, max = 100))]
    #[serde(default = "twenty")]
    limit: u32,
}

fn twenty() -> u32 {
    20
}

/// Returns a procedure with this example.
fn with_example(params: &Value, result: &Value) -> Procedure {
    Procedure::sync("find", |_: Cx, p: Words| {
        Ok::<_, Fault>(vec![p.words; p.limit as usize])
    })
    .example(params, result)
}

#[test]
fn examples_that_hold_are_fine() {
    for params in [
        json!(["moby"]),
        json!(["moby", 3]),
        json!({"words": "moby"}),
        json!({"limit": 1, "words": ""}),
    ] {
        assert_fine(builder().procedure(with_example(&params, &json!(["a", "b"]))));
    }
    assert_fine(builder().procedure(plain("none").example((), ())));
}

#[test]
fn an_example_whose_parameters_do_not_decode_is_a_mistake() {
    for (params, word) in [
        (json!([]), "words"),
        (json!(null), "words"),
        (json!([1]), "words"),
        (json!(["a", -1]), "limit"),
        (json!(["a", 1, 2]), "2"),
        (json!({"word": "a"}), "word"),
        (json!({"words": "a", "more": 1}), "more"),
        (json!("words"), "array"),
        (json!(7), "array"),
        // Violating a constraint is a mistake, like a wrong type.
        (json!(["a", 0]), "limit"),
        (json!(["a", 101]), "limit"),
    ] {
        assert_one(
            builder().procedure(with_example(&params, &json!([]))),
            Some("find"),
            &["example 1", word],
        );
    }
}

#[test]
fn an_example_whose_result_is_not_what_the_procedure_returns_is_a_mistake() {
    for result in [
        json!(null),
        json!("a"),
        json!([1]),
        json!({"a": 1}),
        json!(["a", null]),
    ] {
        assert_one(
            builder().procedure(with_example(&json!(["a"]), &result)),
            Some("find"),
            &["example 1", "result"],
        );
    }
    let nothing = plain("nothing").example((), json!(1));
    assert_one(
        builder().procedure(nothing),
        Some("nothing"),
        &["example 1", "result"],
    );
}

#[test]
fn every_example_is_looked_at() {
    let procedure = with_example(&json!(["a"]), &json!([]))
        .example(json!([1]), json!([]))
        .example_with_summary("the third", json!(["a"]), json!(1));
    let found = mistakes(builder().procedure(procedure));
    let texts: Vec<_> = found.iter().map(docent_core::Mistake::text).collect();
    assert_eq!(found.len(), 2, "{texts:?}");
    assert!(
        texts[0].contains("example 2") && texts[1].contains("example 3"),
        "{texts:?}"
    );
}

#[test]
fn an_example_that_cannot_be_written_is_a_mistake() {
    let keys = HashMap::from([(vec![1], 2)]);
    let procedure = plain("none").example((), keys);
    assert_one(builder().procedure(procedure), Some("none"), &["example"]);
}

#[derive(Deserialize, JsonSchema)]
struct BadDefault {
    #[schemars(range(min = 1, max = 10))]
    #[serde(default = "eleven")]
    _n: i32,
}

fn eleven() -> i32 {
    11
}

#[test]
fn a_default_that_breaks_its_own_rules_is_a_mistake() {
    assert_one(
        builder().procedure(taking::<BadDefault>("bad")),
        Some("bad"),
        &["default", "`_n`"],
    );
}

#[derive(Deserialize, JsonSchema)]
struct NoNumber {
    #[serde(default = "not_a_number")]
    _n: f32,
}

fn not_a_number() -> f32 {
    f32::NAN
}

#[test]
fn a_default_that_json_has_no_number_for_is_a_mistake_that_says_so() {
    assert_one(
        builder().procedure(taking::<NoNumber>("bad")),
        Some("bad"),
        &["default", "`_n`", "NaN and the infinities become null"],
    );
}

/// A page of a list.
#[derive(Deserialize, JsonSchema)]
struct Page {
    #[serde(default)]
    #[schemars(range(min = 1))]
    _number: u32,
    #[serde(default = "twenty")]
    #[schemars(range(max = 100))]
    _length: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Nested<P> {
    _page: P,
}

#[test]
fn a_default_inside_a_nested_type_that_breaks_its_own_rules_is_a_mistake() {
    let words = ["`_number` in the type `Page`", "from 1"];
    assert_one(
        builder().procedure(taking::<Nested<Page>>("list")),
        Some("list"),
        &words,
    );
    assert_one(
        builder().procedure(taking::<Nested<Vec<Page>>>("list")),
        Some("list"),
        &words,
    );
    // A type that two procedures share has one mistake.
    let both = [
        taking::<Nested<Page>>("list"),
        taking::<Nested<Page>>("more"),
    ];
    assert_one(builder().procedures(both), Some("list"), &words);
}

#[derive(Deserialize, JsonSchema)]
struct Counted {
    #[serde(default = "counted")]
    _number: u64,
}

/// A default that changes with each call.
fn counted() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[derive(Deserialize, JsonSchema)]
struct Any {
    #[serde(default = "any_order")]
    _words: HashSet<String>,
}

/// The same words in another order each time.
fn any_order() -> HashSet<String> {
    (0..9).map(|word| word.to_string()).collect()
}

#[test]
fn a_default_that_is_not_constant_is_a_mistake() {
    let words = ["the default of `_number` is not constant", "Option"];
    assert_one(
        builder().procedure(taking::<Counted>("list")),
        Some("list"),
        &words,
    );
    assert_one(
        builder().procedure(taking::<Nested<Counted>>("list")),
        Some("list"),
        &words,
    );
    assert_fine(builder().procedure(taking::<Nested<Any>>("list")));
}

/// The same, without a name in the description.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
struct InPlace {
    #[serde(default)]
    #[schemars(range(min = 1))]
    _number: u32,
}

#[test]
fn a_default_inside_a_parameter_is_named_with_it() {
    let procedure = taking::<Nested<InPlace>>("list");
    assert_one(
        builder().procedure(procedure),
        Some("list"),
        &["`_number` in parameter `_page`"],
    );
}

#[derive(serde::Serialize, JsonSchema)]
struct Answer {
    #[serde(default = "twenty")]
    #[schemars(range(max = 10))]
    left: u32,
}

#[test]
fn defaults_of_results_and_errors_are_held_to_their_rules_too() {
    let answering = Procedure::sync("left", |_: Cx, (): ()| Ok::<_, Fault>(Answer { left: 1 }));
    assert_one(
        builder().procedure(answering),
        Some("left"),
        &["`left` in the"],
    );
    let failing = plain("left").error_with_data::<Answer>(7, "Seven");
    assert_one(
        builder().procedure(failing),
        Some("left"),
        &["`left` in the"],
    );
}
