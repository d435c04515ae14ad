//! Walking over JSON text that is already known to be well formed.
//!
//! The wire has passed every body through the [`Scanner`] before anything else looks at it, so what
//! comes later needs no errors and no tree: it moves a [`Cursor`] over the text and looks at the
//! values it is interested in. On text that is not well formed a cursor says nothing useful, but it
//! neither panics nor loops: it goes to the end.

use std::borrow::Cow;

use docent_describe::json::{Scanner, SyntaxError, unescape_lossy};

/// A string as it is written, with its quotation marks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quoted<'a> {
    pub(crate) text: &'a str,
    has_escapes: bool,
}

impl<'a> Quoted<'a> {
    /// The characters that are meant, with U+FFFD in place of every lone surrogate.
    #[inline]
    pub(crate) fn unescape(self) -> Cow<'a, str> {
        match self.text.get(1..self.text.len().saturating_sub(1)) {
            Some(inner) if !self.has_escapes => inner.into(),
            _ => unescape_lossy(self.text),
        }
    }
}

/// A place in JSON text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first value of `text`.
    #[inline]
    pub(crate) fn new(text: &'a str) -> Self {
        let mut cursor = Self { text, at: 0 };
        cursor.skip_whitespace();
        cursor
    }

    /// The byte offset of the cursor.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Moves to a byte offset that [`offset`](Self::offset) gave before.
    #[inline]
    pub(crate) fn move_to(&mut self, offset: usize) {
        self.at = offset;
    }

    /// The next byte; zero, which JSON does not have, at the end.
    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Whether the next value is an array or an object.
    #[inline]
    pub(crate) fn is_at_container(&self) -> bool {
        matches!(self.peek(), b'[' | b'{')
    }

    /// Passes over one byte of punctuation, such as the opening bracket of a container.
    #[inline]
    pub(crate) fn step(&mut self) {
        self.at += 1;
    }

    /// Whether another element follows in the open array, and goes to it. Otherwise the cursor is
    /// behind the closing bracket.
    #[inline]
    pub(crate) fn next_element(&mut self) -> bool {
        loop {
            match self.peek() {
                b' ' | b'\n' | b'\r' | b'\t' | b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return false;
                }
                0 => return false,
                _ => return true,
            }
        }
    }

    /// The name of the next member of the open object; the cursor is then at the member's value.
    /// Otherwise it is behind the closing bracket.
    #[inline]
    pub(crate) fn next_member(&mut self) -> Option<Quoted<'a>> {
        loop {
            match self.peek() {
                b' ' | b'\n' | b'\r' | b'\t' | b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return None;
                }
                0 => return None,
                _ => break,
            }
        }
        let name = self.string();
        while let b' ' | b'\n' | b'\r' | b'\t' | b':' = self.peek() {
            self.at += 1;
        }
        Some(name)
    }

    /// Passes over a string, and gives it as it is written.
    #[inline]
    pub(crate) fn string(&mut self) -> Quoted<'a> {
        // Most strings, and nearly all names, are short and plain; the scanner is for the rest.
        const SHORT: usize = 24;
        let rest = self.rest();
        let bytes = rest.as_bytes();
        for at in 1..bytes.len().min(SHORT) {
            match bytes[at] {
                b'"' => {
                    self.at += at + 1;
                    return Quoted {
                        text: &rest[..=at],
                        has_escapes: false,
                    };
                }
                b'\\' => break,
                _ => {}
            }
        }
        let text = self.pass(Scanner::skip_string);
        Quoted {
            text,
            has_escapes: text.contains('\\'),
        }
    }

    /// Passes over a value of any kind, and gives it as it is written.
    #[inline]
    pub(crate) fn value(&mut self) -> &'a str {
        match self.peek() {
            b'"' => self.string().text,
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => self.word(),
            _ => self.pass(Scanner::skip_value),
        }
    }

    /// Passes over a number, `true`, `false` or `null`.
    #[inline]
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |byte| matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t');
        let length = rest.bytes().position(ends);
        let length = length.unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Passes over a whole number that is written plainly and surely fits, and gives its value.
    /// Otherwise the cursor stays where it is.
    #[inline]
    pub(crate) fn plain_integer(&mut self) -> Option<i64> {
        // Any 18 digits fit.
        const DIGITS: usize = 18;
        let bytes = self.text.as_bytes();
        let negative = self.peek() == b'-';
        let first = self.at + usize::from(negative);
        let mut at = first;
        let mut value = 0i64;
        while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
            if at == first + DIGITS {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            at += 1;
        }
        if at == first || matches!(bytes.get(at), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        self.at = at;
        Some(if negative { -value } else { value })
    }

    #[inline]
    fn skip_whitespace(&mut self) {
        while let b' ' | b'\n' | b'\r' | b'\t' = self.peek() {
            self.at += 1;
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn pass(&mut self, skip: impl Fn(&mut Scanner<'a>) -> Result<(), SyntaxError>) -> &'a str {
        let rest = self.rest();
        let mut scanner = Scanner::new(rest, usize::MAX);
        if skip(&mut scanner).is_err() {
            self.at = self.text.len();
            return rest;
        }
        let length = scanner.offset();
        self.at += length;
        &rest[..length]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn elements_and_members_come_in_order_whatever_stands_between_them() {
        let mut cursor = Cursor::new(" [ 1 ,\n{\"a\" : [2],\"b\":\"x\\\"]\"} , \"]\" ] ");
        let mut seen = Vec::new();
        cursor.step();
        while cursor.next_element() {
            if cursor.peek() == b'{' {
                cursor.step();
                while let Some(name) = cursor.next_member() {
                    seen.push(name.text);
                    seen.push(cursor.value());
                }
            } else {
                seen.push(cursor.value());
            }
        }
        assert_eq!(seen, ["1", "\"a\"", "[2]", "\"b\"", "\"x\\\"]\"", "\"]\""]);
    }

    #[test]
    fn only_short_plain_integers_are_read_as_such() {
        let read = |text| Cursor::new(text).plain_integer();
        assert_eq!(read("0"), Some(0));
        assert_eq!(read("-0"), Some(0));
        assert_eq!(read("-42,"), Some(-42));
        assert_eq!(read("999999999999999999"), Some(999_999_999_999_999_999));
        assert_eq!(read("1000000000000000000"), None);
        for text in ["1.0", "1e2", "1E2", "\"1\"", "-", "null"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn broken_text_ends_every_walk(text in "[\\[\\]{}:,\"\\\\ 0-9a-eé.tn-]{0,24}") {
            let mut cursor = Cursor::new(&text);
            cursor.step();
            while cursor.next_element() {
                cursor.value();
            }
            let mut cursor = Cursor::new(&text);
            cursor.step();
            while cursor.next_member().is_some() {
                cursor.value();
            }
        }
    }
}
