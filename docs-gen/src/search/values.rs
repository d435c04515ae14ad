//! The values within a schema, with the anchors that the page's tree gives them.

use docent_describe::json::Json;

use super::found::{Found, Kind, Words};
use crate::json_text;
use crate::plan::Target;
use crate::schema::{Shape, shape, text_of};
use crate::slug::Slugs;

/// The deepest values that are listed one by one.
const DEEPEST: usize = 6;

/// The most values of one parameter, result or type that are listed.
const MOST: usize = 200;

/// The most values of an enumeration that are searched.
const MOST_VALUES: usize = 200;

/// The position of a value.
#[derive(Debug, Clone)]
pub(super) struct Place {
    kind: Kind,
    target: Target,
    /// The path from which the page derives the anchor.
    path: String,
    /// The name that readers know, beginning with the outermost value. It is empty for that value
    /// itself.
    name: String,
    /// True if inner values have the anchor of this one, because their own is not known.
    is_last: bool,
}

impl Place {
    pub(super) fn new(kind: Kind, target: Target, path: &str, name: &str) -> Self {
        Self {
            kind,
            target,
            path: path.to_owned(),
            name: name.to_owned(),
            is_last: false,
        }
    }

    /// Returns the same position for values in an element or an alternative. Their anchors on the page
    /// are not known here, and this value is close to them.
    fn last(&self) -> Self {
        Self {
            is_last: true,
            ..self.clone()
        }
    }

    fn below(&self, name: &str) -> Self {
        let dot = if self.name.is_empty() { "" } else { "." };
        let path = if self.is_last {
            self.path.clone()
        } else {
            format!("{}.{name}", self.path)
        };
        Self {
            path,
            name: format!("{}{dot}{name}", self.name),
            ..*self
        }
    }
}

/// Passes on a value and those in it, except those on the pages of shared types.
pub(super) fn parts<'a>(
    place: &Place,
    schema: &'a Json,
    text: Option<&'a str>,
    take: &mut dyn FnMut(Found<'a>),
) {
    let mut left = MOST;
    value(place, schema, text, 0, &mut left, take);
}

fn value<'a>(
    place: &Place,
    schema: &'a Json,
    text: Option<&'a str>,
    depth: usize,
    left: &mut usize,
    take: &mut dyn FnMut(Found<'a>),
) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    let mut words = Words::default();
    let described = text.or_else(|| text_of(schema, "description"));
    words.add(described.unwrap_or_default());
    words.add(text_of(schema, "title").unwrap_or_default());
    allowed(schema, &mut words, 0);
    let words = words.take();
    // A result and a type have no name of their own, and are found by their pages.
    if !place.name.is_empty() || !words.is_empty() {
        let anchor = Slugs::default().assign(&place.path);
        take(Found {
            kind: place.kind,
            target: place.target,
            // The anchor of a type itself is the head of its page.
            anchor: (place.path != "field").then_some(anchor),
            name: place.name.clone().into(),
            summary: "",
            words,
        });
    }
    if depth < DEEPEST {
        below(place, schema, depth, left, take);
    }
}

/// Adds the values of an enumeration, and of lists of them.
fn allowed(schema: &Json, words: &mut Words, depth: usize) {
    match shape(schema).shape {
        Shape::Enum(values) => {
            for value in values.iter().take(MOST_VALUES) {
                match value.value.as_str() {
                    Some(text) => words.add(text),
                    None => words.add(&json_text::brief(value.value, 60)),
                }
                let about = value.about.and_then(|about| text_of(about, "description"));
                words.add(about.unwrap_or_default());
            }
        }
        Shape::Array(Some(inner)) | Shape::Map(inner) if depth < DEEPEST => {
            allowed(inner, words, depth + 1);
        }
        _ => {}
    }
}

fn below<'a>(
    place: &Place,
    schema: &'a Json,
    depth: usize,
    left: &mut usize,
    take: &mut dyn FnMut(Found<'a>),
) {
    if depth >= DEEPEST {
        return;
    }
    match shape(schema).shape {
        Shape::Array(Some(inner)) | Shape::Map(inner) => {
            below(&place.last(), inner, depth + 1, left, take);
        }
        Shape::Tuple(places, _) => {
            for inner in places {
                below(&place.last(), inner, depth + 1, left, take);
            }
        }
        Shape::Alternatives(branches) => {
            for branch in branches {
                members(&place.last(), branch, depth + 1, left, take);
            }
            members(place, schema, depth, left, take);
        }
        Shape::All(branches) => {
            for branch in branches {
                below(place, branch, depth + 1, left, take);
            }
            members(place, schema, depth, left, take);
        }
        Shape::Object => members(place, schema, depth, left, take),
        _ => {}
    }
}

/// Passes on the members of an object.
fn members<'a>(
    place: &Place,
    schema: &'a Json,
    depth: usize,
    left: &mut usize,
    take: &mut dyn FnMut(Found<'a>),
) {
    let members = schema.get("properties").and_then(Json::as_object);
    for (name, member) in members.into_iter().flatten() {
        value(&place.below(name), member, None, depth + 1, left, take);
    }
}
