//! Results of validators.

use docent_describe::json::Json;
use docent_describe::schema::{SchemaContext, Validator};
use indexmap::IndexMap;

/// Returns whether a text fits a pattern; `None` if that is unknown.
fn fits(pattern: &str, text: &str) -> Option<bool> {
    let components = IndexMap::new();
    let context = SchemaContext::new(&components, Some(&[]));
    let schema: Json = serde_json::json!({ "pattern": pattern })
        .to_string()
        .parse()
        .unwrap();
    Validator::new(context).is_valid(&schema, &Json::from(text))
}

#[test]
fn patterns_mean_what_they_mean_to_a_service() {
    assert_eq!(fits(r"^\d$", "7"), Some(true));
    assert_eq!(fits(r"^\d$", "٧"), Some(false));
    assert_eq!(fits(r"^\p{Script=Greek}+$", "λόγος"), Some(true));
    assert_eq!(fits("b", "abc"), Some(true));
    assert_eq!(fits("^.$", "\u{2028}"), Some(false));
}

#[test]
fn what_is_no_pattern_or_cannot_be_matched_decides_nothing() {
    for pattern in ["(", "(?i)a", r"(a)\1", "(?=a)a"] {
        assert_eq!(fits(pattern, "a"), None, "{pattern}");
    }
}
