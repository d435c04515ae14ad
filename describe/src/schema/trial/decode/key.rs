//! The names of members, which are strings in JSON and anything in Rust.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Visitor};

use super::{Refusal, refused, visit_whole};

/// The name of a member, which is a string in JSON and anything in Rust.
pub(super) struct Key<'s>(pub(super) &'s str);

impl Key<'_> {
    fn whole(&self) -> Result<i128, Refusal> {
        let digits = self.0.strip_prefix('-').unwrap_or(self.0);
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        if leading_zero || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refused());
        }
        self.0.parse().map_err(|_| refused())
    }
}

macro_rules! whole_keys {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
            visit_whole(self.whole()?, visitor)
        }
    )*};
}

impl<'s> Deserializer<'s> for Key<'s> {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_borrowed_str(self.0)
    }

    whole_keys! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_i128(self.whole()?)
    }

    fn deserialize_u128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let spelled_plainly = self.0 == "0" || !self.0.starts_with(['0', '+']);
        let value = self.0.parse().ok().filter(|_| spelled_plainly);
        visitor.visit_u128(value.ok_or_else(refused)?)
    }

    fn deserialize_f32<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_f32(self.0.parse().map_err(|_| refused())?)
    }

    fn deserialize_f64<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_f64(self.0.parse().map_err(|_| refused())?)
    }

    fn deserialize_bool<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_bool(self.0.parse().map_err(|_| refused())?)
    }

    fn deserialize_option<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'s>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    fn deserialize_bytes<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_borrowed_bytes(self.0.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_bytes(visitor)
    }

    serde::forward_to_deserialize_any! {
        <W: Visitor<'s>>
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
