//! `docent mcp`: an agent finds procedures in a site.

use serde_json::{Value, json};

use crate::support::{Folder, data, run, run_with_input};

/// Sends messages, and returns the answers.
fn answers(site: &str, revision: &str, messages: &[Value]) -> Vec<Value> {
    let client = json!({"name": "test", "version": "1"});
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}});
    let known = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let lines = [&first, &known].into_iter().chain(messages);
    let lines: Vec<String> = lines.map(ToString::to_string).collect();
    let ran = run_with_input(&["mcp", site], lines.join("\n").as_bytes());
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    let lines = ran.stdout.lines();
    lines
        .map(|it| serde_json::from_str(it).expect("JSON"))
        .collect()
}

fn find(arguments: &Value) -> Value {
    let params = json!({"name": "find_procedures", "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

#[test]
fn procedures_are_found_by_words_in_a_site_and_a_catalogue() {
    let folder = Folder::new();
    let (one, many) = (folder.arg("one"), folder.arg("many"));
    assert_eq!(run(["docs", &data("shop.json"), "-o", &one]).code, 0);
    let inputs = [data("shop.json"), data("clock.1.1.json")];
    let catalogue = ["docs", &inputs[0], &inputs[1], "-o", &many];
    assert_eq!(run(catalogue).code, 0);
    for (site, page) in [
        (&one, "one/basket.add.md"),
        (&many, "many/shop/basket.add.md"),
    ] {
        for revision in ["2025-11-25", "2025-06-18", "2024-11-05"] {
            let list = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
            let sent = [find(&json!({"words": "BASKET add"})), list];
            let [first, found, tools] = &answers(site, revision, &sent)[..] else {
                panic!("three requests have three answers");
            };
            assert_eq!(first["result"]["protocolVersion"], revision);
            assert_eq!(tools["result"]["tools"].as_array().map(Vec::len), Some(1));
            let text = found["result"]["content"][0]["text"].as_str();
            let found: Value = serde_json::from_str(text.expect("a text")).expect("JSON");
            assert_eq!(found["total"], 1);
            let procedure = &found["procedures"][0];
            assert_eq!(procedure["name"], "basket.add");
            assert_eq!(procedure["service"], "shop");
            let params = json!([
                r#"article: {"type":"integer"}"#,
                r#"number?: {"type":"integer"}"#
            ]);
            assert_eq!(procedure["params"], params);
            let found_page = procedure["page"].as_str().expect("a path");
            assert!(
                found_page.ends_with(page) && folder.has(page),
                "{found_page}"
            );
        }
    }
}

#[test]
fn what_is_found_is_limited_and_nothing_is_no_error() {
    let folder = Folder::new();
    let site = folder.arg("site");
    assert_eq!(run(["docs", &data("shop.json"), "-o", &site]).code, 0);
    for (arguments, total, listed) in [
        (json!({"words": "basket", "limit": 1}), 2, 1),
        (json!({"words": "basket nowhere"}), 0, 0),
    ] {
        let answers = answers(&site, "2025-11-25", &[find(&arguments)]);
        let found = &answers[1]["result"]["structuredContent"];
        assert_eq!(found["total"], total);
        assert_eq!(found["procedures"].as_array().map(Vec::len), Some(listed));
    }
    let answers = answers(&site, "2025-11-25", &[find(&json!({"limit": 99}))]);
    assert_eq!(answers[1]["result"]["isError"], true);
}

#[test]
fn a_folder_has_to_be_a_site() {
    let folder = Folder::new();
    folder.write("assets/index.js", "docentIndex(");
    for name in ["", "nowhere"] {
        let ran = run(["mcp", &folder.arg(name)]);
        assert_eq!(ran.code, 4);
        assert!(
            ran.stderr.contains("not the folder of a site"),
            "{}",
            ran.stderr
        );
    }
}
