//! Decodes JSON text to Rust values. The grammar of the text has been checked already.
//!
//! `serde_json`'s deserializer does not fit: it rejects `42.0` for an integer, which the wire
//! contract allows. Its errors are sentences about Rust types with a line and a column, but a
//! caller needs the place in the value and words about JSON. And it checks the grammar a second
//! time.
//!
//! Otherwise this decoder does what `serde_json` does, so that types behave as their authors
//! expect. The differences:
//! - a number with an integral value is an integer, in any notation;
//! - doubles are always the nearest ones;
//! - a lone surrogate is an error for byte strings too;
//! - a struct is an object and never an array, and a unit variant is a string and never `{"Unit":
//!   null}`, as schemas require;
//! - a tuple with too many elements gets that message, instead of "trailing characters".
//!
//! **Invariant**: nothing is allocated, counted or stored for error messages before there is an
//! error. An error knows the byte offset of the innermost value it is about.

mod container;
mod enumeration;
mod error;
mod key;
mod scalar;
mod wording;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::de::{Deserializer, Visitor};

use super::{Cursor, Decimal, PRIVATE_PREFIX};

pub use error::{DecodeError, DecodeProblem};

/// The result of decoding.
pub type Result<T, E = DecodeError> = std::result::Result<T, E>;

/// The maximum number of open containers.
///
/// The caller limits the nesting of its text. This limit protects the stack if that one is high,
/// because recursive types decode by recursion.
const MAX_DEPTH: u32 = 512;

/// Decodes values from JSON text.
pub struct Decoder<'de> {
    /// The position in the text.
    pub cursor: Cursor<'de>,
    depth_left: u32,
    /// Set if a target that accepts any value gets `42.0` as an integer.
    whole_as_integers: bool,
    /// Set if the other setting could have had another result.
    has_met_whole: bool,
}

impl<'de> Decoder<'de> {
    /// Creates a decoder at the start of `text`.
    #[inline]
    pub fn new(text: &'de str) -> Self {
        Self {
            cursor: Cursor::at(text, 0),
            depth_left: MAX_DEPTH,
            whole_as_integers: false,
            has_met_whole: false,
        }
    }

    /// Decodes a text. If that fails and another result is possible, decodes it once more, and
    /// passes `42.0` as an integer to targets that accept any value.
    ///
    /// Such a target may be a `Value`, which distinguishes `42.0` from `42`, or the buffer of an
    /// untagged enum or a flattened struct that contains an integer. The decoder cannot tell which,
    /// so the first try is for the former and the second for the latter.
    #[inline]
    pub fn run<T>(text: &'de str, decode: impl Fn(&mut Self) -> Result<T>) -> Result<T> {
        let mut decoder = Self::new(text);
        let outcome = decode(&mut decoder);
        match &outcome {
            Err(error) if decoder.has_met_whole && !error.is_unexplained() => decode(&mut Self {
                whole_as_integers: true,
                ..Self::new(text)
            }),
            _ => outcome,
        }
    }
}

/// Defines methods that do the same as another one.
macro_rules! same {
    ($($as:ident: $($method:ident)*;)*) => {$($(
        #[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.$as(visitor)
        }
    )*)*};
}

impl<'de> Deserializer<'de> for &mut Decoder<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'"' => self.deserialize_str(visitor),
            b'-' | b'0'..=b'9' => self.any_number(visitor),
            b'[' => self.array(visitor),
            b'{' => self.object(visitor, true),
            b'n' if self.cursor.eat("null") => visitor.visit_unit(),
            b't' if self.cursor.eat("true") => visitor.visit_bool(true),
            b'f' if self.cursor.eat("false") => visitor.visit_bool(false),
            _ => Err(self.malformed()),
        }
    }

    same! {
        integer: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64;
        deserialize_str: deserialize_string deserialize_char deserialize_identifier;
        deserialize_bytes: deserialize_byte_buf;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b't' if self.cursor.eat("true") => visitor.visit_bool(true),
            b'f' if self.cursor.eat("false") => visitor.visit_bool(false),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = self.wide_integer(Decimal::to_i128, &visitor)?;
        visitor.visit_i128(value)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = self.wide_integer(Decimal::to_u128, &visitor)?;
        visitor.visit_u128(value)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.cursor.next_token();
        match self.cursor.single() {
            Some(value) => visitor.visit_f32(value),
            None => Err(self.no_float(&visitor)),
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.cursor.next_token();
        match self.cursor.double() {
            Some(value) => visitor.visit_f64(value),
            None => Err(self.no_float(&visitor)),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.cursor.next_token() != b'"' {
            return Err(self.mismatch(&visitor));
        }
        match self.take_string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'"' => match self.take_string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
                Cow::Owned(text) => visitor.visit_byte_buf(text.into_bytes()),
            },
            b'[' => self.array(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'n' if self.cursor.eat("null") => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'n' if self.cursor.eat("null") => visitor.visit_unit(),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name.starts_with(PRIVATE_PREFIX) {
            return self.hand_to_serde_json(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'[' => self.array(visitor),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'{' => self.object(visitor, true),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'{' => self.object(visitor, false),
            _ => Err(self.mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.enumeration(visitor)
    }

    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip_value()?;
        visitor.visit_unit()
    }
}
