//! The further words by which an entry of the search is found, beside its name and summary.
//!
//! They are kept as one text with each word once, because the browser searches the text as a whole. Which
//! texts an entry takes them from is decided in `entries`.

use std::collections::HashSet;

/// The maximum number of further words of a page, or of a part of it, that are searched.
pub(super) const MAX_WORDS: usize = 200;

/// Returns the words of texts, each once.
pub(super) fn words<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut words = WordSet::default();
    words.add(texts);
    words.text
}

/// A set of words, joined into a text.
#[derive(Default)]
pub(super) struct WordSet {
    /// The words, with blanks between them.
    pub(super) text: String,
    /// The same in lower case, so that each is added once.
    known: HashSet<String>,
}

impl WordSet {
    /// Adds the words of texts.
    pub(super) fn add<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        for word in texts.into_iter().flat_map(str::split_whitespace) {
            let word = word.trim_matches(|character: char| {
                !character.is_alphanumeric() && !"_-".contains(character)
            });
            if self.known.len() < MAX_WORDS
                && word.chars().nth(1).is_some()
                && self.known.insert(word.to_lowercase())
            {
                if !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.text.push_str(word);
            }
        }
    }
}
