//! Walking over JSON text that is already known to be well formed.
//!
//! The wire has passed every body through the [`Scanner`] before anything else looks at it, so what
//! comes later needs no errors and no tree: it moves a [`Cursor`] over the text and looks at the
//! values it is interested in. On text that is not well formed a cursor says nothing useful, but it
//! neither panics nor loops: it goes to the end.

use docent_describe::json::{Scanner, SyntaxError};

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

    /// Passes over the opening bracket of a container, to its first element or member.
    #[inline]
    pub(crate) fn open(&mut self) {
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

    /// The name of the next member of the open object, as it is written with its quotation marks;
    /// the cursor is then at the member's value. Otherwise it is behind the closing bracket.
    #[inline]
    pub(crate) fn next_member(&mut self) -> Option<&'a str> {
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

    /// Passes over a string, and gives it as it is written with its quotation marks.
    #[inline]
    pub(crate) fn string(&mut self) -> &'a str {
        self.pass(Scanner::skip_string)
    }

    /// Passes over a value of any kind, and gives it as it is written.
    #[inline]
    pub(crate) fn value(&mut self) -> &'a str {
        self.pass(Scanner::skip_value)
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

    #[inline]
    fn pass(&mut self, skip: impl Fn(&mut Scanner<'a>) -> Result<(), SyntaxError>) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut scanner = Scanner::new(rest, usize::MAX);
        let length = match skip(&mut scanner) {
            Ok(()) => scanner.offset(),
            Err(_) => rest.len(),
        };
        self.at += length;
        &rest[..length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_and_members_come_in_order_whatever_stands_between_them() {
        let mut cursor = Cursor::new(" [ 1 ,\n{\"a\" : [2],\"b\":\"x\\\"]\"} , \"]\" ] ");
        let mut seen = Vec::new();
        cursor.open();
        while cursor.next_element() {
            if cursor.peek() == b'{' {
                cursor.open();
                while let Some(name) = cursor.next_member() {
                    seen.push(name);
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

    #[test]
    fn broken_text_ends_every_walk() {
        for text in [
            "[}", "[1", "[", "[\"", "[{\"a\"", "[tru, 1]", "{]", "{\"a\":}",
        ] {
            let mut cursor = Cursor::new(text);
            cursor.open();
            while cursor.next_element() {
                cursor.value();
            }
            let mut cursor = Cursor::new(text);
            cursor.open();
            while cursor.next_member().is_some() {
                cursor.value();
            }
        }
    }
}
