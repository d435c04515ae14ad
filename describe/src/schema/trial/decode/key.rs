//! The names of members, which are strings in JSON and anything in Rust.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, IntoDeserializer, Visitor};

use super::log::{KeyAsk, Log, Refusal, refused, visit_whole};
use crate::json::Json;

/// The name of a member, and its object.
pub(super) struct TrialKey<'s> {
    pub(super) name: &'s str,
    pub(super) map: &'s Json,
    pub(super) log: &'s Log,
}

impl<'s> IntoDeserializer<'s, Refusal> for TrialKey<'s> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl TrialKey<'_> {
    /// Records what is asked for as a key of the object.
    fn note(&self, ask: KeyAsk) {
        self.log.keys.borrow_mut().push((self.map, ask));
    }

    fn whole(&self, least: i128, greatest: u128) -> Result<i128, Refusal> {
        self.note(KeyAsk::Integer(least, greatest));
        let digits = self.name.strip_prefix('-').unwrap_or(self.name);
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        if leading_zero || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refused());
        }
        self.name.parse().map_err(|_| refused())
    }
}

macro_rules! whole_keys {
    ($($method:ident: $integer:ty),*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
            let greatest = <$integer>::MAX.abs_diff(0).into();
            visit_whole(self.whole(<$integer>::MIN.into(), greatest)?, visitor)
        }
    )*};
}

impl<'s> Deserializer<'s> for TrialKey<'s> {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_borrowed_str(self.name)
    }

    whole_keys! {
        deserialize_i8: i8, deserialize_i16: i16, deserialize_i32: i32, deserialize_i64: i64,
        deserialize_u8: u8, deserialize_u16: u16, deserialize_u32: u32, deserialize_u64: u64
    }

    fn deserialize_i128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_i128(self.whole(i128::MIN, i128::MAX as u128)?)
    }

    fn deserialize_u128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(KeyAsk::Integer(0, u128::MAX));
        let spelled_plainly = self.name == "0" || !self.name.starts_with(['0', '+']);
        let value = self.name.parse().ok().filter(|_| spelled_plainly);
        visitor.visit_u128(value.ok_or_else(refused)?)
    }

    fn deserialize_f32<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_f32(self.name.parse().map_err(|_| refused())?)
    }

    fn deserialize_f64<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_f64(self.name.parse().map_err(|_| refused())?)
    }

    fn deserialize_bool<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(KeyAsk::Bool);
        visitor.visit_bool(self.name.parse().map_err(|_| refused())?)
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
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.note(KeyAsk::Enum(variants));
        visitor.visit_enum(BorrowedStrDeserializer::new(self.name))
    }

    fn deserialize_char<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(KeyAsk::Char);
        self.deserialize_any(visitor)
    }

    fn deserialize_bytes<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_borrowed_bytes(self.name.as_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_bytes(visitor)
    }

    serde::forward_to_deserialize_any! {
        <W: Visitor<'s>>
        str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
