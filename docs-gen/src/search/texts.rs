//! The texts of the search index: what pages say, in pieces that are short enough for a result of a search.
//!
//! Many pages have the same texts, such as the description of a shared type. So each text is in the index once, and
//! entries refer to it by its number. `entries` decides which texts an entry has.

use docent_describe::json::shorten;
use indexmap::IndexSet;
use serde::Serialize;
use serde_json::Value;

use crate::markdown;
use crate::text;

/// The maximum number of texts of a page, or of a part of it, that are searched.
pub(super) const MAX_TEXTS: usize = 200;

/// The maximum number of characters of a text that are searched.
const MAX_TEXT_LENGTH: usize = 2000;

/// The kind of a text about an entry. Other kinds have a letter in the index.
pub(super) const PROSE: &str = "";

/// The kind of a value that a schema lists, with the text about it.
pub(super) const LISTED: &str = "l";

/// The kind of JSON.
pub(super) const JSON: &str = "j";

/// All texts with their kinds, in the order of their numbers.
#[derive(Default)]
pub(super) struct SearchTexts {
    texts: IndexSet<(&'static str, String)>,
}

impl SearchTexts {
    /// Returns the kind and the text of each number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(kind, text)| (*kind, &**text))
    }

    /// Adds a text as it is, to those of an entry.
    pub(super) fn add(&mut self, numbers: &mut Vec<usize>, kind: &'static str, text: &str) {
        let text = text::one_line(&shorten(text, MAX_TEXT_LENGTH));
        if text.is_empty() || numbers.len() == MAX_TEXTS {
            return;
        }
        let (number, _) = self.texts.insert_full((kind, text));
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }

    /// Adds the paragraphs of Markdown.
    pub(super) fn add_markdown(&mut self, numbers: &mut Vec<usize>, source: &str) {
        // Most texts are a single paragraph without any markup.
        if !source.contains(|character: char| "`*_[]\\<&#|>~\n".contains(character)) {
            return self.add(numbers, PROSE, source);
        }
        for text in markdown::sections(source).iter().flatten() {
            self.add(numbers, PROSE, text);
        }
    }

    /// Adds all texts of the data of a Markdown page, or of a part of one.
    pub(super) fn add_data(&mut self, numbers: &mut Vec<usize>, data: &impl Serialize) {
        if let Ok(data) = serde_json::to_value(data) {
            self.add_texts(numbers, &data);
        }
    }

    /// Adds all texts in serialised data.
    fn add_texts(&mut self, numbers: &mut Vec<usize>, data: &Value) {
        match data {
            Value::String(text) => self.add_markdown(numbers, text),
            Value::Array(parts) => {
                for part in parts {
                    self.add_texts(numbers, part);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    if !["id", "href", "class"].contains(&name.as_str()) {
                        self.add_texts(numbers, member);
                    }
                }
            }
            _ => {}
        }
    }
}
