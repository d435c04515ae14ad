//! The texts of authors that changed between two versions, before and after.
//!
//! A comparison says only that documentation changed, and where. `changes` asks here for both texts of each change on
//! its page: [`NamedLocation`] finds the part of each description, and a long text is cut to the sentence in which the
//! difference begins.

use docent_describe::json::{Json, shorten};
use serde::Serialize;

use super::scope::PageText;
use crate::changes::VersionChange;
use crate::location::{LocatedPart, NamedLocation};
use crate::service::SiteService;
use crate::text::one_line;

/// The rule of changes of documentation.
const WORDS_CHANGED: &str = "words-changed";

/// The maximum number of texts of one change.
const MAX_REWORDINGS: usize = 3;

/// The maximum number of characters of a text.
const MAX_EXCERPT_LENGTH: usize = 300;

/// The maximum number of bytes of a sentence before the difference.
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
    if change.rule != WORDS_CHANGED {
        return Vec::new();
    }
    let Some(location) = NamedLocation::new(&new.options.description, &change.pointer) else {
        return Vec::new();
    };
    let (Some(old), Some(new)) = (location.find(old), location.find(new)) else {
        return Vec::new();
    };
    let mut changed = Vec::new();
    for (old, new) in texts(&old).into_iter().zip(texts(&new)) {
        let old_text = old.text.map(one_line).unwrap_or_default();
        let new_text = new.text.map(one_line).unwrap_or_default();
        if old_text == new_text || changed.len() >= 2 * MAX_REWORDINGS {
            continue;
        }
        let start = excerpt_start(&old_text, &new_text);
        let name = page.strings.get(new.key);
        for (key, text, is_new) in [
            ("changes.before", old_text, false),
            ("changes.now", new_text, true),
        ] {
            if !text.is_empty() {
                changed.push(ChangedText {
                    label: page.strings.with(key, name),
                    text: excerpt(&text, start),
                    is_new,
                });
            }
        }
    }
    changed
}

/// Returns the texts by an author about a part, in the same order in each version.
fn texts<'a>(part: &LocatedPart<'a>) -> Vec<AuthorText<'a>> {
    match *part {
        LocatedPart::Service(service) => vec![
            AuthorText::new("changes.summary", service.summary.as_deref()),
            AuthorText::new("changes.description", service.description.as_deref()),
        ],
        LocatedPart::Procedure(procedure) => {
            let reason = match &procedure.deprecated {
                Some(deprecated) => deprecated.reason.as_deref(),
                None => None,
            };
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

/// Returns the texts by an author about a value and its alternatives.
fn texts_of_schema(schema: &Json) -> Vec<AuthorText<'_>> {
    let mut schemas = vec![schema];
    for keyword in ["oneOf", "anyOf"] {
        let alternatives = schema.get(keyword).and_then(Json::as_array);
        schemas.extend(alternatives.unwrap_or_default());
    }
    let mut texts = Vec::new();
    for schema in schemas {
        texts.push(AuthorText::new("changes.title", schema.get_str("title")));
        texts.push(AuthorText::new(
            "changes.description",
            schema.get_str("description"),
        ));
    }
    texts
}

/// Returns the offset at which excerpts of two texts begin: that of the sentence with the first difference, or that of
/// a word if the sentence is long.
fn excerpt_start(old: &str, new: &str) -> usize {
    let same = common_start(old, new);
    let sentence = same
        .rmatch_indices(' ')
        .map(|(blank, _)| blank)
        .find(|blank| same[..*blank].ends_with(['.', '!', '?', ':']))
        .map_or(0, |blank| blank + 1);
    if same.len() - sentence <= MAX_LEAD_BYTES {
        return sentence;
    }
    same.match_indices(' ')
        .map(|(blank, _)| blank + 1)
        .find(|word| same.len() - word <= MAX_LEAD_BYTES)
        .unwrap_or(same.len())
}

/// Returns the text with which both texts start.
fn common_start<'t>(old: &'t str, new: &str) -> &'t str {
    let mut end = 0;
    for (before, after) in old.chars().zip(new.chars()) {
        if before != after {
            break;
        }
        end += before.len_utf8();
    }
    &old[..end]
}

/// Returns a text from an offset on, shortened, with marks for what is left out.
fn excerpt(text: &str, start: usize) -> String {
    let rest = shorten(&text[start..], MAX_EXCERPT_LENGTH);
    match start {
        0 => rest.into_owned(),
        _ => format!("… {rest}"),
    }
}
