//! Repeats the README's call on a new library and compares the answers.
//!
//! Two days far apart show that the answer does not depend on when a reader tries the call.

use docent::describe::json::Json;

use crate::http::Served;

const README: &str = include_str!("../../../../README.md");

/// Returns the body of the call and the answer that the README shows.
fn shown() -> (&'static str, &'static str) {
    let (_, section) = README
        .split_once("## Try a real one")
        .expect("the section about the library");
    let (_, call) = section.split_once("-d '").expect("a call");
    let (body, rest) = call.split_once("'\n").expect("the end of the command");
    let (answer, _) = rest.split_once("\n$ ").expect("the next command");
    (body, answer)
}

/// Returns JSON without the whitespace between tokens.
fn compact(text: &str) -> String {
    let value: Json = text.parse().expect("JSON");
    value.to_string()
}

#[test]
fn the_answer_in_the_readme_is_the_answer_of_a_new_library() {
    let (body, answer) = shown();
    for today in ["2026-03-02", "2031-10-17"] {
        let served = Served::on(today);
        let answered = served.client().send("POST", "/rpc", body);
        assert_eq!(compact(&answered.body), compact(answer));
    }
}
