//! All mistakes are reported together, each with its procedure.

use docent_core::Service;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{mistakes, plain, taking};

#[derive(Deserialize, JsonSchema)]
struct RequiredLast {
    _first: Option<i32>,
    _second: i32,
}

#[test]
fn all_mistakes_are_found_at_once_and_each_names_its_procedure() {
    let builder = Service::builder("", "no uri")
        .public_url("nowhere")
        .help("nowhere")
        .procedure(plain("rpc.mine"))
        .procedure(plain("a/b"))
        .procedure(plain("twice"))
        .procedure(plain("twice"))
        .procedure(taking::<RequiredLast>("late"))
        .procedure(taking::<i32>("number"))
        .procedure(
            plain("code")
                .error(-32000, "Mine")
                .error(5, "a")
                .error(5, "b"),
        )
        .procedure(plain("listed").list_name("x"))
        .procedure(
            taking::<Vec<i32>>("example")
                .example(json!(["x"]), ())
                .example(json!([1]), 7),
        )
        .procedure(plain("fine"));
    let found = mistakes(builder);
    for (procedure, expected) in [
        (None, 4),
        (Some("rpc.mine"), 1),
        (Some("a/b"), 1),
        (Some("twice"), 1),
        (Some("late"), 1),
        (Some("number"), 1),
        (Some("code"), 2),
        (Some("listed"), 1),
        (Some("example"), 2),
        (Some("fine"), 0),
    ] {
        let mistakes = found
            .iter()
            .filter(|mistake| mistake.procedure() == procedure);
        assert_eq!(mistakes.count(), expected, "{procedure:?}: {found:#?}");
    }
    assert_eq!(found.len(), 14, "{found:#?}");
}

#[test]
fn the_error_lists_every_mistake_on_a_line_of_its_own() {
    let error = Service::builder("lists", "no uri")
        .procedure(plain("a/b"))
        .build()
        .expect_err("two mistakes");
    let text = error.to_string();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(
        lines[0].contains("\"lists\"") && lines[0].contains("2 mistakes"),
        "{text}"
    );
    assert!(lines[1].contains("no uri"), "{text}");
    assert!(lines[2].contains("\"a/b\""), "{text}");
}

#[test]
fn a_service_without_procedures_describes_itself_all_the_same() {
    let service = Service::builder("empty", crate::ID)
        .build()
        .expect("a service");
    assert!(service.description().procs.is_empty());
    assert_eq!(service.is_idempotent("rpc.describe"), Some(true));
}
