//! The client's preference for a page or for data.

use crate::headers::Headers;
use crate::quality::{Quality, weighed};

/// Returns whether `Accept` prefers HTML to JSON. A client that accepts anything gets JSON.
/// Browsers name HTML, and programs do not.
pub fn prefers_html(headers: &Headers) -> bool {
    quality(headers, ["text", "html"], true) > quality(headers, ["application", "json"], false)
}

/// Returns the quality of a type by the most specific range that covers it (RFC 9110, section
/// 12.5.1). HTML must be named: a range that covers everything does not count.
fn quality(headers: &Headers, [kind, subtype]: [&str; 2], named: bool) -> Quality {
    let mut best = (0, 0);
    for (range, quality) in weighed(headers, "accept") {
        let Some((a, b)) = range.split_once('/') else {
            continue;
        };
        let specific = if a.eq_ignore_ascii_case(kind) && b.eq_ignore_ascii_case(subtype) {
            3
        } else if a.eq_ignore_ascii_case(kind) && b == "*" {
            2
        } else if !named && (a, b) == ("*", "*") {
            1
        } else {
            continue;
        };
        if specific > best.0 {
            best = (specific, quality);
        }
    }
    best.1
}
