//! Reasons in the data of errors, as sentences.
//!
//! `docent-core` writes this data, for invalid parameters above all. Each program that shows such an error to
//! people, a client or a tool, makes the same sentence of it here.

use crate::json::Json;

/// Returns the reason in the data of an error, after the name of the wrong parameter: `shelf/row: expected …`.
/// Returns `None` if the data gives no reason.
pub fn error_reason(data: &Json) -> Option<String> {
    let reason = data.get_str("reason")?;
    let pointer = data.get_str("pointer");
    let subject = match data.get_str("parameter") {
        Some(name) => format!("{name}{}", pointer.unwrap_or_default()),
        None => match data.get("position") {
            Some(position) => format!("position {position}"),
            None => return Some(reason.to_owned()),
        },
    };
    Some(format!("{subject}: {reason}"))
}

/// Returns the first reason in the data of an error, and the number of further ones: `limit: expected … (and 2
/// more)`.
pub fn error_reasons(data: &Json) -> Option<String> {
    let first = error_reason(data)?;
    match data.get("others").and_then(Json::as_array) {
        Some(others) if !others.is_empty() => Some(format!("{first} (and {} more)", others.len())),
        _ => Some(first),
    }
}

#[cfg(test)]
mod tests {
    use super::error_reasons;

    #[test]
    fn a_reason_says_where_and_why_and_the_rest_is_counted() {
        for (data, expected) in [
            (
                r#"{"parameter": "limit", "pointer": "", "reason": "expected 1"}"#,
                Some("limit: expected 1"),
            ),
            (
                r#"{"parameter": "shelf", "pointer": "/row", "reason": "expected 1", "others": [{}, {}]}"#,
                Some("shelf/row: expected 1 (and 2 more)"),
            ),
            (
                r#"{"position": 3, "reason": "expected 3 parameters", "others": []}"#,
                Some("position 3: expected 3 parameters"),
            ),
            (r#"{"reason": "too deep"}"#, Some("too deep")),
            (r#"{"reason": 7}"#, None),
            (r#"["reason"]"#, None),
        ] {
            let found = error_reasons(&data.parse().expect("JSON"));
            assert_eq!(found.as_deref(), expected, "{data}");
        }
    }
}
