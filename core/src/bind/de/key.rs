//! Decodes the names of members, which are strings in JSON and can be of any type in Rust.

use std::borrow::Cow;

use docent_describe::json::{Cursor, Whole, is_number};
use serde::de::{Deserializer, Visitor};

use super::{DecodeError, Decoder, PRIVATE_TO_SERDE_JSON, Result};

/// A member's name, at the cursor.
pub(super) struct MemberKey<'a, 'de>(pub(super) &'a mut Decoder<'de>);

impl<'de> MemberKey<'_, 'de> {
    /// Reads the integer that the name spells. Unlike for values, the spelling matters: `"42"` and
    /// `"42.0"` are two names, and must not become the same key.
    fn take_whole(&mut self) -> Result<Option<Whole>> {
        let text = self.0.take_string()?;
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        if digits.is_empty() || leading_zero || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        Ok(Whole::new(&text).ok())
    }

    fn integer<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let whole = self.take_whole()?;
        if let Some(value) = whole.and_then(Whole::to_u64) {
            visitor.visit_u64(value)
        } else if let Some(value) = whole.and_then(Whole::to_i64) {
            visitor.visit_i64(value)
        } else {
            Err(DecodeError::mismatch(&visitor))
        }
    }
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

    fn deserialize_i128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.take_whole()?.and_then(Whole::to_i128) {
            Some(value) => visitor.visit_i128(value),
            None => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        match self.take_whole()?.and_then(Whole::to_u128) {
            Some(value) => visitor.visit_u128(value),
            None => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let text = self.0.take_string()?;
        match Cursor::new(&text).single().filter(|_| is_number(&text)) {
            Some(value) => visitor.visit_f32(value),
            None => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let text = self.0.take_string()?;
        match Cursor::new(&text).double().filter(|_| is_number(&text)) {
            Some(value) => visitor.visit_f64(value),
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
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        if name.starts_with(PRIVATE_TO_SERDE_JSON) {
            return self.0.hand_to_serde_json(name, visitor);
        }
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

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.deserialize_bytes(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.deserialize_bytes(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.0.cursor.value();
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier
    }
}
