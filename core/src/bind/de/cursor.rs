//! Where the decoder stands in its text, and how it moves.
//!
//! The text has been checked by the scanner. Nothing here checks it again, but every access is
//! within bounds whatever the text, and what cannot be is an error, never a panic.

use std::borrow::Cow;

use docent_describe::json::unescape;

use super::{DecodeError, Decoder, Problem, Result};

impl<'de> Decoder<'de> {
    #[inline]
    pub(super) fn bytes(&self) -> &'de [u8] {
        self.text.as_bytes()
    }

    /// The byte at the cursor.
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// The next byte that is no white space. The cursor stands on it.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other,
            }
        }
    }

    /// The next byte after a comma, if there is one: an element, a name, or a closing bracket.
    #[inline]
    pub(crate) fn next_item(&mut self) -> Option<u8> {
        match self.next() {
            Some(b',') => {
                self.at += 1;
                self.next()
            }
            other => other,
        }
    }

    /// Passes over the byte at the cursor.
    #[inline]
    pub(crate) fn step(&mut self) {
        self.at += 1;
    }

    /// The byte offset of the cursor.
    #[inline]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The text between two offsets.
    #[inline]
    pub(crate) fn between(&self, start: usize, end: usize) -> Result<&'de str> {
        match self.text.get(start..end) {
            Some(text) => Ok(text),
            None => Err(self.malformed()),
        }
    }

    /// The string at the cursor, which stands on its quotation mark.
    #[inline]
    pub(crate) fn take_string(&mut self) -> Result<Cow<'de, str>> {
        let start = self.at + 1;
        let end = end_of_plain_run(self.bytes(), start);
        if self.bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(self.between(start, end)?));
        }
        self.take_escaped_string(end)
    }

    #[cold]
    fn take_escaped_string(&mut self, first_escape: usize) -> Result<Cow<'de, str>> {
        let start = self.at;
        let end = end_of_string(self.bytes(), first_escape).ok_or_else(|| self.malformed())?;
        self.at = end;
        unescape(self.between(start, end)?)
            .map_err(|_| DecodeError::new(Problem::LoneSurrogate).at(start))
    }

    /// The text of the number at the cursor.
    pub(super) fn take_number(&mut self) -> Result<&'de str> {
        let start = self.at;
        self.skip_plain();
        self.between(start, self.at)
    }

    /// Passes over this text if it comes next, and says whether it did.
    #[inline]
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let end = self.at + word.len();
        let found = self.bytes().get(self.at..end) == Some(word.as_bytes());
        if found {
            self.at = end;
        }
        found
    }

    /// Passes over the whole value that comes next, whatever it is.
    pub(crate) fn skip_value(&mut self) -> Result<()> {
        let mut open = 0usize;
        loop {
            match self.next_item() {
                Some(b'"') => self.skip_string()?,
                Some(b'[' | b'{') => {
                    self.at += 1;
                    open += 1;
                }
                Some(b']' | b'}') if open > 0 => {
                    self.at += 1;
                    open -= 1;
                }
                Some(b':') if open > 0 => {
                    self.at += 1;
                    continue;
                }
                Some(b'-' | b'0'..=b'9' | b'a'..=b'z') => self.skip_plain(),
                _ => return Err(self.malformed()),
            }
            if open == 0 {
                return Ok(());
            }
        }
    }

    /// The text of the value that comes next. The cursor stays before it.
    pub(crate) fn upcoming(&mut self) -> Result<&'de str> {
        self.next();
        let start = self.at;
        self.skip_value()?;
        let text = self.between(start, self.at);
        self.at = start;
        text
    }

    /// Passes over the string at the cursor.
    #[inline]
    pub(crate) fn skip_string(&mut self) -> Result<()> {
        let plain = end_of_plain_run(self.bytes(), self.at + 1);
        match end_of_string(self.bytes(), plain) {
            Some(end) => {
                self.at = end;
                Ok(())
            }
            None => Err(self.malformed()),
        }
    }

    /// Passes over a number or a word.
    #[inline]
    pub(crate) fn skip_plain(&mut self) {
        while let Some(b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E') = self.peek() {
            self.at += 1;
        }
    }

    /// Passes over the opening bracket at the cursor.
    #[inline]
    pub(super) fn open(&mut self) -> Result<()> {
        if self.depth_left == 0 {
            return Err(DecodeError::new(Problem::TooDeep).at(self.at));
        }
        self.depth_left -= 1;
        self.at += 1;
        Ok(())
    }

    /// Passes over the closing bracket of the container at `start`. The target has taken what it
    /// wanted: should it have left something over, that is an error.
    #[inline]
    pub(super) fn close(&mut self, bracket: u8, start: usize) -> Result<()> {
        if self.next() != Some(bracket) {
            return Err(self.left_over(start));
        }
        self.depth_left += 1;
        self.at += 1;
        Ok(())
    }

    #[cold]
    fn left_over(&self, start: usize) -> DecodeError {
        DecodeError::new(Problem::LeftOver {
            taken: self.at - start,
        })
        .at(start)
    }

    #[cold]
    pub(super) fn malformed(&self) -> DecodeError {
        DecodeError::new(Problem::Malformed).at(self.at)
    }
}

/// The offset behind the quotation mark that ends a string, from somewhere in the string on.
#[inline]
fn end_of_string(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            _ => at = end_of_plain_run(bytes, at + length_of_escape(bytes, at)?),
        }
    }
}

/// How long the escape at `at` is. None where it is no escape.
#[inline]
fn length_of_escape(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => bytes
            .get(at + 2..at + 6)?
            .iter()
            .all(u8::is_ascii_hexdigit)
            .then_some(6),
        _ => None,
    }
}

/// The offset of the first quotation mark or backslash from `at` on, or the end.
#[inline]
fn end_of_plain_run(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
    const BACKSLASHES: u64 = u64::from_ne_bytes([b'\\'; 8]);
    // Marks the bytes of `word` that are zero. A borrow may set further marks falsely, but only
    // above a true one, so that the lowest mark is always right.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*chunk);
        let marks = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' {
            break;
        }
        at += 1;
    }
    at
}
