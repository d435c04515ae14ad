//! Texts that the name of a property or parameter suggests.
//!
//! A name is a hint: its text is offered like any other, and used only if it satisfies the schema.

use crate::name_words;
use crate::schema::facts::texts;

/// The last words of names, each with the text that it suggests.
const TEXTS_BY_WORD: &str = include_str!("named.txt");

/// Returns the text that a name suggests, by its last word: `homepageUrl` and `image_urls` are addresses.
pub(super) fn text_for_name(name: &str) -> Option<&'static str> {
    let word = name_words(name).pop()?.to_ascii_lowercase();
    let singular = word.strip_suffix('s').unwrap_or(&word);
    texts(TEXTS_BY_WORD)
        .find(|(words, _)| {
            words
                .split(' ')
                .any(|listed| listed == word || listed == singular)
        })
        .map(|(_, text)| text)
}
