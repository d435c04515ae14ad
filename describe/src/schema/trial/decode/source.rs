//! A value, as a type decodes it.
//!
//! It follows binding in what it accepts: `42.0` is an integer, a struct is never an array, and a
//! text with escapes cannot be borrowed.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};

use super::hint::{DecodeError, Hint, HintLog, RecordedHint, undecodable, visit_whole};
use super::key::TrialKey;
use crate::json::{Decimal, Json, PRIVATE_PREFIX, plain_length};

/// A value to decode from.
#[derive(Clone, Copy)]
pub(crate) struct TrialValue<'s> {
    value: &'s Json,
    log: &'s HintLog,
    /// A newtype may hold itself in a box: the walk through them has to end.
    newtypes_left: u8,
}

/// The maximum number of newtypes around one value.
const MAX_NEWTYPES: u8 = 64;

impl<'s> TrialValue<'s> {
    pub(super) fn new(value: &'s Json, log: &'s HintLog) -> Self {
        Self {
            value,
            log,
            newtypes_left: MAX_NEWTYPES,
        }
    }

    /// Records a hint about the value.
    ///
    /// # Errors
    /// Fails if nothing can be decoded here.
    fn record(self, hint: Hint) -> Result<(), DecodeError> {
        let address = std::ptr::from_ref(self.value);
        let recorded = RecordedHint { address, hint };
        self.log.hints.borrow_mut().push(recorded);
        if self.log.broken == Some(address) {
            return Err(undecodable());
        }
        Ok(())
    }

    /// Returns the name of a member of this object, as a key to decode from.
    fn key(self, name: &'s str) -> TrialKey<'s> {
        TrialKey {
            name,
            map: self.value,
            log: self.log,
        }
    }

    /// Returns an element or a member of this value, to decode from.
    fn inner(self, value: &'s Json) -> Self {
        Self::new(value, self.log)
    }

    /// Returns a whole number, in any notation.
    fn whole(self, format: &'static str) -> Result<i128, DecodeError> {
        self.record(Hint::Number(format))?;
        let text = self.value.as_number().ok_or_else(undecodable)?;
        text.parse::<i64>()
            .ok()
            .map(i128::from)
            .or_else(|| Decimal::new(text).to_i128())
            .ok_or_else(undecodable)
    }

    /// Returns a finite number.
    fn real(self, format: &'static str) -> Result<f64, DecodeError> {
        self.record(Hint::Number(format))?;
        let real: Option<f64> = self.value.as_number().and_then(|text| text.parse().ok());
        real.filter(|number| number.is_finite())
            .ok_or_else(undecodable)
    }

    /// Returns the text of a string.
    fn text(self) -> Result<&'s str, DecodeError> {
        self.record(Hint::Text)?;
        self.value.as_str().ok_or_else(undecodable)
    }

    /// Hands the elements of an array to a visitor, which has to take all of them.
    fn elements<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let elements = self.value.as_array().ok_or_else(undecodable)?.iter();
        let mut access = SeqDeserializer::new(elements.map(|element| self.inner(element)));
        let value = visitor.visit_seq(&mut access)?;
        access.end()?;
        Ok(value)
    }

    /// Hands the members of an object to a visitor, which has to take all of them.
    fn members<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let members = self
            .value
            .as_object()
            .ok_or_else(undecodable)?
            .iter()
            .map(|(name, value)| (self.key(name.as_str()), self.inner(value)));
        let mut access = MapDeserializer::new(members);
        let value = visitor.visit_map(&mut access)?;
        access.end()?;
        Ok(value)
    }
}

impl<'s> IntoDeserializer<'s, DecodeError> for TrialValue<'s> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Hands a text to a visitor. A text that is written with escapes cannot be borrowed from a call.
fn visit_text<'s, V: Visitor<'s>>(text: &'s str, visitor: V) -> Result<V::Value, DecodeError> {
    if plain_length(text) == text.len() {
        visitor.visit_borrowed_str(text)
    } else {
        visitor.visit_string(text.to_owned())
    }
}

macro_rules! integers {
    ($($method:ident: $format:literal),*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            visit_whole(self.whole($format)?, visitor)
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            visit_text(self.text()?, visitor)
        }
    )*};
}

