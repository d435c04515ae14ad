//! Reads the part of YAML that the compose file is written in: maps and lists by indentation, plain and
//! double-quoted texts, comments, anchors and aliases. It panics at anything else.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Reads a document.
pub(crate) fn read(text: &str) -> Value {
    let mut reader = Reader {
        lines: text.lines().filter_map(line).rev().collect(),
        anchors: BTreeMap::new(),
    };
    let document = reader.block(0);
    assert!(reader.lines.is_empty(), "{:?}", reader.lines.last());
    document
}

/// Returns a line's indentation and text, if it is not empty.
fn line(text: &str) -> Option<(usize, &str)> {
    let trimmed = text.trim_start();
    let is_something = !trimmed.is_empty() && !trimmed.starts_with('#');
    is_something.then(|| (text.len() - trimmed.len(), trimmed.trim_end()))
}

struct Reader<'t> {
    /// The lines that are not read yet, the next one last.
    lines: Vec<(usize, &'t str)>,
    anchors: BTreeMap<&'t str, Value>,
}

impl<'t> Reader<'t> {
    /// Reads the lines at this indentation.
    fn block(&mut self, indentation: usize) -> Value {
        let next = |reader: &Self| {
            let (depth, text) = *reader.lines.last()?;
            (depth == indentation).then_some(text)
        };
        let (mut map, mut list) = (Map::new(), Vec::new());
        while let Some(text) = next(self) {
            self.lines.pop();
            if let Some(item) = text.strip_prefix("- ") {
                list.push(scalar(item));
                continue;
            }
            let (key, value) = text.split_once(':').unwrap_or_else(|| panic!("{text}"));
            let value = self.value(indentation, value.trim());
            let before = map.insert(key.to_owned(), value);
            assert!(before.is_none(), "{key} twice");
        }
        assert!(map.is_empty() || list.is_empty(), "a map and a list");
        if list.is_empty() {
            Value::Object(map)
        } else {
            Value::Array(list)
        }
    }

    fn value(&mut self, indentation: usize, text: &'t str) -> Value {
        if let Some(alias) = text.strip_prefix('*') {
            return self.anchors[alias].clone();
        }
        let anchor = text.strip_prefix('&');
        if anchor.is_none() && !text.is_empty() {
            return scalar(text);
        }
        let value = match self.lines.last() {
            Some((deeper, _)) if *deeper > indentation => self.block(*deeper),
            _ => Value::Null,
        };
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, value.clone());
        }
        value
    }
}

/// Reads a text, a number or a truth value. As in YAML, a plain text is taken as it is written.
fn scalar(text: &str) -> Value {
    assert!(!text.starts_with(['[', '{', '|', '\'', '!', '%']), "{text}");
    assert!(!text.contains(" #"), "{text}");
    if text.starts_with('"') {
        return serde_json::from_str(text).unwrap();
    }
    match text {
        "true" | "false" => Value::Bool(text == "true"),
        text => match text.parse::<u64>() {
            Ok(number) => number.into(),
            Err(_) => text.into(),
        },
    }
}
