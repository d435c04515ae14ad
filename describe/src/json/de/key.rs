//! Decodes the names of members, which are strings in JSON and can be of any type in Rust.
//!
//! Maps may have keys such as integers or enums, which JSON can only write as strings.

use std::borrow::Cow;
use std::str::FromStr;

use itoa::Integer;
use serde::de::{Deserializer, Visitor};

use super::{DecodeError, DecodeObserver, DecodeResult, Decoder, KeyHint};

/// A member's name, at the cursor.
pub(super) struct MemberKey<'a, 'de, O>(pub(super) &'a mut Decoder<'de, O>);

impl<'de, O: DecodeObserver> MemberKey<'_, 'de, O> {
    /// Notifies the observer of the keys that the type expects.
    #[inline]
    fn observe(&mut self, hint: KeyHint) {
        let offset = self.0.cursor.offset();
        self.0.observer.key_hint(offset, hint);
    }

    /// Decodes a name as an integer.
    fn integer<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        let text = self.0.take_string()?;
        if let Some(value) = integer_of_name::<u64>(&text) {
            visitor.visit_u64(value)
        } else if let Some(value) = integer_of_name::<i64>(&text) {
            visitor.visit_i64(value)
        } else {
            Err(DecodeError::mismatch(&visitor))
        }
    }
}

/// Returns the integer that a name spells. Unlike for values, the spelling matters: `"42"` and `"42.0"`
/// are two names, and must not become the same key.
fn integer_of_name<T: FromStr + Integer + Copy>(name: &str) -> Option<T> {
    let value = name.parse().ok()?;
    let is_canonical = itoa::Buffer::new().format(value) == name;
    is_canonical.then_some(value)
}

macro_rules! integers {
    ($($method:ident: $integer:ty),*) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> DecodeResult<V::Value> {
            self.observe(KeyHint::Integer {
                least: <$integer>::MIN.into(),
                greatest: <$integer>::MAX.abs_diff(0).into(),
            });
            self.integer(visitor)
        }
    )*};
}

impl<'de, O: DecodeObserver> Deserializer<'de> for MemberKey<'_, 'de, O> {
    type Error = DecodeError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        match self.0.take_string()? {
            Cow::Borrowed(name) => visitor.visit_borrowed_str(name),
            Cow::Owned(name) => visitor.visit_string(name),
        }
    }

    integers! {
        deserialize_i8: i8, deserialize_i16: i16, deserialize_i32: i32, deserialize_i64: i64,
        deserialize_u8: u8, deserialize_u16: u16, deserialize_u32: u32, deserialize_u64: u64
    }

    fn deserialize_i128<V: Visitor<'de>>(mut self, visitor: V) -> DecodeResult<V::Value> {
        self.observe(KeyHint::Integer {
            least: i128::MIN,
            greatest: i128::MAX.abs_diff(0),
        });
        match integer_of_name(&self.0.take_string()?) {
            Some(value) => visitor.visit_i128(value),
            None => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(mut self, visitor: V) -> DecodeResult<V::Value> {
        self.observe(KeyHint::Integer {
            least: 0,
            greatest: u128::MAX,
        });
        match integer_of_name(&self.0.take_string()?) {
            Some(value) => visitor.visit_u128(value),
            None => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(mut self, visitor: V) -> DecodeResult<V::Value> {
        self.observe(KeyHint::Bool);
        match &*self.0.take_string()? {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(DecodeError::mismatch(&visitor)),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(mut self, visitor: V) -> DecodeResult<V::Value> {
        self.observe(KeyHint::Char);
        self.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        // There is always a name, and it is never null.
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> DecodeResult<V::Value> {
        self.observe(KeyHint::Enum(variants));
        self.0.enumeration(visitor)
    }

    serde::forward_to_deserialize_any! {
        f32 f64 str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}
