//! Decodes numbers for each kind of target.
//!
//! JSON has one kind of number: `42.0` and `4.2e1` are integers as much as `42`. Short integers,
//! which most are, take a faster path.

use serde::de::Visitor;

use super::{DecodeError, DecodeObserver, DecodeResult, Decoder};
use crate::json::Decimal;

impl<'de, O: DecodeObserver> Decoder<'de, O> {
    /// Returns the error for a value of the wrong type at the cursor.
    #[cold]
    pub(super) fn mismatch<'a>(&self, visitor: &impl Visitor<'a>) -> DecodeError {
        DecodeError::mismatch(visitor).with_offset(self.cursor.offset())
    }

    /// Decodes the integer at the cursor.
    #[inline]
    pub(super) fn integer<V: Visitor<'de>>(&mut self, visitor: V) -> DecodeResult<V::Value> {
        if let Some(value) = self.cursor.plain_u64() {
            visitor.visit_u64(value)
        } else if let Some(value) = self.cursor.plain_i64() {
            visitor.visit_i64(value)
        } else {
            self.unusual_integer(visitor)
        }
    }

    /// Decodes an integer in another notation, such as `4.2e1`, or one that may not fit.
    #[cold]
    fn unusual_integer<V: Visitor<'de>>(&mut self, visitor: V) -> DecodeResult<V::Value> {
        let start = self.cursor.offset();
        let integer = self.wide_integer(Decimal::to_i128, &visitor)?;
        if let Ok(value) = u64::try_from(integer) {
            visitor.visit_u64(value)
        } else if let Ok(value) = i64::try_from(integer) {
            visitor.visit_i64(value)
        } else {
            Err(DecodeError::out_of_range(&visitor).with_offset(start))
        }
    }

    /// Reads an integer of up to 128 bits, in any notation.
    pub(super) fn wide_integer<'a, T>(
        &mut self,
        fit: impl FnOnce(&Decimal) -> Option<T>,
        visitor: &impl Visitor<'a>,
    ) -> DecodeResult<T> {
        let (b'-' | b'0'..=b'9') = self.cursor.next_token() else {
            return Err(self.mismatch(visitor));
        };
        let start = self.cursor.offset();
        let number = Decimal::new(self.cursor.value());
        fit(&number).ok_or_else(|| {
            let error = if number.is_integer() {
                DecodeError::out_of_range(visitor)
            } else {
                DecodeError::mismatch(visitor)
            };
            error.with_offset(start)
        })
    }

    /// Decodes the number at the cursor for a target that accepts any value.
    pub(super) fn any_number<V: Visitor<'de>>(&mut self, visitor: V) -> DecodeResult<V::Value> {
        match self.cursor.plain_u64() {
            Some(value) => visitor.visit_u64(value),
            None => self.any_unusual_number(visitor),
        }
    }

    /// Decodes any number but a short integer.
    fn any_unusual_number<V: Visitor<'de>>(&mut self, visitor: V) -> DecodeResult<V::Value> {
        let start = self.cursor;
        let text = self.cursor.value();
        let mut number = start;
        let nearest = number.double();
        // Only a double without a fraction can be the nearest to an integer.
        if nearest.is_some_and(|double| double.fract() == 0.0)
            && let Some(integer) = Decimal::new(text).to_i128()
        {
            // A negative zero is a double, because no integer keeps its sign.
            let is_written_as_integer = !text.contains(['.', 'e', 'E']) && text != "-0";
            if is_written_as_integer || self.reads_integral_as_integers {
                if let Ok(value) = u64::try_from(integer) {
                    return visitor.visit_u64(value);
                }
                if let Ok(value) = i64::try_from(integer) {
                    return visitor.visit_i64(value);
                }
            } else {
                self.has_read_integral_double = true;
            }
        }
        match nearest {
            Some(value) => visitor.visit_f64(value),
            None => Err(DecodeError::out_of_range(&"f64").with_offset(start.offset())),
        }
    }

    /// Returns the error for a number that is too large, or for a value that is not a number.
    #[cold]
    pub(super) fn no_float<'a>(&self, visitor: &impl Visitor<'a>) -> DecodeError {
        match self.cursor.peek() {
            b'-' | b'0'..=b'9' => {
                DecodeError::out_of_range(visitor).with_offset(self.cursor.offset())
            }
            _ => self.mismatch(visitor),
        }
    }
}
