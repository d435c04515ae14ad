//! Parses text into [`Json`], in one pass over the [`Scanner`].
//!
//! The scanner checks the grammar and the depth. The parser only builds the tree, from the offsets at which each value
//! begins and ends.

use std::str::FromStr;

use super::scan::{Scanner, SyntaxError};
use super::string::unescape_lossy;
use super::value::{Json, Object};

/// The maximum nesting of a text that becomes a [`Json`].
///
/// The tree is built and dropped by recursion, so there must be a limit. Descriptions come nowhere near it.
pub const MAX_DEPTH: usize = 512;

impl FromStr for Json {
    type Err = SyntaxError;

    /// Parses JSON text. Lone surrogates become U+FFFD.
    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let mut parser = Parser {
            text,
            scanner: Scanner::new(text, MAX_DEPTH),
        };
        let value = parser.value()?;
        parser.scanner.finish()?;
        Ok(value)
    }
}

/// A scanner, and the text that it scans.
struct Parser<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
}

impl Parser<'_> {
    fn value(&mut self) -> Result<Json, SyntaxError> {
        self.scanner.skip_whitespace();
        match self.scanner.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            first => {
                let start = self.scanner.offset();
                self.scanner.skip_value()?;
                let text = &self.text[start..self.scanner.offset()];
                Ok(match first {
                    Some(b'"') => Json::String(unescape_lossy(text).into_owned()),
                    Some(b't') => Json::Bool(true),
                    Some(b'f') => Json::Bool(false),
                    Some(b'n') => Json::Null,
                    _ => Json::Number(text.into()),
                })
            }
        }
    }

    fn array(&mut self) -> Result<Json, SyntaxError> {
        let mut elements = Vec::new();
        self.scanner.open()?;
        self.scanner.skip_whitespace();
        while self.scanner.peek() != Some(b']') {
            elements.push(self.value()?);
            self.separator(b']')?;
        }
        self.scanner.close();
        elements.shrink_to_fit();
        Ok(Json::Array(elements))
    }

    fn object(&mut self) -> Result<Json, SyntaxError> {
        let mut members = Object::new();
        self.scanner.open()?;
        self.scanner.skip_whitespace();
        while self.scanner.peek() != Some(b'}') {
            let start = self.scanner.offset();
            self.scanner.skip_string()?;
            let name = unescape_lossy(&self.text[start..self.scanner.offset()]);
            self.scanner.skip_whitespace();
            self.scanner.expect(b':')?;
            members.insert(&*name, self.value()?);
            self.separator(b'}')?;
        }
        self.scanner.close();
        members.shrink_to_fit();
        Ok(Json::Object(members))
    }

    /// Skips a comma, which must be followed by another element, or stops before `closing`.
    fn separator(&mut self, closing: u8) -> Result<(), SyntaxError> {
        self.scanner.skip_whitespace();
        if self.scanner.peek() != Some(closing) {
            self.scanner.expect(b',')?;
            self.scanner.skip_whitespace();
            if self.scanner.peek() == Some(closing) {
                return Err(self.scanner.unexpected());
            }
        }
        Ok(())
    }
}
