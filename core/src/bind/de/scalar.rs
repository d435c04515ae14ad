//! Decodes numbers for each kind of target.

use docent_describe::json::{NotWhole, Whole};
use serde::de::Visitor;

use super::{DecodeError, Decoder, Result};

impl<'de> Decoder<'de> {
    /// Returns the error for a value of the wrong type at the cursor.
    #[cold]
    pub(super) fn mismatch<'a>(&self, visitor: &impl Visitor<'a>) -> DecodeError {
        DecodeError::mismatch(visitor).at(self.cursor.offset())
    }

    #[inline]
    pub(super) fn integer<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.cursor.next_token();
        if let Some(value) = self.cursor.plain_u64() {
            visitor.visit_u64(value)
        } else if let Some(value) = self.cursor.plain_i64() {
            visitor.visit_i64(value)
        } else {
            self.unusual_integer(visitor)
        }
    }

    #[cold]
    fn unusual_integer<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.cursor.offset();
        let whole = self.take_whole(&visitor)?;
        if let Some(value) = whole.to_u64() {
            visitor.visit_u64(value)
        } else if let Some(value) = whole.to_i64() {
            visitor.visit_i64(value)
        } else {
            Err(DecodeError::out_of_range(&visitor).at(start))
        }
    }

    /// Reads a 128-bit integer at the cursor.
    pub(super) fn wide_integer<'a, T>(
        &mut self,
        narrow: impl FnOnce(Whole) -> Option<T>,
        visitor: &impl Visitor<'a>,
    ) -> Result<T> {
        self.cursor.next_token();
        let start = self.cursor.offset();
        narrow(self.take_whole(visitor)?)
            .ok_or_else(|| DecodeError::out_of_range(visitor).at(start))
    }

    /// Reads the integer at the cursor.
    fn take_whole<'a>(&mut self, visitor: &impl Visitor<'a>) -> Result<Whole> {
        let start = self.cursor.offset();
        let whole = match self.cursor.peek() {
            b'-' | b'0'..=b'9' => Whole::new(self.cursor.value()),
            _ => Err(NotWhole::Fraction),
        };
        whole.map_err(|why| {
            let error = match why {
                NotWhole::TooLarge => DecodeError::out_of_range(visitor),
                NotWhole::Fraction => DecodeError::mismatch(visitor),
            };
            error.at(start)
        })
    }

    /// Decodes the number at the cursor for a target that accepts any value.
    pub(super) fn any_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.cursor.plain_u64() {
            Some(value) => visitor.visit_u64(value),
            None => self.any_unusual_number(visitor),
        }
    }

    fn any_unusual_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.cursor;
        let text = self.cursor.value();
        if let Ok(whole) = Whole::new(text) {
            // A negative zero is a double, because no integer keeps its sign.
            let as_integer = !text.contains(['.', 'e', 'E']) && text != "-0";
            if as_integer || self.whole_as_integers {
                if let Some(value) = whole.to_u64() {
                    return visitor.visit_u64(value);
                }
                if let Some(value) = whole.to_i64() {
                    return visitor.visit_i64(value);
                }
            } else {
                self.has_met_whole = true;
            }
        }
        match { start }.double() {
            Some(value) => visitor.visit_f64(value),
            None => Err(DecodeError::out_of_range(&"f64").at(start.offset())),
        }
    }

    /// Returns the error for a number that is too large, or for a value that is not a number.
    #[cold]
    pub(super) fn no_float<'a>(&self, visitor: &impl Visitor<'a>) -> DecodeError {
        match self.cursor.peek() {
            b'-' | b'0'..=b'9' => DecodeError::out_of_range(visitor).at(self.cursor.offset()),
            _ => self.mismatch(visitor),
        }
    }
}
