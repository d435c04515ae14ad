//! Texts that may be long, as much of them as is good to read.

use std::borrow::Cow;

/// How many characters of a caller's text a reason quotes.
pub(crate) const QUOTED: usize = 40;
/// How many bytes a reason has at most.
pub(crate) const REASON: usize = 300;

const CUT: &str = "…";

/// At most so many characters, the sign included that there were more.
pub(crate) fn characters(text: &str, most: usize) -> Cow<'_, str> {
    let mut starts = text.char_indices().map(|(start, _)| start);
    let end = starts.nth(most.saturating_sub(1)).unwrap_or(text.len());
    match starts.next() {
        Some(_) => format!("{}{CUT}", &text[..end]).into(),
        None => text.into(),
    }
}

/// At most so many bytes, the sign included that there were more.
pub(crate) fn bytes(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return text.into();
    }
    let mut end = most.saturating_sub(CUT.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{CUT}", &text[..end]).into()
}

#[cfg(test)]
mod tests {
    use super::{bytes, characters};

    #[test]
    fn what_is_cut_says_so_and_is_cut_between_characters() {
        for (text, most, expected) in [
            ("", 3, ""),
            ("äöü", 3, "äöü"),
            ("äöüß", 3, "äö…"),
            ("äöüßabc", 4, "äöü…"),
            ("ab", 1, "…"),
        ] {
            assert_eq!(characters(text, most), expected, "{text}");
        }
        for (text, most, expected) in [
            ("äöü", 6, "äöü"),
            ("äöüß", 7, "äö…"),
            ("äöüß", 6, "ä…"),
            ("abcd", 3, "…"),
        ] {
            assert_eq!(bytes(text, most), expected, "{text}");
            assert!(bytes(text, most).len() <= most);
        }
    }
}
