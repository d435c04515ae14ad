//! Makes strings: examples of the format or the encoding, what the name of the property suggests, texts that match
//! the patterns, or else usual ones.
//!
//! A text is offered, not promised: several patterns, or a pattern and a length, may leave none of
//! those that are made.

use super::FoundValues;
use crate::json::Json;
use crate::schema::format::Format;
use crate::schema::texts::matching_of_length;
use crate::schema::view::View;

/// Texts that are usual in examples.
const USUAL_TEXTS: [&str; 8] = ["text", "other", "word", "a", "b", "c", "A1", "0"];
/// The maximum length of a text that is made.
const MAX_LENGTH: usize = 4_000;

/// Offers strings, the most usual first.
pub(super) fn offer(case: &View<'_>, found: &mut FoundValues<'_, '_>) {
    let (least, most) = case.length().sizes();
    let with_format: Vec<&str> = case
        .formats()
        .into_iter()
        .filter_map(Format::find)
        .flat_map(|format| format.examples)
        .copied()
        .collect();
    if !with_format.is_empty() {
        // Any other text might not have the format.
        found.offer_all(with_format.into_iter().map(Json::from));
        return;
    }
    if case.strings().all(|strings| strings.encoding.is_none()) {
        found.offer_all(found.wanted.text.map(Json::from));
    }
    let mut patterns = case.patterns();
    for strings in case.strings() {
        if let Some(encoding) = strings.encoding.and_then(Format::encoding) {
            found.offer_all(encoding.examples.iter().map(|text| Json::from(*text)));
            patterns.extend(encoding.pattern());
        }
    }
    if least > MAX_LENGTH {
        return;
    }
    if !patterns.is_empty() {
        offer_matching(&patterns, least, most.min(MAX_LENGTH), found);
        return;
    }
    let usual = USUAL_TEXTS.into_iter().map(str::to_owned);
    let numbered = (2..=found.wanted.count).map(|number| format!("text{number}"));
    for text in usual.chain(numbered) {
        if found.is_done() {
            return;
        }
        let length = text.len().clamp(least, most.max(least));
        found.offer(Json::String(text.chars().cycle().take(length).collect()));
    }
}

/// Offers texts that match patterns. They get the right length by repeating a part that a pattern
/// repeats, or else by letters before or after.
fn offer_matching(patterns: &[&str], least: usize, most: usize, found: &mut FoundValues<'_, '_>) {
    let mut parts: Vec<String> = Vec::new();
    for pattern in patterns {
        for text in matching_of_length(pattern, least..=most) {
            found.offer(text.into());
        }
        parts.extend(matching_of_length(pattern, 0..=most).into_iter().take(2));
    }
    if found.is_done() {
        return;
    }
    let pairs = parts
        .iter()
        .flat_map(|first| parts.iter().map(move |second| format!("{first}{second}")));
    for text in parts.iter().cloned().chain(pairs) {
        let missing = least.saturating_sub(text.chars().count());
        for letter in ["a", "0"] {
            let more = letter.repeat(missing);
            found.offer(Json::from(format!("{text}{more}")));
            found.offer(Json::from(format!("{more}{text}")));
        }
    }
}
