//! Texts that are sent only on purpose.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{bind, error_data, list, plan};

#[derive(Debug, Deserialize)]
struct Chain {
    #[serde(rename = "next")]
    _next: Option<Box<Chain>>,
}

#[derive(Debug, Deserialize)]
struct Tree(#[expect(dead_code, reason = "only its depth matters")] Vec<Tree>);

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its depth matters")]
enum Loose {
    Number(u8),
    Text(String),
    Many(Vec<Loose>),
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Runs on a stack of the default size for threads.
fn on_a_thread_of_its_own(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test);
    thread.unwrap().join().unwrap();
}

#[test]
fn the_default_nesting_is_taken_by_every_kind_of_type() {
    on_a_thread_of_its_own(|| {
        let arrays = nested("[", "", "]", 128);
        assert!(bind::<Vec<Value>>(&list(), &arrays).is_ok());
        assert!(bind::<Vec<Tree>>(&list(), &arrays).is_ok());
        assert!(bind::<Vec<Loose>>(&list(), &arrays).is_ok());
        let objects = nested(r#"{"next":"#, "null", "}", 127);
        assert!(bind::<Vec<Chain>>(&list(), &format!("[{objects}]")).is_ok());
        assert!(bind::<Vec<Value>>(&list(), &format!("[{objects}]")).is_ok());
    });
}

#[test]
fn deeper_nesting_ends_in_an_error_and_not_in_an_overflow_of_the_stack() {
    on_a_thread_of_its_own(|| {
        let arrays = nested("[", "", "]", 100_000);
        for data in [
            error_data::<Vec<Value>>(&list(), &arrays),
            error_data::<Vec<Tree>>(&list(), &arrays),
        ] {
            assert_eq!(data["reason"], "nested too deeply");
            assert!(data["pointer"].as_str().unwrap().starts_with("/0/0/0"));
        }
        let objects = format!("[{}]", nested(r#"{"next":"#, "null", "}", 100_000));
        assert!(bind::<Vec<Chain>>(&list(), &objects).is_err());
        // Skipping the value needs no stack.
        assert!(bind::<Vec<serde::de::IgnoredAny>>(&list(), &arrays).is_ok());
    });
}

#[test]
fn a_lone_surrogate_is_no_text() {
    for text in [r#"["\ud800"]"#, r#"["\udc00x"]"#, r#"["\ud800\ud800"]"#] {
        let data = error_data::<Vec<String>>(&list(), text);
        assert_eq!(data["pointer"], "/0");
        assert!(data["reason"].as_str().unwrap().contains("surrogate"));
        assert!(bind::<Vec<Value>>(&list(), text).is_err());
    }
    let data = error_data::<BTreeMap<String, u8>>(&plan(&["a"]), r#"{"\ud800": 1}"#);
    assert_eq!(data["parameter"], "\u{fffd}");
}

#[test]
fn what_is_quoted_is_short() {
    let long = "ä".repeat(100_000);
    for (text, plan) in [
        (format!("[\"{long}\"]"), plan(&["a"])),
        (
            format!("[{}1e5.5]", "1".repeat(100_000)).replace("1e5.5", ".5"),
            plan(&["a"]),
        ),
        (format!("{{\"{long}\": 1}}"), plan(&["a"])),
        (
            format!("{{\"a\": {{\"{long}\": {{\"{long}\": true}}}}}}"),
            plan(&["a"]),
        ),
    ] {
        let data = error_data::<BTreeMap<String, u8>>(&plan, &text).to_string();
        assert!(data.len() < 1500, "{} bytes: {}", data.len(), &data[..400]);
    }
    let data = error_data::<BTreeMap<String, BTreeMap<String, Value>>>(
        &plan(&["a"]),
        &format!("{{\"a\": {{\"{long}\": {{\"{long}\": 1e999}}}}}}"),
    );
    assert_eq!(data["pointer"], "");
}

type Deep = Vec<Vec<Vec<Vec<Vec<u8>>>>>;

#[test]
fn an_error_at_the_end_of_a_deep_and_wide_text_is_found_in_one_pass() {
    let wide = vec!["1"; 200_000].join(",");
    let text = format!("[{}]", nested("[", &format!("{wide},\"x\""), "]", 4));
    let data = error_data::<Deep>(&list(), &text);
    assert_eq!(data["pointer"], "/0/0/0/0/200000");
}

#[test]
fn text_that_is_not_json_is_an_error_wherever_it_ends() {
    let text = r#"{"a": [1, -2.5e3, "x\u00e9\n", {"b": null}], "c": true, "d": false} "#;
    for end in 0..text.len() {
        let Some(cut) = text.get(..end) else { continue };
        for garbage in ["", "\\", "\"", "é", "{", "]", ",", ":", "-", "nul"] {
            let broken = format!("{cut}{garbage}");
            let _ = bind::<BTreeMap<String, Value>>(&plan(&["a", "c", "d"]), &broken);
            let _ = bind::<BTreeMap<String, u8>>(&plan(&["a", "c", "d"]), &broken);
            let _ = bind::<Vec<i128>>(&list(), &broken);
        }
    }
}
