//! Checks the grammar of JSON (RFC 8259) without building anything.
//!
//! This scanner reads a body exactly once: it checks the grammar and finds where values start and
//! end. Later code works on text that is known to be well formed. The scanner does not recurse, so
//! nesting costs one bit for each level, and the caller chooses the limit.

use thiserror::Error;

use super::string::{end_of_longer_run, end_of_plain_run};

/// An error in the grammar of a JSON text, and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{kind} at byte {offset}")]
pub struct SyntaxError {
    /// The kind of error.
    pub kind: SyntaxErrorKind,
    /// The byte offset where the error was found.
    pub offset: usize,
}

/// The kinds of [`SyntaxError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// The text ends inside a value.
    #[error("unexpected end of text")]
    UnexpectedEnd,
    /// An unexpected character.
    #[error("unexpected character")]
    UnexpectedCharacter,
    /// A string contains a control character that must be escaped.
    #[error("control character in a string")]
    ControlCharacter,
    /// An invalid escape.
    #[error("invalid escape in a string")]
    InvalidEscape,
    /// A number outside JSON's grammar, such as `01`, `+1` or `1.`.
    #[error("invalid number")]
    InvalidNumber,
    /// Too many open brackets.
    #[error("nested too deeply")]
    TooDeep,
    /// There is text after the value.
    #[error("unexpected text after the value")]
    TrailingCharacters,
}

type Result<T> = std::result::Result<T, SyntaxError>;

/// Scans JSON text and checks its grammar.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    depth_left: usize,
}

