//! Makes text safe for a terminal.
//!
//! Names and messages come from other people's documents. A terminal obeys control characters, and
//! bidirectional ones make a text look like another, so neither is ever printed.

use std::fmt::Write as _;

use docent_describe::json;

/// Replaces the characters that a terminal would interpret, except for line ends and tabs.
pub fn plain(text: &str) -> String {
    replace(text, |character, plain| {
        // Writing to a `String` cannot fail.
        let _ = write!(plain, "[U+{:04X}]", u32::from(character));
    })
}

/// Puts a text on one line: names and summaries can contain line ends, but headings and list items
/// cannot.
pub fn one_line(text: &str) -> String {
    plain(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Escapes the characters that a terminal would interpret in JSON text. The text still stands for the
/// same value.
pub fn plain_json(text: &str) -> String {
    replace(text, |character, plain| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(plain, "\\u{unit:04x}");
        }
    })
}

/// Replaces the characters that a terminal would interpret by what `escape` writes for them.
fn replace(text: &str, escape: impl Fn(char, &mut String)) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        if is_deceptive(character) {
            escape(character, &mut plain);
        } else {
            plain.push(character);
        }
    }
    plain
}

/// Returns whether a character is a control character, or a mark that can make one text look like
/// another.
fn is_deceptive(character: char) -> bool {
    json::is_deceptive(character)
        || matches!(character,
            // A web page may contain these, but at a terminal they move the cursor or text.
            '\r' | '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::{one_line, plain, plain_json};

    #[test]
    fn what_a_terminal_would_obey_is_spelt_out() {
        assert_eq!(
            plain("a\u{1b}[2J\u{9b}\r\u{7f}b"),
            "a[U+001B][2J[U+009B][U+000D][U+007F]b"
        );
        assert_eq!(
            plain("\u{202e}\u{200f}\u{61c}\u{2069}"),
            "[U+202E][U+200F][U+061C][U+2069]"
        );
        assert_eq!(plain("\u{e0041}"), "[U+E0041]");
        assert_eq!(plain("a\tb\nc – é 👩‍💻"), "a\tb\nc – é 👩‍💻");
    }

    #[test]
    fn a_name_stays_on_its_line() {
        assert_eq!(one_line(" a\n\r\tb\u{2028}c\u{1b} "), "a b c[U+001B]");
    }

    #[test]
    fn json_stays_the_same_value() {
        let text = "{\"a\": \"\u{9b}\u{202e}\u{e0041}é\"}\n";
        let plain = plain_json(text);
        assert_eq!(plain, "{\"a\": \"\\u009b\\u202e\\udb40\\udc41é\"}\n");
        let value = |text: &str| text.parse::<docent_describe::json::Json>().expect("JSON");
        assert_eq!(value(&plain), value(text));
    }
}
