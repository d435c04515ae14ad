//! The names of members, which are strings in JSON and anything in Rust.
//!
//! A name is decoded like a string, except where a type expects an integer, a Boolean, a character
//! or a variant: there it is read as binding reads it.

use std::str::FromStr;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, IntoDeserializer, Visitor};

use super::hint::{DecodeError, HintLog, KeyHint, RecordedHint, undecodable, visit_whole};
use crate::json::Json;

/// The name of a member, and its object.
pub(super) struct TrialKey<'s> {
    /// The name.
    pub(super) name: &'s str,
    /// The object.
    pub(super) map: &'s Json,
    /// The record of the attempt.
    pub(super) log: &'s HintLog,
}

impl<'s> IntoDeserializer<'s, DecodeError> for TrialKey<'s> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl TrialKey<'_> {
    /// Records a hint about the names of the object's members.
    fn record(&self, hint: KeyHint) {
        self.log.key_hints.borrow_mut().push(RecordedHint {
            address: self.map,
            hint,
        });
    }

    /// Reads an integer in its usual spelling, as binding does.
    fn whole<T: FromStr + ToString>(&self, least: i128, greatest: u128) -> Result<T, DecodeError> {
        self.record(KeyHint::Integer(least, greatest));
        let value: Option<T> = self.name.parse().ok();
        value
            .filter(|value| value.to_string() == self.name)
            .ok_or_else(undecodable)
    }
}

macro_rules! whole_keys {
    ($($method:ident: $integer:ty),*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            let greatest = <$integer>::MAX.abs_diff(0).into();
            visit_whole(self.whole(<$integer>::MIN.into(), greatest)?, visitor)
        }
    )*};
}

impl<'s> Deserializer<'s> for TrialKey<'s> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_borrowed_str(self.name)
    }

    whole_keys! {
        deserialize_i8: i8, deserialize_i16: i16, deserialize_i32: i32, deserialize_i64: i64,
        deserialize_u8: u8, deserialize_u16: u16, deserialize_u32: u32, deserialize_u64: u64
    }

    fn deserialize_i128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_i128(self.whole(i128::MIN, i128::MAX as u128)?)
    }

    fn deserialize_u128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_u128(self.whole(0, u128::MAX)?)
    }

    fn deserialize_bool<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(KeyHint::Bool);
        visitor.visit_bool(self.name.parse().map_err(|_| undecodable())?)
    }

    fn deserialize_option<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'s>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.record(KeyHint::Enum(variants));
        visitor.visit_enum(BorrowedStrDeserializer::new(self.name))
    }

    fn deserialize_char<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(KeyHint::Char);
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        <W: Visitor<'s>>
        f32 f64 str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
