//! Numbers at the cursor, for each kind of target.

use serde::de::Visitor;

use super::whole::{Whole, Wholeness, wholeness};
use super::{DecodeError, Decoder, Result, number};

impl<'de> Decoder<'de> {
    /// The error for a value of the wrong type at the cursor.
    #[cold]
    pub(super) fn mismatch<'a>(&self, visitor: &impl Visitor<'a>) -> DecodeError {
        DecodeError::mismatch(visitor).at(self.at)
    }

    #[inline]
    pub(super) fn integer<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.next();
        let Some(plain) = number::plain(self.bytes(), self.at) else {
            return self.unusual_integer(visitor);
        };
        if !plain.negative {
            self.at = plain.end;
            return visitor.visit_u64(plain.magnitude);
        }
        match 0i64.checked_sub_unsigned(plain.magnitude) {
            Some(value) => {
                self.at = plain.end;
                visitor.visit_i64(value)
            }
            None => Err(DecodeError::out_of_range(&visitor).at(self.at)),
        }
    }

    #[cold]
    fn unusual_integer<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.at;
        let whole = self.take_whole(&visitor)?;
        if let Some(value) = whole.to_u64() {
            visitor.visit_u64(value)
        } else if let Some(value) = whole.to_i64() {
            visitor.visit_i64(value)
        } else {
            Err(DecodeError::out_of_range(&visitor).at(start))
        }
    }

    /// The integer at the cursor as one of 128 bits.
    pub(super) fn wide_integer<'a, T>(
        &mut self,
        narrow: impl FnOnce(Whole) -> Option<T>,
        visitor: &impl Visitor<'a>,
    ) -> Result<T> {
        self.next();
        let start = self.at;
        narrow(self.take_whole(visitor)?)
            .ok_or_else(|| DecodeError::out_of_range(visitor).at(start))
    }

    /// The whole number at the cursor.
    fn take_whole<'a>(&mut self, visitor: &impl Visitor<'a>) -> Result<Whole> {
        let start = self.at;
        let wholeness = match self.next() {
            Some(b'-' | b'0'..=b'9') => wholeness(self.take_number()?),
            _ => Wholeness::Fraction,
        };
        match wholeness {
            Wholeness::Whole(whole) => Ok(whole),
            Wholeness::Huge => Err(DecodeError::out_of_range(visitor).at(start)),
            Wholeness::Fraction => Err(DecodeError::mismatch(visitor).at(start)),
        }
    }

    /// The number at the cursor for a target that takes anything.
    pub(super) fn any_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let unsigned = number::plain(self.bytes(), self.at).filter(|plain| !plain.negative);
        match unsigned {
            Some(plain) => {
                self.at = plain.end;
                visitor.visit_u64(plain.magnitude)
            }
            None => self.any_unusual_number(visitor),
        }
    }

    fn any_unusual_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.at;
        let text = self.take_number()?;
        if let Wholeness::Whole(whole) = wholeness(text) {
            // A negative zero is a double: no integer keeps its sign.
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
        match number::double(text, 0) {
            Some((value, _)) => visitor.visit_f64(value),
            None => Err(DecodeError::out_of_range(&"f64").at(start)),
        }
    }

    /// The number at the cursor. None where it is too large, or something else.
    pub(super) fn double(&mut self) -> Option<f64> {
        let (value, end) = number::double(self.text, self.at)?;
        self.at = end;
        Some(value)
    }

    /// The number at the cursor was too large, or there is none.
    #[cold]
    pub(super) fn no_float<'a>(&mut self, visitor: &impl Visitor<'a>) -> DecodeError {
        match self.next() {
            Some(b'-' | b'0'..=b'9') => DecodeError::out_of_range(visitor).at(self.at),
            _ => self.mismatch(visitor),
        }
    }
}
