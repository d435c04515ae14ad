//! Golden files of the service's descriptions.
//!
//! To accept a change, run the tests with `DOCENT_UPDATE=1` in the environment and review the diff.

use docent::Json;
use docent::describe::render::{FORMAT_SCHEMA, SYSTEM_DESCRIBE_SCHEMA};
use golden::assert_golden;
use serde_json::Value;

use crate::reply::Response;
use crate::{handle, service};

/// Returns the text of the result of a procedure without parameters.
fn result(procedure: &str) -> String {
    let body = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#);
    let answer = handle(&service(), body.as_bytes()).expect("a response");
    let response = Response::read(std::str::from_utf8(&answer).expect("UTF-8"));
    response.outcome.expect("a description")
}

#[track_caller]
fn check(procedure: &str, schema: &str) {
    let described = result(procedure);
    let schema = serde_json::from_str(schema).expect("a schema in JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let value: Value = serde_json::from_str(&described).expect("JSON");
    let errors: Vec<_> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
    // Not serde_json's pretty printer, because the order of members is part of what is served.
    let json: Json = described.parse().expect("JSON");
    assert_golden(
        format!("tests/golden/{procedure}.json"),
        &format!("{json:#}\n"),
    );
}

#[test]
fn rpc_describe_answers_as_in_the_file() {
    check("rpc.describe", FORMAT_SCHEMA);
}

#[test]
fn system_describe_answers_as_in_the_file() {
    check("system.describe", SYSTEM_DESCRIBE_SCHEMA);
}

#[test]
fn parts_of_the_description_are_descriptions_too() {
    let schema = serde_json::from_str(FORMAT_SCHEMA).expect("a schema in JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    for procs in [&[][..], &["sum"], &["get_data", "optional"]] {
        let params = serde_json::to_string(&[procs]).expect("JSON");
        let body =
            format!(r#"{{"jsonrpc":"2.0","method":"rpc.describe","params":{params},"id":1}}"#);
        let answer = handle(&service(), body.as_bytes()).expect("a response");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert!(validator.is_valid(&answer["result"]), "{procs:?}: {answer}");
        let described = answer["result"]["procs"].as_array().expect("procedures");
        let mut names: Vec<_> = described
            .iter()
            .map(|procedure| &procedure["name"])
            .collect();
        names.sort_unstable_by_key(ToString::to_string);
        assert_eq!(names, procs);
    }
}

#[test]
fn every_procedure_that_is_described_can_be_called_and_reserved_ones_do_not_list_themselves() {
    let described: Value = serde_json::from_str(&result("rpc.describe")).expect("JSON");
    let procs = described["procs"].as_array().expect("procedures");
    let idempotent: Vec<_> = procs
        .iter()
        .filter(|procedure| procedure["idempotent"] == true)
        .map(|procedure| procedure["name"].as_str().unwrap_or_default())
        .collect();
    let mut expected = [
        "subtract",
        "sum",
        "sum3",
        "get_data",
        "echo",
        "sleep",
        "large",
        "constrained",
        "optional",
    ];
    let mut found = idempotent.clone();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    for procedure in procs {
        let name = procedure["name"].as_str().expect("a name");
        assert!(
            !name.starts_with("rpc.") && !name.starts_with("system."),
            "{name}"
        );
        assert_eq!(
            service().is_idempotent(name),
            Some(idempotent.contains(&name)),
            "{name}"
        );
    }
}
