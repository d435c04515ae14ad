//! A minimal HTML reader that checks what the generator writes: well-formed tags with quoted
//! attributes. Anything else is a finding in itself.

use std::collections::{BTreeMap, BTreeSet};

use docent_describe::json::Json;
use serde_json::Value;

use crate::library::json;

/// A start tag with its attributes.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
}

/// Returns all start tags of a page. Panics if the markup does not have the form that templates
/// write.
pub(crate) fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("!DOCTYPE html>") {
            rest = after;
        } else if let Some(after) = rest.strip_prefix('/') {
            let end = after.find('>').expect("an end tag ends");
            let name = &after[..end];
            assert_eq!(
                open.pop().as_deref(),
                Some(name),
                "the end tag matches near {:?}",
                near(after)
            );
            rest = &after[end + 1..];
        } else {
            let (tag, after) = start(rest);
            rest = after;
            match tag.name.as_str() {
                "meta" | "link" | "input" | "br" | "wbr" | "hr" | "img" => {}
                "script" | "style" | "textarea" => {
                    let end = format!("</{}>", tag.name);
                    rest = &rest[rest.find(&end).expect("raw text ends") + end.len()..];
                }
                name => {
                    let is_block = [
                        "p",
                        "div",
                        "ul",
                        "ol",
                        "pre",
                        "table",
                        "blockquote",
                        "h3",
                        "h4",
                    ]
                    .contains(&name);
                    let inside = open.iter().find(|outer| {
                        ["p", "span", "code", "pre", "summary"].contains(&outer.as_str())
                    });
                    assert!(
                        !is_block || inside.is_none(),
                        "{name} inside {inside:?} near {:?}",
                        near(rest)
                    );
                    open.push(tag.name.clone());
                }
            }
            tags.push(tag);
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
    tags
}

/// Returns the data of the form on a page.
pub(crate) fn form(page: &str) -> Value {
    tags(page)
        .iter()
        .find_map(|tag| tag.attributes.get("data-form")?.parse().ok())
        .expect("a form")
}

fn near(text: &str) -> String {
    text.chars().take(80).collect()
}

fn start(text: &str) -> (Tag, &str) {
    let end = text.find([' ', '>']).expect("a tag ends");
    let name = &text[..end];
    assert!(
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()),
        "a stray `<` before {:?}",
        near(text)
    );
    let mut attributes = BTreeMap::new();
    let mut rest = &text[end..];
    loop {
        rest = rest.trim_start_matches(' ');
        if let Some(after) = rest.strip_prefix('>') {
            return (
                Tag {
                    name: name.to_owned(),
                    attributes,
                },
                after,
            );
        }
        let end = rest.find(['=', ' ', '>']).expect("an attribute ends");
        let key = rest[..end].to_owned();
        assert!(
            key.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-'),
            "attribute {key:?}"
        );
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix("=\"") {
            let end = after.find('"').expect("a value ends");
            value = unescape(&after[..end]);
            rest = &after[end + 1..];
        }
        assert!(
            attributes.insert(key, value).is_none(),
            "an attribute stands once"
        );
    }
}

pub(crate) fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

/// Returns the `id`s of a page. Panics if one occurs twice.
pub(crate) fn ids(tags: &[Tag]) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for id in tags.iter().filter_map(|tag| tag.attributes.get("id")) {
        assert!(
            !id.is_empty() && !id.contains(char::is_whitespace),
            "id {id:?}"
        );
        assert!(ids.insert(id.clone()), "the id {id:?} stands twice");
    }
    ids
}

/// The text between the tags, escapes included: code is in pieces of several colours.
pub(crate) fn without_tags(html: &str) -> String {
    let mut parts = html.split('<');
    let first = parts.next().unwrap_or_default();
    let mut text = first.to_owned();
    for part in parts {
        if let Some((_, after)) = part.split_once('>') {
            text.push_str(after);
        }
    }
    text
}

/// Returns the JSON between two marks, without the markup in it.
pub(crate) fn between(text: &str, start: &str, end: &str) -> Vec<Json> {
    text.split(start)
        .skip(1)
        .filter_map(|block| Some(block.split_once(end)?.0))
        .map(|block| json(&unescape(&without_tags(block))))
        .collect()
}

/// Returns whether what stands at an offset of a page is in an element with `dir="auto"`, or where no direction can be
/// given: in a tag, in the head, in a script or in code.
pub(crate) fn has_direction(page: &str, at: usize) -> bool {
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut rest = 0;
    while let Some(start) = page[rest..].find('<').map(|start| rest + start) {
        if start > at {
            break;
        }
        let end = start + page[start..].find('>').expect("a tag ends");
        if end > at {
            return true;
        }
        rest = end + 1;
        let tag = &page[start + 1..end];
        let name = tag.split(' ').next().unwrap_or_default();
        if name.starts_with('/') {
            open.pop();
        } else if ![
            "!DOCTYPE", "meta", "link", "input", "br", "wbr", "hr", "img",
        ]
        .contains(&name)
        {
            open.push((name, tag.contains("dir=\"auto\"")));
        }
    }
    open.iter()
        .any(|(name, is_auto)| *is_auto || ["head", "script", "pre", "code"].contains(name))
}
