//! Walks over JSON text that is known to be well formed.
//!
//! Every body goes through the [`Scanner`](super::Scanner) first, so later code needs neither
//! errors nor a tree: it moves a [`Cursor`] over the text and reads the values it needs. On
//! malformed text a cursor returns nothing useful, but it neither panics nor loops: it moves to the
//! end.

use std::borrow::Cow;

use super::number::{double, plain_integer, single};
use super::string::{LoneSurrogate, end_of_plain_run, end_of_string, unescape, unescape_lossy};

/// A JSON string as written, with its quotation marks.
#[derive(Debug, Clone, Copy)]
pub struct Quoted<'a> {
    text: &'a str,
    has_escapes: bool,
}

impl<'a> Quoted<'a> {
    /// Returns the text, including quotation marks.
    #[inline]
    pub fn as_written(self) -> &'a str {
        self.text
    }

    /// Returns the decoded characters, with U+FFFD for unpaired surrogates.
    #[inline]
    pub fn unescape(self) -> Cow<'a, str> {
        match self.text.get(1..self.text.len().saturating_sub(1)) {
            Some(inner) if !self.has_escapes => inner.into(),
            _ => unescape_lossy(self.text),
        }
    }

    /// Returns the decoded characters.
    ///
    /// # Errors
    /// [`LoneSurrogate`] if there is an unpaired surrogate.
    pub fn try_unescape(self) -> Result<Cow<'a, str>, LoneSurrogate> {
        match self.text.get(1..self.text.len().saturating_sub(1)) {
            Some(inner) if !self.has_escapes => Ok(inner.into()),
            _ => unescape(self.text),
        }
    }
}