impl<'s> Deserializer<'s> for TrialValue<'s> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Any)?;
        match self.value {
            Json::Array(_) => self.elements(visitor),
            Json::Object(_) => self.members(visitor),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::String(text) => visit_text(text, visitor),
            Json::Null => visitor.visit_unit(),
            Json::Number(text) => {
                let written_whole = !text.contains(['.', 'e', 'E']) && &**text != "-0";
                let whole = Decimal::new(text).to_i128().filter(|_| written_whole);
                match whole.map(|whole| (u64::try_from(whole), i64::try_from(whole))) {
                    Some((Ok(whole), _)) => visitor.visit_u64(whole),
                    Some((_, Ok(whole))) => visitor.visit_i64(whole),
                    _ => visitor.visit_f64(text.parse().map_err(|_| undecodable())?),
                }
            }
        }
    }

    fn deserialize_bool<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Bool)?;
        visitor.visit_bool(self.value.as_bool().ok_or_else(undecodable)?)
    }

    integers! {
        deserialize_i8: "int8", deserialize_i16: "int16", deserialize_i32: "int32",
        deserialize_i64: "int64", deserialize_u8: "uint8", deserialize_u16: "uint16",
        deserialize_u32: "uint32", deserialize_u64: "uint64"
    }

    fn deserialize_i128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_i128(self.whole("int128")?)
    }

    fn deserialize_u128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_u128(
            self.whole("uint128")?
                .try_into()
                .map_err(|_| undecodable())?,
        )
    }

    #[expect(clippy::cast_possible_truncation, reason = "the nearest one is meant")]
    fn deserialize_f32<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let value = self.real("float")? as f32;
        if !value.is_finite() {
            return Err(undecodable());
        }
        visitor.visit_f32(value)
    }

    fn deserialize_f64<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_f64(self.real("double")?)
    }

    texts! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_bytes<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Bytes)?;
        match self.value {
            Json::String(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            _ => self.elements(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Option)?;
        match self.value {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Unit)?;
        match self.value {
            Json::Null => visitor.visit_unit(),
            _ => Err(undecodable()),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'s>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if !name.starts_with(PRIVATE_PREFIX) {
            let newtypes_left = self.newtypes_left.checked_sub(1).ok_or_else(undecodable)?;
            return visitor.visit_newtype_struct(Self {
                newtypes_left,
                ..self
            });
        }
        // A value that is kept as it was written comes as a map with one member.
        self.record(Hint::Any)?;
        visitor.visit_map(MapDeserializer::new(std::iter::once((
            name,
            self.value.to_string(),
        ))))
    }

    fn deserialize_seq<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Seq)?;
        self.elements(visitor)
    }

    fn deserialize_tuple<V: Visitor<'s>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.record(Hint::Tuple)?;
        self.elements(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Map)?;
        self.members(visitor)
    }

    fn deserialize_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.record(Hint::Struct(fields))?;
        self.members(visitor)
    }

    fn deserialize_enum<V: Visitor<'s>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.record(Hint::Enum(variants))?;
        let (name, content) = match self.value {
            Json::String(name) => (&**name, None),
            Json::Object(members) if members.len() == 1 => {
                let (name, content) = members.iter().next().ok_or_else(undecodable)?;
                (name.as_str(), Some(self.inner(content)))
            }
            _ => return Err(undecodable()),
        };
        visitor.visit_enum(TrialVariant {
            source: self,
            name,
            content,
        })
    }

    fn deserialize_ignored_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.record(Hint::Ignored)?;
        visitor.visit_unit()
    }
}

/// A variant, and what is in it.
struct TrialVariant<'s> {
    /// The value that stands for the enum.
    source: TrialValue<'s>,
    name: &'s str,
    /// The content of the variant, if it has any.
    content: Option<TrialValue<'s>>,
}

impl<'s> EnumAccess<'s> for TrialVariant<'s> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'s>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self), DecodeError> {
        Ok((seed.deserialize(self.source.key(self.name))?, self))
    }
}

impl<'s> VariantAccess<'s> for TrialVariant<'s> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match self.content {
            None => Ok(()),
            Some(_) => Err(undecodable()),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'s>>(
        self,
        seed: S,
    ) -> Result<S::Value, DecodeError> {
        seed.deserialize(self.content.ok_or_else(undecodable)?)
    }

    fn tuple_variant<V: Visitor<'s>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.content
            .ok_or_else(undecodable)?
            .deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'s>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.content
            .ok_or_else(undecodable)?
            .deserialize_struct("", fields, visitor)
    }
}
