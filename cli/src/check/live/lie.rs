//! A contradiction between a response and the description.

use docent_describe::json::Json;

use crate::check::rule::Rule;

/// A contradiction between a response and the description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lie {
    pub(super) rule: Rule,
    pub(super) message: String,
    /// A key that distinguishes it from others of its rule, and is the same each time it is found.
    pub(super) key: String,
}

impl Lie {
    pub(super) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            key: String::new(),
        }
    }

    /// Sets the key that distinguishes it from others of its rule.
    pub(super) fn about(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Returns whether two calls led to the same finding.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.rule == other.rule && self.key == other.key
    }
}

/// Returns a JSON Pointer in which all elements of an array look the same.
pub(super) fn place(pointer: &str) -> String {
    let tokens = pointer.split('/');
    let tokens = tokens.map(|it| if it.parse::<u32>().is_ok() { "0" } else { it });
    tokens.collect::<Vec<_>>().join("/")
}

/// Replaces numbers and quoted texts, which may differ from call to call, with `_`.
pub(super) fn without_values(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => quoted(rest),
            '0'..='9' => rest
                .find(|it: char| !it.is_ascii_digit())
                .unwrap_or(rest.len()),
            _ => {
                kept.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        kept.push('_');
        rest = &rest[length..];
    }
    kept
}

/// Returns the length of the quoted text at the beginning of `text`.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    let mut inner = text.char_indices().skip(1);
    let end = inner.find(|(_, it)| {
        let is_end = *it == '"' && !is_escaped;
        is_escaped = *it == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// Returns an outline of a value without unimportant details: equal for all values with the same
/// members and elements, and the same listed values in the same places.
pub(super) fn outline(value: &Json, is_listed: &dyn Fn(&Json) -> bool) -> String {
    let mut outline = String::new();
    write_outline(value, is_listed, &mut outline);
    outline
}

fn write_outline(value: &Json, is_listed: &dyn Fn(&Json) -> bool, outline: &mut String) {
    match value {
        Json::Array(elements) => {
            outline.push('[');
            // Three elements represent the rest.
            for element in elements.iter().take(3) {
                write_outline(element, is_listed, outline);
                outline.push(',');
            }
            outline.push(']');
        }
        Json::Object(members) => {
            outline.push('{');
            for (name, value) in members {
                outline.push_str(name.as_str());
                outline.push(':');
                write_outline(value, is_listed, outline);
                outline.push(',');
            }
            outline.push('}');
        }
        Json::Bool(_) | Json::Null => outline.push_str(&value.to_string()),
        scalar if is_listed(scalar) => outline.push_str(&scalar.to_string()),
        scalar => outline.push_str(scalar.kind()),
    }
}

#[cfg(test)]
mod tests {
    use super::{outline, without_values};
    use docent_describe::json::Json;

    #[test]
    fn values_do_not_tell_findings_apart() {
        assert_eq!(
            without_values("found 101, at most 100"),
            "found _, at most _"
        );
        assert_eq!(without_values(r#"is "a\"1" and "b"#), "is _ and _");
        assert_eq!(without_values("größer als 5"), "größer als _");
    }

    #[test]
    fn an_outline_keeps_listed_values_and_names() {
        let value: Json = r#"{"a": ["x", "y", 1, 2], "b": true}"#.parse().expect("JSON");
        let found = outline(&value, &|it| *it == Json::from("y"));
        assert_eq!(found, r#"{a:[string,"y",number,],b:true,}"#);
    }
}