/// A position in well-formed JSON text.
///
/// ```
/// use docent_describe::json::Cursor;
///
/// let mut cursor = Cursor::new(r#"{"id": 7, "tags": ["a"]}"#);
/// cursor.step();
/// let name = cursor.next_member().unwrap();
/// assert_eq!((name.as_written(), cursor.value()), (r#""id""#, "7"));
/// assert!(cursor.next_member().is_some());
/// assert_eq!(cursor.value(), r#"["a"]"#);
/// assert!(cursor.next_member().is_none());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the first value of `text`.
    #[inline]
    pub fn new(text: &'a str) -> Self {
        let mut cursor = Self::at(text, 0);
        cursor.next_token();
        cursor
    }

    /// Creates a cursor at a byte offset of `text`.
    #[inline]
    pub fn at(text: &'a str, offset: usize) -> Self {
        Self { text, at: offset }
    }

    /// Returns the whole text.
    #[inline]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the byte offset of the cursor.
    #[inline]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Moves to a byte offset that [`offset`](Self::offset) returned before.
    #[inline]
    pub(crate) fn move_to(&mut self, offset: usize) {
        self.at = offset;
    }

    /// Returns the text from a byte offset that [`offset`](Self::offset) returned before up to the
    /// cursor.
    #[inline]
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Returns the byte at the cursor, or zero at the end. JSON has no zero bytes.
    #[inline]
    pub fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Skips whitespace and returns the next byte: the first byte of a value or a name, or
    /// punctuation. The cursor stays before it.
    #[inline]
    pub fn next_token(&mut self) -> u8 {
        loop {
            match self.peek() {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                other => return other,
            }
        }
    }

    /// Like [`next_token`](Self::next_token), but also skips a comma, so that an element, a name or
    /// a closing bracket is next.
    #[inline]
    pub fn next_item(&mut self) -> u8 {
        match self.next_token() {
            b',' => {
                self.at += 1;
                self.next_token()
            }
            other => other,
        }
    }

    /// Skips one byte of punctuation, such as an opening bracket.
    #[inline]
    pub fn step(&mut self) {
        self.at += 1;
    }

    /// Skips this text if it is next, and returns whether it was.
    #[inline]
    pub fn eat(&mut self, word: &str) -> bool {
        let end = self.at + word.len();
        let found = self.text.as_bytes().get(self.at..end) == Some(word.as_bytes());
        if found {
            self.at = end;
        }
        found
    }

    /// Moves to the next element of the open array and returns true, or skips the closing bracket.
    #[inline]
    pub fn next_element(&mut self) -> bool {
        match self.next_item() {
            b']' => {
                self.at += 1;
                false
            }
            first => first != 0,
        }
    }

    /// Returns the name of the next member of the open object and moves to its value, or skips the
    /// closing bracket.
    #[inline]
    pub fn next_member(&mut self) -> Option<Quoted<'a>> {
        match self.next_item() {
            b'}' => {
                self.at += 1;
                return None;
            }
            0 => return None,
            _ => {}
        }
        let name = self.string();
        if self.next_token() == b':' {
            self.at += 1;
            self.next_token();
        }
        Some(name)
    }

    /// Skips the string at the cursor and returns it as written.
    #[inline]
    pub fn string(&mut self) -> Quoted<'a> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let end = end_of_plain_run::<false>(bytes, start + 1);
        let is_plain = bytes.get(end) == Some(&b'"');
        self.at = if is_plain {
            end + 1
        } else {
            end_of_string(bytes, end)
        };
        Quoted {
            text: self.since(start),
            has_escapes: !is_plain,
        }
    }

    /// Skips the string at the cursor and returns its characters, if it has no escapes.
    #[inline]
    pub fn plain_string(&mut self) -> Option<&'a str> {
        let start = self.at + 1;
        let end = end_of_plain_run::<false>(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) != Some(&b'"') {
            return None;
        }
        self.at = end + 1;
        self.text.get(start..end)
    }

    /// Skips the value at the cursor and returns it as written.
    #[inline]
    pub fn value(&mut self) -> &'a str {
        let start = self.at;
        match self.peek() {
            b'"' => self.skip_string(),
            b'[' | b'{' => self.skip_container(),
            _ => self.skip_number_or_literal(),
        }
        self.since(start)
    }

    #[inline]
    fn skip_string(&mut self) {
        self.at = end_of_string(self.text.as_bytes(), self.at + 1);
    }

    /// Skips a container, however deeply it is nested.
    fn skip_container(&mut self) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                b'"' => self.skip_string(),
                b'[' | b'{' => {
                    self.at += 1;
                    open += 1;
                }
                b']' | b'}' => {
                    self.at += 1;
                    open -= 1;
                    if open == 0 {
                        return;
                    }
                }
                b' ' | b'\n' | b'\r' | b'\t' | b',' | b':' => self.at += 1,
                0 => return,
                _ => self.skip_number_or_literal(),
            }
        }
    }

    /// Skips a number, `true`, `false` or `null`.
    #[inline]
    fn skip_number_or_literal(&mut self) {
        let start = self.at;
        while let b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E' = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            self.at = self.text.len();
        }
    }

    /// Skips an integer that is written with digits only and short enough to fit, and returns its
    /// value. Otherwise the cursor does not move.
    #[inline]
    pub fn plain_u64(&mut self) -> Option<u64> {
        let integer = plain_integer(self.text.as_bytes(), self.at)?;
        if integer.negative {
            return None;
        }
        self.at = integer.end;
        Some(integer.magnitude)
    }

    /// Skips an integer that is written with an optional minus sign and digits, if it fits, and
    /// returns its value. Otherwise the cursor does not move.
    #[inline]
    pub fn plain_i64(&mut self) -> Option<i64> {
        let integer = plain_integer(self.text.as_bytes(), self.at)?;
        let value = if integer.negative {
            0i64.checked_sub_unsigned(integer.magnitude)
        } else {
            integer.magnitude.try_into().ok()
        }?;
        self.at = integer.end;
        Some(value)
    }

    /// Skips a number and returns the nearest double. If there is none, the cursor does not move.
    #[inline]
    pub fn double(&mut self) -> Option<f64> {
        let (value, end) = double(self.text, self.at)?;
        self.at = end;
        Some(value)
    }

    /// Like [`double`](Self::double), for the nearest 32-bit number. It does not go through a
    /// double, which would round twice.
    pub fn single(&mut self) -> Option<f32> {
        let (value, end) = single(self.text, self.at)?;
        self.at = end;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn elements_and_members_come_in_order_whatever_is_between_them() {
        let mut cursor = Cursor::new(" [ 1 ,\n{\"a\" : [2],\"b\":\"x\\\"]\"} , \"]\" ] ");
        let mut seen = Vec::new();
        cursor.step();
        while cursor.next_element() {
            if cursor.peek() == b'{' {
                cursor.step();
                while let Some(name) = cursor.next_member() {
                    seen.push(name.as_written());
                    seen.push(cursor.value());
                }
            } else {
                seen.push(cursor.value());
            }
        }
        assert_eq!(seen, ["1", "\"a\"", "[2]", "\"b\"", "\"x\\\"]\"", "\"]\""]);
    }

    #[test]
    fn only_plain_integers_that_fit_are_read_as_such() {
        let read = |text| Cursor::new(text).plain_i64();
        assert_eq!(read("0"), Some(0));
        assert_eq!(read("-0"), Some(0));
        assert_eq!(read("-42,"), Some(-42));
        assert_eq!(read("9223372036854775807"), Some(i64::MAX));
        assert_eq!(read("-9223372036854775808"), Some(i64::MIN));
        let unsigned = |text| Cursor::new(text).plain_u64();
        assert_eq!(unsigned("42]"), Some(42));
        assert_eq!(
            unsigned("9999999999999999999"),
            Some(9_999_999_999_999_999_999)
        );
        assert_eq!(unsigned("10000000000000000000"), None);
        for text in [
            "9223372036854775808",
            "1.0",
            "1e2",
            "1E2",
            "\"1\"",
            "-",
            "null",
        ] {
            let mut cursor = Cursor::new(text);
            assert_eq!((cursor.plain_i64(), cursor.offset()), (None, 0), "{text}");
        }
    }

    #[test]
    fn a_double_is_the_nearest_one_however_its_number_is_written() {
        for text in [
            "0",
            "-0",
            "42",
            "-7",
            "9007199254740993",
            "-9223372036854775807",
            "9999999999999999999",
            "18446744073709551617",
            "1.5",
            "1e3",
            "-0.1e-7",
        ] {
            let mut cursor = Cursor::new(text);
            let bits = cursor.double().map(f64::to_bits);
            assert_eq!(bits, text.parse().ok().map(f64::to_bits), "{text}");
            assert_eq!(cursor.offset(), text.len(), "{text}");
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
