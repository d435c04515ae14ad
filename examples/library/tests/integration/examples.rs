//! Repeats the calls in the published examples.

use std::path::{Path, PathBuf};

use docent::Json;
use docent::Service;
use golden::assert_golden;
use library::api;
use serde_json::Value;

use crate::database::new_store;
use crate::http::token;

/// Returns the service without its examples, so that they can be recorded whatever they say now.
fn bare(folder: &Path) -> Service {
    Service::builder("bare", "urn:example:bare")
        .state(new_store(folder))
        .procedures(api::procedures())
        .build()
        .unwrap()
}

/// Returns `result` or `error` for an in-process call, and the value of that member. The value's
/// members keep the order in which the service wrote them.
fn answer(service: &Service, procedure: &str, params: &Json) -> (&'static str, Json) {
    let request = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":1}}"#);
    let answer = actix_web::rt::System::new()
        .block_on(service.handle(request))
        .unwrap();
    let answer: Json = String::from_utf8(answer).unwrap().parse().unwrap();
    ["result", "error"]
        .into_iter()
        .find_map(|outcome| Some((outcome, answer.get(outcome)?.clone())))
        .unwrap_or_else(|| panic!("{procedure} {params}: {answer}"))
}

fn file_of(procedure: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/api/examples")
        .join(format!("{procedure}.json"))
}

/// Each example runs on a library of its own, so that no example sees the changes of another. The
/// file is copied, because filling a new one takes longer than the call.
#[test]
fn every_published_example_is_what_a_new_library_answers() {
    let filled = tempfile::tempdir().unwrap();
    drop(new_store(filled.path()));
    for procedure in api::procedures() {
        let name = procedure.name();
        let text = std::fs::read_to_string(file_of(name)).unwrap();
        let mut recorded: Json = text.parse().unwrap();
        let Json::Array(examples) = &mut recorded else {
            panic!("{name}: not a list of examples");
        };
        assert!(!examples.is_empty(), "{name} has no example");
        for example in examples {
            let folder = tempfile::tempdir().unwrap();
            let file = |folder: &Path| folder.join("library.db");
            std::fs::copy(file(filled.path()), file(folder.path())).unwrap();
            let (outcome, real) =
                answer(&bare(folder.path()), name, example.get("params").unwrap());
            let members = example.as_object_mut().unwrap();
            members.insert(outcome.to_owned(), real);
        }
        assert_golden(file_of(name), &format!("{recorded:#}\n"));
    }
}

#[test]
fn the_examples_of_the_files_are_the_examples_of_the_description() {
    let folder = tempfile::tempdir().unwrap();
    let service = api::service(new_store(folder.path()), &token(), None).unwrap();
    for procedure in &service.description().procs {
        let text = std::fs::read_to_string(file_of(&procedure.name)).unwrap();
        let recorded: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert_eq!(
            procedure.examples.len(),
            recorded.len(),
            "{}",
            procedure.name
        );
        for (published, recorded) in procedure.examples.iter().zip(&recorded) {
            assert_eq!(published.summary.as_deref(), recorded["summary"].as_str());
            assert_eq!(published.params, Some(Json::from(&recorded["params"])));
            let recorded = |outcome| recorded.get(outcome).map(Json::from);
            assert_eq!(published.result, recorded("result"));
            assert_eq!(published.error, recorded("error"));
        }
    }
}
