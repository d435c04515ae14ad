//! The rules of JSON-RPC, as data.

use std::collections::HashSet;

use docent_tools::wire::rules;

#[test]
fn no_rule_takes_a_response_to_something_else() {
    let rules = rules();
    assert_eq!(rules.len(), 51);
    let names: HashSet<&str> = rules.iter().map(|rule| &*rule.name).collect();
    assert_eq!(names.len(), rules.len());
    for rule in &rules {
        let name = &rule.name;
        for response in [
            r#"{"jsonrpc":"2.0","result":1,"id":"other"}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"?"},"id":null}"#,
            r#"{"version":"1.1","result":1,"id":null}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            "[]",
            "<html>",
            "\u{0}",
        ] {
            assert!(
                rule.judge(response.as_bytes()).is_err(),
                "{name} takes {response}"
            );
        }
        assert!(rule.judge(b"\xff").is_err(), "{name}");
        assert!(!rule.says.is_empty() && !rule.clause.is_empty(), "{name}");
    }
}

#[test]
fn requests_name_the_procedure_as_json() {
    let rules = rules();
    let rule = rules.iter().find(|rule| rule.name == "result").unwrap();
    assert_eq!(
        rule.request("a\"b"),
        r#"{"jsonrpc":"2.0","method":"a\"b","id":1}"#
    );
}

/// The servers that break a rule are written by hand; the rest of the table comes from the rules.
#[test]
fn the_page_of_rules_lists_every_rule() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/wire-rules.md");
    let page = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let rules = rules();
    assert_eq!(rows.len(), rules.len());
    for (row, rule) in rows.iter().zip(&rules) {
        let start = format!("| `{}` | {} | {} |", rule.name, rule.clause, rule.says);
        assert!(row.starts_with(&start), "{row}\n{start}");
    }
}
