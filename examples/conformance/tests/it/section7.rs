//! Every example of section 7 of the JSON-RPC 2.0 specification.

use serde_json::Value;

use crate::{Server, handle, service};

const EXAMPLES: &str = include_str!("../data/section7.json");

struct Example {
    name: String,
    request: String,
    /// `None` if there is no response.
    response: Option<Value>,
}

fn examples() -> Vec<Example> {
    let examples: Vec<Value> = serde_json::from_str(EXAMPLES).expect("test data");
    examples
        .into_iter()
        .map(|example| Example {
            name: example["name"].to_string(),
            request: example["request"].as_str().expect("a text").to_owned(),
            response: Some(example["response"].clone()).filter(|response| !response.is_null()),
        })
        .collect()
}

/// Checks that the response contains the text of every id, because ids are returned byte for byte.
fn assert_ids_are_verbatim(example: &Example, answer: &str) {
    let responses = match &example.response {
        Some(Value::Array(responses)) => responses.as_slice(),
        Some(response) => std::slice::from_ref(response),
        None => &[],
    };
    for response in responses {
        let id = format!("\"id\":{}", response["id"]);
        assert!(
            answer.contains(&id),
            "{}: {id} is not in {answer}",
            example.name
        );
    }
}

#[test]
fn every_example_holds_in_process() {
    let service = service();
    let examples = examples();
    assert_eq!(examples.len(), 15);
    for example in examples {
        let answer = handle(&service, example.request.as_bytes());
        let json = answer
            .as_deref()
            .map(|answer| serde_json::from_slice(answer).expect("JSON"));
        assert_eq!(json, example.response, "{}", example.name);
        let text = String::from_utf8(answer.unwrap_or_default()).expect("UTF-8");
        assert_ids_are_verbatim(&example, &text);
    }
}

#[test]
fn every_example_holds_over_http() {
    let server = Server::start(service());
    for example in examples() {
        let answer = server.post(&example.request);
        match &example.response {
            Some(response) => {
                assert_eq!(answer.status, 200, "{}", example.name);
                assert_eq!(answer.header("content-type"), Some("application/json"));
                assert_eq!(&answer.json(), response, "{}", example.name);
                assert_ids_are_verbatim(&example, answer.text());
            }
            None => {
                assert_eq!(
                    (answer.status, answer.body.len()),
                    (204, 0),
                    "{}",
                    example.name
                );
            }
        }
    }
}
