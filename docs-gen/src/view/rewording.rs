//! The texts of authors that changed between two versions, before and after.
//!
//! A comparison says only that documentation changed. Both texts are in the descriptions, and are looked up for the
//! changes that are listed. Of long texts, the sentence is shown in which the difference begins.

use std::iter;

use docent_describe::json::{Json, shorten};
use serde::Serialize;

use super::scope::PageText;
use crate::changes::VersionChange;
use crate::location::{LocatedPart, NamedLocation};
use crate::service::SiteService;
use crate::text::one_line;

/// The rule of changes of documentation.
const WORDS_CHANGED: &str = "words-changed";

/// The maximum number of texts of one change that are shown.
const MAX_REWORDINGS: usize = 3;

/// The maximum number of characters of a text that are shown.
const MAX_EXCERPT_LENGTH: usize = 300;

/// The maximum number of bytes of a sentence that are shown before the difference.
const MAX_LEAD_BYTES: usize = 150;

/// A text before or after a change.
#[derive(Serialize)]
pub(super) struct ChangedText {
    /// The name of the text, and whether it is the one before.
    label: String,
    text: String,
    is_new: bool,
}

/// A text by an author.
struct AuthorText<'a> {
    /// The key of its name.
    key: &'static str,
    text: Option<&'a str>,
}

impl<'a> AuthorText<'a> {
    fn new(key: &'static str, text: Option<&'a str>) -> Self {
        Self { key, text }
    }
}

/// Returns the texts that a change is about, each before and after it.
pub(super) fn changed_texts(
    page: &PageText<'_>,
    change: &VersionChange,
    old: &SiteService,
    new: &SiteService,
) -> Vec<ChangedText> {
    let location = (change.rule == WORDS_CHANGED)
        .then(|| NamedLocation::new(&new.options.description, &change.pointer))
        .flatten();
    let Some(location) = location else {
        return Vec::new();
    };
    let (Some(old), Some(new)) = (location.find(old), location.find(new)) else {
        return Vec::new();
    };
    let mut shown = Vec::new();
    for (old, new) in texts(&old).into_iter().zip(texts(&new)) {
        let was = old.text.map(one_line).unwrap_or_default();
        let is = new.text.map(one_line).unwrap_or_default();
        if was == is || shown.len() >= 2 * MAX_REWORDINGS {
            continue;
        }
        let start = excerpt_start(&was, &is);
        let name = page.strings.get(new.key);
        for (key, text, is_new) in [("changes.before", was, false), ("changes.now", is, true)] {
            if !text.is_empty() {
                shown.push(ChangedText {
                    label: page.strings.with(key, name),
                    text: excerpt(&text, start),
                    is_new,
                });
            }
        }
    }
    shown
}

/// Returns what an author says of a part, in the same order in each version.
fn texts<'a>(part: &LocatedPart<'a>) -> Vec<AuthorText<'a>> {
    match *part {
        LocatedPart::Service(service) => vec![
            AuthorText::new("changes.summary", service.summary.as_deref()),
            AuthorText::new("changes.description", service.description.as_deref()),
        ],
        LocatedPart::Procedure(procedure) => {
            let deprecated = procedure.deprecated.as_ref();
            let reason = deprecated.and_then(|deprecated| deprecated.reason.as_deref());
            vec![
                AuthorText::new("changes.summary", procedure.summary.as_deref()),
                AuthorText::new("changes.description", procedure.description.as_deref()),
                AuthorText::new("changes.reason", reason),
            ]
        }
        LocatedPart::Param(param) => vec![AuthorText::new(
            "changes.description",
            param.description.as_deref(),
        )],
        LocatedPart::Return(returns) => vec![AuthorText::new(
            "changes.description",
            returns.description.as_deref(),
        )],
        LocatedPart::Error(error) => vec![
            AuthorText::new("changes.message", Some(&error.message)),
            AuthorText::new("changes.description", error.description.as_deref()),
        ],
        LocatedPart::SecurityScheme(scheme) => vec![AuthorText::new(
            "changes.description",
            scheme.get_str("description"),
        )],
        LocatedPart::Schema(schema) => texts_of_schema(schema),
    }
}

/// Returns what an author says of a value, and of its alternatives.
fn texts_of_schema(schema: &Json) -> Vec<AuthorText<'_>> {
    let alternatives = ["oneOf", "anyOf"]
        .into_iter()
        .filter_map(|keyword| schema.get(keyword)?.as_array())
        .flatten();
    let mut texts = Vec::new();
    for schema in iter::once(schema).chain(alternatives) {
        texts.push(AuthorText::new("changes.title", schema.get_str("title")));
        texts.push(AuthorText::new(
            "changes.description",
            schema.get_str("description"),
        ));
    }
    texts
}

/// Returns the place at which excerpts of two texts begin: that of the sentence with the first difference, or that of
/// a word if the sentence is long.
fn excerpt_start(old: &str, new: &str) -> usize {
    let mut places = old.char_indices().zip(new.chars());
    let differing = places.find(|((_, before), after)| before != after);
    let difference = differing.map_or(old.len().min(new.len()), |((place, _), _)| place);
    let same = &old[..difference];
    let mut ends = same.rmatch_indices([' ']);
    let sentence = ends.find(|(place, _)| same[..*place].ends_with(['.', '!', '?', ':']));
    let start = sentence.map_or(0, |(place, _)| place + 1);
    if difference - start <= MAX_LEAD_BYTES {
        return start;
    }
    let mut words = same.match_indices(' ').map(|(place, _)| place + 1);
    words
        .find(|place| difference - place <= MAX_LEAD_BYTES)
        .unwrap_or(difference)
}

/// Returns a text from a place on, shortened, with marks for what is left out.
fn excerpt(text: &str, start: usize) -> String {
    let rest = shorten(&text[start..], MAX_EXCERPT_LENGTH);
    match start {
        0 => rest.into_owned(),
        _ => format!("… {rest}"),
    }
}
