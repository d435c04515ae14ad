//! Repeats the calls in the published examples.

use std::path::{Path, PathBuf};

use docent::Json;
use docent::Service;
use futures_util::StreamExt;
use golden::assert_golden;
use library::api;
use library::model::LoanEvent;
use serde_json::{Value, json};

use crate::database::new_store;
use crate::http::token;

/// Returns the service without its examples, so that they can be recorded whatever they say now.
fn bare(folder: &Path) -> Service {
    Service::builder("bare", "urn:example:bare")
        .state(new_store(folder))
        .procedures(api::procedures())
        .procedure(api::subscription())
        .build()
        .unwrap()
}

/// Returns `result` or `error` for an in-process call, and the value of that member. The value's
/// members keep the order in which the service wrote them.
fn answer(service: &Service, procedure: &str, params: &Json) -> (&'static str, Json) {
    let request = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","params":{params},"id":1}}"#);
    let response = actix_web::rt::System::new()
        .block_on(service.handle(request))
        .unwrap();
    let response: Json = String::from_utf8(response).unwrap().parse().unwrap();
    ["result", "error"]
        .into_iter()
        .find_map(|outcome| Some((outcome, response.get(outcome)?.clone())))
        .unwrap_or_else(|| panic!("{procedure} {params}: {response}"))
}

fn file_of(procedure: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/api/examples")
        .join(format!("{procedure}.json"))
}

/// Returns the examples of a procedure as they were recorded.
fn recorded(procedure: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file_of(procedure)).unwrap();
    serde_json::from_str(&text).unwrap()
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

/// The events are those of the loan in the example of `loan.start`, which then ends.
#[test]
fn the_published_example_of_the_subscription_is_what_a_new_library_tells() {
    let folder = tempfile::tempdir().unwrap();
    let service = bare(folder.path());
    let start = &recorded("loan.start")[0]["params"];
    let (_, loan) = answer(&service, "loan.start", &start.into());
    let end = json!({"loan": loan.get("id").and_then(Json::as_i64)});
    assert_eq!(answer(&service, "loan.end", &(&end).into()).0, "result");
    let params = recorded("loan.watch")[0]["params"].clone();
    let events = actix_web::rt::System::new().block_on(async {
        service
            .subscribe::<LoanEvent>("loan.watch", &params)
            .await
            .unwrap()
            .take(2)
            .map(|item| item.unwrap().value)
            .collect::<Vec<_>>()
            .await
    });
    let text = std::fs::read_to_string(file_of("loan.watch")).unwrap();
    let mut examples: Json = text.parse().unwrap();
    let Json::Array(list) = &mut examples else {
        panic!("not a list of examples");
    };
    let items = serde_json::to_string(&events).unwrap().parse().unwrap();
    let members = list[0].as_object_mut().unwrap();
    members.insert("items".to_owned(), items);
    assert_golden(file_of("loan.watch"), &format!("{examples:#}\n"));
}

#[test]
fn the_examples_of_the_files_are_the_examples_of_the_description() {
    let folder = tempfile::tempdir().unwrap();
    let service = api::service(new_store(folder.path()), &token(), None).unwrap();
    for procedure in &service.description().procs {
        let recorded = recorded(&procedure.name);
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
            assert_eq!(published.items.clone().map(Json::Array), recorded("items"));
        }
    }
}