impl<'a> Scanner<'a> {
    /// Creates a scanner at the start of `text` that allows at most `max_depth` open brackets.
    pub fn new(text: &'a str, max_depth: usize) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            depth_left: max_depth,
        }
    }

    /// Returns the byte offset of the next character.
    #[inline]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Returns the next byte.
    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips whitespace.
    #[inline]
    pub fn skip_whitespace(&mut self) {
        // A single comparison if there is none, as between nearly all tokens that programs write.
        while let Some(byte) = self.peek()
            && byte <= b' '
            && matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
        {
            self.at += 1;
        }
    }

    /// Skips `text` if it is next, and returns whether it was.
    #[inline]
    pub fn eat_text<const LENGTH: usize>(&mut self, text: &[u8; LENGTH]) -> bool {
        let found = self.bytes.get(self.at..).unwrap_or_default().first_chunk() == Some(text);
        if found {
            self.at += LENGTH;
        }
        found
    }

    /// Skips `byte` if it is next, and returns whether it was.
    #[inline]
    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.at += 1;
        }
        found
    }

    /// Skips `byte`, which must be next.
    #[inline]
    pub fn expect(&mut self, byte: u8) -> Result<()> {
        if self.eat(byte) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    /// Skips the opening bracket of a container whose content the caller scans.
    #[inline]
    pub fn open(&mut self) -> Result<()> {
        if self.depth_left == 0 {
            return Err(self.error(SyntaxErrorKind::TooDeep));
        }
        self.depth_left -= 1;
        self.at += 1;
        Ok(())
    }

    /// Skips the closing bracket of an [`open`](Self::open).
    #[inline]
    pub fn close(&mut self) {
        self.depth_left += 1;
        self.at += 1;
    }

    /// Checks that only whitespace is left.
    #[inline]
    pub fn finish(&mut self) -> Result<()> {
        self.skip_whitespace();
        if self.at == self.bytes.len() {
            Ok(())
        } else {
            Err(self.error(SyntaxErrorKind::TrailingCharacters))
        }
    }

    /// Skips one value, including whitespace before it.
    #[inline]
    pub fn skip_value(&mut self) -> Result<()> {
        self.skip_whitespace();
        match self.peek() {
            Some(b'{' | b'[') => self.skip_container(),
            _ => self.skip_scalar(),
        }
    }

    /// Skips a string, a number, `true`, `false` or `null`.
    #[expect(
        clippy::inline_always,
        reason = "a call for each value is 1 % of a small request"
    )]
    #[inline(always)]
    fn skip_scalar(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            Some(b'-' | b'0'..=b'9') => self.skip_number(),
            Some(b't') => self.skip_literal(b"true"),
            Some(b'f') => self.skip_literal(b"false"),
            Some(b'n') => self.skip_literal(b"null"),
            _ => Err(self.unexpected()),
        }
    }

    /// Skips an array or an object, whose opening bracket must be next.
    fn skip_container(&mut self) -> Result<()> {
        let mut containers = Containers::default();
        loop {
            match self.peek() {
                Some(b'"') => self.skip_string()?,
                Some(b' ' | b'\n' | b'\r' | b'\t') => {
                    self.skip_whitespace();
                    continue;
                }
                Some(b'{') => {
                    self.open()?;
                    self.skip_whitespace();
                    if self.peek() == Some(b'}') {
                        self.close();
                    } else {
                        containers.push(true);
                        self.skip_name()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.open()?;
                    self.skip_whitespace();
                    if self.peek() == Some(b']') {
                        self.close();
                    } else {
                        containers.push(false);
                        continue;
                    }
                }
                _ => self.skip_scalar()?,
            }
            // A value has ended. Close the containers that end with it, up to the next comma.
            loop {
                let Some(in_object) = containers.last() else {
                    return Ok(());
                };
                match (self.peek(), in_object) {
                    (Some(b','), true) => {
                        self.at += 1;
                        self.skip_name()?;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.close();
                        containers.pop();
                    }
                    (Some(b' ' | b'\n' | b'\r' | b'\t'), _) => self.skip_whitespace(),
                    _ => return Err(self.unexpected()),
                }
            }
        }
    }

    /// Skips a member's name and its colon, and whitespace before them.
    fn skip_name(&mut self) -> Result<()> {
        // Most programs write no whitespace here.
        if !self.eat(b'"') {
            self.skip_whitespace();
            self.expect(b'"')?;
        }
        self.skip_characters()?;
        if self.eat(b':') {
            return Ok(());
        }
        self.skip_whitespace();
        self.expect(b':')
    }

    /// Skips a string, whose opening quotation mark must be next.
    #[inline]
    pub fn skip_string(&mut self) -> Result<()> {
        self.skip_string_noting_escapes().map(drop)
    }

    /// Skips a string, and returns whether it has escapes.
    #[inline]
    pub fn skip_string_noting_escapes(&mut self) -> Result<bool> {
        self.expect(b'"')?;
        self.skip_characters()
    }

    /// Skips the characters of a string and its closing quotation mark, and returns whether there are
    /// escapes.
    #[inline]
    fn skip_characters(&mut self) -> Result<bool> {
        self.at = end_of_plain_run::<true>(self.bytes, self.at);
        if self.eat(b'"') {
            Ok(false)
        } else {
            self.skip_rest_of_string()
        }
    }

    /// Skips the rest of a string after its first plain characters. Returns true, because the rest
    /// begins with an escape unless it is an error.
    #[inline(never)]
    fn skip_rest_of_string(&mut self) -> Result<bool> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(true);
                }
                Some(b'\\') => self.skip_escape()?,
                Some(_) => return Err(self.error(SyntaxErrorKind::ControlCharacter)),
                None => return Err(self.error(SyntaxErrorKind::UnexpectedEnd)),
            }
            self.at = end_of_longer_run::<true>(self.bytes, self.at);
        }
    }

    fn skip_escape(&mut self) -> Result<()> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 2..self.at + 6);
                if digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                    self.at += 6;
                    Ok(())
                } else {
                    Err(self.error(SyntaxErrorKind::InvalidEscape))
                }
            }
            Some(_) => Err(self.error(SyntaxErrorKind::InvalidEscape)),
            None => Err(self.error(SyntaxErrorKind::UnexpectedEnd)),
        }
    }

    /// Skips a number. The position stays in a register until the end, which halves the cost.
    #[expect(clippy::inline_always, reason = "as for `skip_scalar`")]
    #[inline(always)]
    pub(super) fn skip_number(&mut self) -> Result<()> {
        let mut at = self.at + usize::from(self.peek() == Some(b'-'));
        at = match self.bytes.get(at) {
            Some(b'0') => at + 1,
            _ => self.end_of_digits(at)?,
        };
        if self.bytes.get(at) == Some(&b'.') {
            at = self.end_of_digits(at + 1)?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(at) {
            at += 1;
            at += usize::from(matches!(self.bytes.get(at), Some(b'+' | b'-')));
            at = self.end_of_digits(at)?;
        }
        self.at = at;
        // `01` is an invalid number, not a number followed by something else.
        if let Some(b'0'..=b'9') = self.peek() {
            return Err(self.error(SyntaxErrorKind::InvalidNumber));
        }
        Ok(())
    }

    /// Returns the offset after the digits at `at`. There must be at least one.
    #[inline]
    fn end_of_digits(&self, at: usize) -> Result<usize> {
        let mut end = at;
        while let Some(b'0'..=b'9') = self.bytes.get(end) {
            end += 1;
        }
        if end == at {
            let kind = SyntaxErrorKind::InvalidNumber;
            return Err(SyntaxError { kind, offset: at });
        }
        Ok(end)
    }

    fn skip_literal<const LENGTH: usize>(&mut self, literal: &[u8; LENGTH]) -> Result<()> {
        if self.eat_text(literal) {
            Ok(())
        } else {
            Err(self.unexpected())
        }
    }

    #[cold]
    fn error(&self, kind: SyntaxErrorKind) -> SyntaxError {
        SyntaxError {
            kind,
            offset: self.at,
        }
    }

    /// Returns the error for an unexpected byte or the end of the text.
    #[cold]
    pub fn unexpected(&self) -> SyntaxError {
        self.error(if self.at >= self.bytes.len() {
            SyntaxErrorKind::UnexpectedEnd
        } else {
            SyntaxErrorKind::UnexpectedCharacter
        })
    }
}

/// The kinds of the open containers, one bit for each level: set for an object.
#[derive(Default)]
struct Containers {
    top: u64,
    depth: usize,
    below: Vec<u64>,
}

impl Containers {
    #[inline]
    fn push(&mut self, object: bool) {
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.below.push(self.top);
        }
        self.top = self.top << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.depth -= 1;
        self.top >>= 1;
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.top = self.below.pop().unwrap_or_default();
        }
    }

    #[inline]
    fn last(&self) -> Option<bool> {
        (self.depth != 0).then_some(self.top & 1 == 1)
    }
}
