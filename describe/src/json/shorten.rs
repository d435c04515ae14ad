//! Shortens long texts for readers.
//!
//! Names and values of callers go into messages, and a caller decides how long they are. Each
//! function counts in its own unit (characters, bytes, characters of a JSON string), and stays
//! within the limit, including the mark of the omission.

use std::borrow::Cow;

use super::string::push_escaped;

/// The mark that replaces the rest of a text.
const OMISSION_MARK: &str = "…";

/// Returns at most `most` characters of a text, including the mark of an omission.
pub fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    // No text has more characters than bytes.
    if text.len() <= most {
        return text.into();
    }
    let mut starts = text.char_indices().map(|(start, _)| start);
    let end = starts.nth(most.saturating_sub(1)).unwrap_or(text.len());
    match starts.next() {
        Some(_) => format!("{}{OMISSION_MARK}", text[..end].trim_end()).into(),
        None => text.into(),
    }
}

/// Returns at most `most` bytes of a text, including the mark of an omission.
pub fn shorten_bytes(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return text.into();
    }
    let mut end = most.saturating_sub(OMISSION_MARK.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{OMISSION_MARK}", text[..end].trim_end()).into()
}

/// Returns a text as JSON writes it, with at most `most` characters between the quotation marks.
pub fn shorten_quoted(text: &str, most: usize) -> String {
    let mut quoted = String::with_capacity(text.len().min(most) + 2);
    quoted.push('"');
    let mut length = 0;
    // The end of the text if the mark of an omission has to follow.
    let mut end = quoted.len();
    for character in text.chars() {
        if length < most {
            end = quoted.len();
        }
        let start = quoted.len();
        push_escaped(&mut quoted, character);
        length += quoted[start..].chars().count();
        if length > most {
            quoted.truncate(end);
            quoted.push_str(OMISSION_MARK);
            break;
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::{shorten, shorten_bytes, shorten_quoted};

    #[test]
    fn a_shortened_text_has_a_mark_and_ends_between_characters() {
        for (text, most, expected) in [
            ("", 3, ""),
            ("äöü", 3, "äöü"),
            ("äöüß", 3, "äö…"),
            ("äöüßabc", 4, "äöü…"),
            ("ä öüß", 3, "ä…"),
            ("ab", 1, "…"),
        ] {
            assert_eq!(shorten(text, most), expected, "{text}");
        }
        for (text, most, expected) in [
            ("äöü", 6, "äöü"),
            ("äöüß", 7, "äö…"),
            ("äöüß", 6, "ä…"),
            ("abcd", 3, "…"),
        ] {
            assert_eq!(shorten_bytes(text, most), expected, "{text}");
            assert!(shorten_bytes(text, most).len() <= most);
        }
        for (text, most, expected) in [
            ("äöü", 3, r#""äöü""#),
            ("äöüß", 3, r#""äö…""#),
            ("a\n\nb", 4, r#""a\n…""#),
            ("a\u{202e}b", 40, r#""a\u202eb""#),
        ] {
            assert_eq!(shorten_quoted(text, most), expected, "{text}");
        }
    }
}
