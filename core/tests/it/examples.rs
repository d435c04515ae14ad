//! Examples and defaults: calls that work, and values that follow their own rules.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use docent_core::{Cx, Fault, Procedure, pages};
use docent_describe::json::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
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

/// A shelf, whose books come one by one.
#[derive(Serialize, JsonSchema)]
#[schemars(example = Shelf { name: "A" })]
struct Shelf {
    name: &'static str,
}

/// A loan, whose members have the examples.
#[derive(Serialize, JsonSchema)]
struct Loan {
    #[schemars(example = "Moby-Dick")]
    title: &'static str,
    shelf: Option<Shelf>,
    #[schemars(extend("const" = true))]
    lent: bool,
    /// The day, which is null in examples.
    until: Option<String>,
}

/// Returns a procedure with an example of its parameters alone.
fn returning<R: Serialize + JsonSchema + 'static>() -> Procedure {
    Procedure::sync("find", |_: Cx, (): ()| Err::<R, _>(Fault::new(7, "Never")))
        .example_params_with_summary("All", ())
}

/// Returns the result of the first example.
fn first_result(procedure: Procedure) -> Option<Value> {
    let service = builder().procedure(procedure).build().expect("no mistakes");
    let result = service.description().procs[0].examples[0].result.as_ref()?;
    Some(result.to_string().parse().expect("JSON"))
}

#[test]
fn an_example_of_parameters_alone_has_the_result_of_the_types_examples() {
    let shelf = json!({"name": "A"});
    let lent = json!({"title": "Moby-Dick", "shelf": shelf, "lent": true, "until": null});
    let results = [
        (first_result(returning::<Shelf>()), shelf.clone()),
        (first_result(returning::<Option<Shelf>>()), shelf),
        (first_result(returning::<Vec<Loan>>()), json!([lent])),
        (
            first_result(returning::<pages::Page<Loan>>()),
            json!({"items": [lent], "total": 1}),
        ),
        (first_result(returning::<()>()), json!(null)),
    ];
    for (made, expected) in results {
        assert_eq!(made.expect("a result"), expected);
    }
    assert_eq!(first_result(returning::<u8>().notification()), None);
}

#[test]
fn a_result_of_which_a_part_has_no_example_is_a_mistake() {
    #[derive(Serialize, JsonSchema)]
    struct Untold {
        #[schemars(example = 1)]
        told: u8,
        untold: u8,
    }
    let words = ["example 1", "the return type has no example", "schemars"];
    for procedure in [
        returning::<Untold>(),
        returning::<Vec<Untold>>(),
        returning::<pages::Page<Untold>>(),
        returning::<bool>(),
    ] {
        assert_one(builder().procedure(procedure), Some("find"), &words);
    }
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
struct Response {
    #[serde(default = "twenty")]
    #[schemars(range(max = 10))]
    left: u32,
}

#[test]
fn what_is_decoded_from_nothing_is_no_default_of_results_and_errors() {
    let answering = Procedure::sync("left", |_: Cx, (): ()| Ok::<_, Fault>(Response { left: 1 }))
        .error_with_data::<Response>(7, "Seven");
    let service = builder().procedure(answering).build().expect("a service");
    let response = &service.description().components.schemas["Response"];
    assert!(!response.to_string().contains("default"), "{response}");
}

/// A type that is taken and returned. What is left out means the same on both ways.
#[derive(Default, serde::Serialize, Deserialize, JsonSchema)]
struct Even {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    words: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// A type that is taken and returned. Only a caller can leave out the number and mean 20.
#[derive(Default, serde::Serialize, Deserialize, JsonSchema)]
struct Uneven {
    #[serde(default = "twenty", skip_serializing_if = "is_zero")]
    left: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[test]
fn a_default_is_about_what_callers_leave_out() {
    let even = Procedure::sync("even", |_: Cx, _: Nested<Even>| {
        Ok::<_, Fault>(Even::default())
    });
    let uneven = Procedure::sync("uneven", |_: Cx, _: Nested<Uneven>| {
        Ok::<_, Fault>(Uneven::default())
    });
    let service = builder().procedure(even).procedure(uneven).build();
    let service = service.expect("a service");
    let schemas = &service.description().components.schemas;
    let with_default = |(name, schema): (&String, &Json)| {
        (name.clone(), schema.to_string().contains(r#""default":20"#))
    };
    let schemas: Vec<_> = schemas.iter().map(with_default).collect();
    let expected = [("Even", false), ("Uneven", false), ("UnevenInput", true)];
    assert_eq!(
        schemas,
        expected.map(|(name, has_default)| (name.to_owned(), has_default))
    );
}

#[derive(Deserialize, JsonSchema)]
struct Patch {
    #[serde(default)]
    _note: Option<String>,
    #[serde(default = "some")]
    _kind: Option<String>,
}

#[expect(clippy::unnecessary_wraps, reason = "serde calls it for an option")]
fn some() -> Option<String> {
    Some("all".to_owned())
}

#[test]
fn a_default_of_null_is_not_published() {
    let service = builder().procedure(taking::<Patch>("patch")).build();
    let service = service.expect("a service");
    let [note, kind] = &service.description().procs[0].params[..] else {
        panic!("two parameters");
    };
    assert_eq!((note.required, &note.default), (false, &None));
    assert_eq!(kind.default, Some("all".into()));
}
