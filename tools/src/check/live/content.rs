//! Checks the content of a tool's result against the Model Context Protocol.
//!
//! A model reads the content, and a program the structured content. If they differ, the two of them see different
//! results.

use docent_describe::json::Json;

use crate::check::finding::{Finding, short_json};
use crate::check::rule::Rule;

/// Returns a finding if the result of `tools/call` has no content, or the text in it is not that of the
/// structured content ("Tools", "Structured Content").
pub(super) fn content_finding(result: &Json) -> Option<Finding> {
    let Some(content) = result.get("content").and_then(Json::as_array) else {
        let message = "the result of the tool has no `content`, which is a list of parts";
        return Some(Finding::new(Rule::ToolContent, message));
    };
    let structured = result.get("structuredContent")?;
    let [only] = content else {
        return None;
    };
    let text = only.get_str("text")?;
    if is_text_of(text, structured) {
        return None;
    }
    let text = short_json(&Json::from(text));
    let structured = short_json(structured);
    let message =
        format!("the text of `content` is {text}, and `structuredContent` is {structured}");
    Some(Finding::new(Rule::ToolContent, message).with_key("differs"))
}

/// Returns whether a text is that of structured content.
fn is_text_of(text: &str, structured: &Json) -> bool {
    if is_text_of_value(text, structured) {
        return true;
    }
    // Libraries wrap what is no object in one, and send the text of what they wrap, a part for each element.
    let members = structured.as_object().filter(|members| members.len() == 1);
    let wrapped = members.and_then(|members| members.values().next());
    wrapped.is_some_and(|wrapped| {
        is_text_of_value(text, wrapped)
            || matches!(wrapped.as_array(), Some([only]) if is_text_of_value(text, only))
    })
}

/// Returns whether a text is the JSON of a value, or the value itself.
fn is_text_of_value(text: &str, value: &Json) -> bool {
    value.as_str() == Some(text) || text.parse::<Json>().ok().as_ref() == Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_found(result: &str) -> bool {
        let result = result.parse().expect("JSON");
        content_finding(&result).is_some()
    }

    #[test]
    fn content_is_required() {
        assert!(is_found("{}"));
        assert!(is_found(r#"{"structuredContent": {"a": 1}}"#));
        assert!(is_found(r#"{"content": "a", "isError": true}"#));
        assert!(!is_found(r#"{"content": []}"#));
    }

    #[test]
    fn its_text_is_that_of_the_structured_content() {
        for (text, structured, is_wrong) in [
            (r#"{\"b\":2.0,\n \"a\":1}"#, r#"{"a": 1, "b": 2}"#, false),
            (r#"{\"a\":2}"#, r#"{"a": 1}"#, true),
            ("{}", r#"{"a": 1}"#, true),
            ("done", r#"{"a": 1}"#, true),
            ("5", r#"{"result": 5}"#, false),
            ("moby", r#"{"result": "moby"}"#, false),
            ("moby", r#"{"result": ["moby"]}"#, false),
            (
                r#"[\"moby\",\"dick\"]"#,
                r#"{"result": ["moby", "dick"]}"#,
                false,
            ),
            ("6", r#"{"result": 5}"#, true),
        ] {
            let result = format!(
                r#"{{"content": [{{"type": "text", "text": "{text}"}}], "structuredContent": {structured}}}"#
            );
            assert_eq!(is_found(&result), is_wrong, "{result}");
        }
        // Several parts are no copy of the structured content.
        let parts = r#"[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]"#;
        assert!(!is_found(&format!(
            r#"{{"content": {parts}, "structuredContent": {{"a": 1}}}}"#
        )));
    }
}
