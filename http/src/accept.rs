//! The client's preference for a page, for Markdown, for data or for events.
//!
//! A person who opens the address of the mount should find the reference, and a program the description.
//! A program that reads a page of the reference may prefer it as Markdown.

use crate::headers::Headers;
use crate::quality::{Quality, weighed};

/// Returns whether `Accept` prefers HTML to JSON. A client that accepts anything gets JSON.
/// Browsers name HTML, and programs do not.
pub(crate) fn prefers_html(headers: &Headers) -> bool {
    let json = ["application/json", "application/*", "*/*"];
    quality(headers, &["text/html", "text/*"]) > quality(headers, &json)
}

/// Returns whether `Accept` names streams of events. A client that accepts anything gets none.
pub(crate) fn takes_events(headers: &Headers) -> bool {
    quality_of_range(headers, "text/event-stream").is_some_and(|quality| quality > 0)
}

/// Returns whether `Accept` names Markdown, and prefers nothing else that a page is available as. Browsers do not
/// name it, and a client that accepts anything gets HTML.
#[cfg(feature = "docs")]
pub(crate) fn prefers_markdown(headers: &Headers) -> bool {
    let markdown = quality(headers, &["text/markdown"]);
    markdown > 0 && markdown >= quality(headers, &["text/html", "text/*", "*/*"])
}

/// Returns the quality of a type by the first of these ranges that is there: the most specific one counts
/// (RFC 9110, section 12.5.1).
fn quality(headers: &Headers, ranges: &[&str]) -> Quality {
    ranges
        .iter()
        .find_map(|range| quality_of_range(headers, range))
        .unwrap_or(0)
}

/// Returns the quality of a range as `Accept` names it.
fn quality_of_range(headers: &Headers, range: &str) -> Option<Quality> {
    weighed(headers, "accept")
        .find(|(accepted, _)| accepted.eq_ignore_ascii_case(range))
        .map(|(_, quality)| quality)
}
