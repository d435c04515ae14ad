//! What a type asks of its deserializer: the only place where serde says how a struct's fields
//! were declared and under which names it decodes them.

use std::fmt;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, Visitor, value,
};

/// How a type begins to decode itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Asks {
    /// A single value of some kind, or nothing that was seen.
    #[default]
    Value,
    /// Nothing: `()` or a unit struct.
    Unit,
    /// A sequence of any length.
    Seq,
    /// A sequence of a fixed length.
    Tuple,
    /// A struct with these names for its fields, aliases included, as declared.
    Struct(&'static [&'static str]),
    /// Members of any names: a map, or a struct with a flattened field.
    Map,
    /// One of several variants.
    Enum,
    /// A value or nothing.
    Option,
}

/// What was learned from one attempt to decode a type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Probed {
    /// How the type begins to decode itself.
    pub(super) asks: Asks,
    /// The first field that an object without members is missing.
    pub(super) missing: Option<&'static str>,
}

/// Starts to decode a `P` and records what it asks for.
pub(super) fn probe<P: DeserializeOwned>() -> Probed {
    let mut asks = Asks::default();
    let probe = Probe {
        asks: &mut asks,
        newtypes_left: 64,
    };
    let missing = P::deserialize(probe)
        .err()
        .and_then(|stop: Stop| stop.missing);
    Probed { asks, missing }
}

/// Every attempt ends with this error, because there is no value.
#[derive(Debug)]
struct Stop {
    missing: Option<&'static str>,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no value")
    }
}

impl std::error::Error for Stop {}

impl Error for Stop {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self { missing: None }
    }

    fn missing_field(field: &'static str) -> Self {
        Self {
            missing: Some(field),
        }
    }
}

struct Probe<'p> {
    asks: &'p mut Asks,
    /// A newtype may hold itself in a box: the walk through them has to end.
    newtypes_left: usize,
}

impl Probe<'_> {
    fn stop<T>(self, asks: Asks) -> Result<T, Stop> {
        *self.asks = asks;
        Err(Stop { missing: None })
    }
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        self.stop(Asks::Value)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        self.stop(Asks::Unit)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: V,
    ) -> Result<V::Value, Stop> {
        self.stop(Asks::Unit)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        match self.newtypes_left.checked_sub(1) {
            Some(left) => {
                self.newtypes_left = left;
                visitor.visit_newtype_struct(self)
            }
            None => self.stop(Asks::Value),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        self.stop(Asks::Seq)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Stop> {
        self.stop(Asks::Tuple)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        _: V,
    ) -> Result<V::Value, Stop> {
        self.stop(Asks::Tuple)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        *self.asks = Asks::Map;
        visitor.visit_map(Empty)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        *self.asks = Asks::Struct(fields);
        visitor.visit_map(Empty)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Stop> {
        self.stop(Asks::Enum)
    }

    fn deserialize_option<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Stop> {
        self.stop(Asks::Option)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        identifier ignored_any
    }
}

/// An object without members.
struct Empty;

impl<'de> MapAccess<'de> for Empty {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, _: K) -> Result<Option<K::Value>, Stop> {
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        // Never called, because there is no key.
        seed.deserialize(value::UnitDeserializer::new())
    }
}
