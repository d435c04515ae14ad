//! Decodes the names of members, which are strings in JSON and can be of any type in Rust.
//!
//! Maps may have keys such as integers or enums, which JSON can only write as strings.

use std::borrow::Cow;
use std::str::FromStr;

use itoa::Integer;
use serde::de::{Deserializer, Visitor};

use super::{DecodeError, Decoder, Result};

/// A member's name, at the cursor.
pub(super) struct MemberKey<'a, 'de>(pub(super) &'a mut Decoder<'de>);

impl<'de> MemberKey<'_, 'de> {
    /// Decodes a name as an integer.
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let text = self.0.take_string()?;
        if let Some(value) = spelled::<u64>(&text) {
            visitor.visit_u64(value)
        } else if let Some(value) = spelled::<i64>(&text) {
            visitor.visit_i64(value)
        } else {
            Err(DecodeError::mismatch(&visitor))
        }
    }
}

/// Returns the integer that a name spells. Unlike for values, the spelling matters: `"42"` and `"42.0"`
/// are two names, and must not become the same key.
fn spelled<T: FromStr + Integer + Copy>(name: &str) -> Option<T> {
    let value = name.parse().ok()?;
    let is_usual = itoa::Buffer::new().format(value) == name;
    is_usual.then_some(value)
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.integer(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for MemberKey<'_, 'de> {
    type Error = DecodeError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.take_string()? {
            Cow::Borrowed(name) => visitor.visit_borrowed_str(name),
            Cow::Owned(name) => visitor.visit_string(name),
        }
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match spelled(&self.0.take_string()?) {
            Some(value) => visitor.visit_i128(value),
            None => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match spelled(&self.0.take_string()?) {
            Some(value) => visitor.visit_u128(value),
            None => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &*self.0.take_string()? {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(DecodeError::mismatch(&visitor)),
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        // There is always a name, and it is never null.
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}
