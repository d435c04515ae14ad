//! Makes strings: examples of the format or the encoding, the text that the name of the property suggests, texts that
//! match the patterns, or else usual ones.
//!
//! A text that is offered may fail to match: several patterns, or a pattern and a length, may refuse all of
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
    let mut has_format = false;
    for format in case.formats().into_iter().filter_map(Format::find) {
        has_format = true;
        found.offer_all(format.examples.iter().map(|text| Json::from(*text)));
    }
    if has_format {
        // Any other text might not have the format.
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
    let mut texts = USUAL_TEXTS.map(str::to_owned).to_vec();
    texts.extend((2..=found.wanted.count).map(|number| format!("text{number}")));
    for text in texts {
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
    let mut texts = parts.clone();
    for first in &parts {
        texts.extend(parts.iter().map(|second| format!("{first}{second}")));
    }
    for text in texts {
        let missing = least.saturating_sub(text.chars().count());
        for letter in ["a", "0"] {
            let more = letter.repeat(missing);
            found.offer(Json::from(format!("{text}{more}")));
            found.offer(Json::from(format!("{more}{text}")));
        }
    }
}
