//! Numbers that stay integers as long as possible.

use schemars::JsonSchema;
use std::borrow::Cow;
use std::fmt;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

/// A JSON number: 42 − 23 is `19`, not `19.0`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    Whole(i128),
    Real(f64),
}

impl Number {
    pub(crate) const ZERO: Self = Self::Whole(0);

    pub(crate) fn add(self, other: Self) -> Self {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a
                .checked_add(b)
                .map_or(Self::Real(self.to_f64() + other.to_f64()), Self::Whole),
            _ => Self::Real(self.to_f64() + other.to_f64()),
        }
    }

    pub(crate) fn subtract(self, other: Self) -> Self {
        match other {
            Self::Whole(value) => match value.checked_neg() {
                Some(negated) => self.add(Self::Whole(negated)),
                None => self.add(Self::Real(-other.to_f64())),
            },
            Self::Real(value) => self.add(Self::Real(-value)),
        }
    }

    /// Returns whether JSON can represent the number.
    pub(crate) fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a sum with a fraction is a double"
    )]
    fn to_f64(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl Visitor<'_> for Reader {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(Number::Whole(value.into()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number::Whole(value.into()))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number::Real(value))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Up to here, a double with an integral value is exactly that integer.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match *self {
            Self::Whole(value) => serializer.serialize_i128(value),
            #[expect(clippy::cast_possible_truncation, reason = "whole and small enough")]
            Self::Real(value) if value.fract() == 0.0 && value.abs() <= EXACT => {
                serializer.serialize_i64(value as i64)
            }
            Self::Real(value) => serializer.serialize_f64(value),
        }
    }
}

impl JsonSchema for Number {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number"})
    }
}
