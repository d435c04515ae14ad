//! A value, as a type decodes it.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
};

use super::key::TrialKey;
use super::log::{Ask, Log, Refusal, refused, visit_whole};
use crate::json::{Decimal, Json, PRIVATE_PREFIX, plain_length};

/// A value to decode from.
#[derive(Clone, Copy)]
pub(crate) struct TrialValue<'s> {
    value: &'s Json,
    log: &'s Log,
    /// A newtype may hold itself in a box: the walk through them has to end.
    newtypes_left: u8,
}

const NEWTYPES: u8 = 64;

impl<'s> TrialValue<'s> {
    pub(super) fn new(value: &'s Json, log: &'s Log) -> Self {
        Self {
            value,
            log,
            newtypes_left: NEWTYPES,
        }
    }

    /// Records what is asked for, unless nothing can be decoded here.
    fn note(self, ask: Ask) -> Result<(), Refusal> {
        let place = std::ptr::from_ref(self.value);
        self.log.asks.borrow_mut().push((place, ask));
        if self.log.broken == Some(place) {
            return Err(refused());
        }
        Ok(())
    }

    /// Returns the name of a member of this object, as a key to decode from.
    fn key(self, name: &'s str) -> TrialKey<'s> {
        let (map, log) = (self.value, self.log);
        TrialKey { name, map, log }
    }

    pub(super) fn inner(self, value: &'s Json) -> Self {
        Self::new(value, self.log)
    }

    fn whole(self, format: &'static str) -> Result<i128, Refusal> {
        self.note(Ask::Number(format))?;
        let text = self.value.as_number().ok_or_else(refused)?;
        text.parse::<i64>()
            .ok()
            .map(i128::from)
            .or_else(|| Decimal::new(text).to_i128())
            .ok_or_else(refused)
    }

    /// Returns a finite number.
    fn real(self, format: &'static str) -> Result<f64, Refusal> {
        self.note(Ask::Number(format))?;
        let real: Option<f64> = self.value.as_number().and_then(|text| text.parse().ok());
        real.filter(|it| it.is_finite()).ok_or_else(refused)
    }

    fn text(self) -> Result<&'s str, Refusal> {
        self.note(Ask::Text)?;
        self.value.as_str().ok_or_else(refused)
    }

    fn elements<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let elements = self.value.as_array().ok_or_else(refused)?.iter();
        let mut access = SeqDeserializer::new(elements.map(|element| self.inner(element)));
        let value = visitor.visit_seq(&mut access)?;
        access.end()?;
        Ok(value)
    }

    fn members<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let members = self
            .value
            .as_object()
            .ok_or_else(refused)?
            .iter()
            .map(|(name, it)| (self.key(name), self.inner(it)));
        let mut access = MapDeserializer::new(members);
        let value = visitor.visit_map(&mut access)?;
        access.end()?;
        Ok(value)
    }
}

impl<'s> IntoDeserializer<'s, Refusal> for TrialValue<'s> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Hands a text to a visitor. A text that is written with escapes cannot be borrowed from a call.
fn visit_text<'s, V: Visitor<'s>>(text: &'s str, visitor: V) -> Result<V::Value, Refusal> {
    if plain_length(text) == text.len() {
        visitor.visit_borrowed_str(text)
    } else {
        visitor.visit_string(text.to_owned())
    }
}

macro_rules! integers {
    ($($method:ident: $format:literal),*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
            visit_whole(self.whole($format)?, visitor)
        }
    )*};
}

macro_rules! texts {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
            visit_text(self.text()?, visitor)
        }
    )*};
}

impl<'s> Deserializer<'s> for TrialValue<'s> {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Any)?;
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
                    _ => visitor.visit_f64(text.parse().map_err(|_| refused())?),
                }
            }
        }
    }

    fn deserialize_bool<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Bool)?;
        visitor.visit_bool(self.value.as_bool().ok_or_else(refused)?)
    }

    integers! {
        deserialize_i8: "int8", deserialize_i16: "int16", deserialize_i32: "int32",
        deserialize_i64: "int64", deserialize_u8: "uint8", deserialize_u16: "uint16",
        deserialize_u32: "uint32", deserialize_u64: "uint64"
    }

    fn deserialize_i128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_i128(self.whole("int128")?)
    }

    fn deserialize_u128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_u128(self.whole("uint128")?.try_into().map_err(|_| refused())?)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the nearest one is meant")]
    fn deserialize_f32<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let value = Some(self.real("float")? as f32);
        visitor.visit_f32(value.filter(|it| it.is_finite()).ok_or_else(refused)?)
    }

    fn deserialize_f64<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_f64(self.real("double")?)
    }

    texts! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_bytes<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Bytes)?;
        match self.value {
            Json::String(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            _ => self.elements(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Option)?;
        match self.value {
            Json::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Unit)?;
        match self.value {
            Json::Null => visitor.visit_unit(),
            _ => Err(refused()),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'s>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        if !name.starts_with(PRIVATE_PREFIX) {
            let newtypes_left = self.newtypes_left.checked_sub(1).ok_or_else(refused)?;
            return visitor.visit_newtype_struct(Self {
                newtypes_left,
                ..self
            });
        }
        // A value that is kept as it was written comes as a map with one member.
        self.note(Ask::Any)?;
        visitor.visit_map(MapDeserializer::new(std::iter::once((
            name,
            self.value.to_string(),
        ))))
    }

    fn deserialize_seq<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Seq)?;
        self.elements(visitor)
    }

    fn deserialize_tuple<V: Visitor<'s>>(self, _: usize, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Tuple)?;
        self.elements(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Map)?;
        self.members(visitor)
    }

    fn deserialize_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.note(Ask::Struct(fields))?;
        self.members(visitor)
    }

    fn deserialize_enum<V: Visitor<'s>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.note(Ask::Enum(variants))?;
        let (name, content) = match self.value {
            Json::String(name) => (&**name, None),
            Json::Object(members) if members.len() == 1 => {
                let (name, content) = members.iter().next().ok_or_else(refused)?;
                (name.as_str(), Some(self.inner(content)))
            }
            _ => return Err(refused()),
        };
        visitor.visit_enum(TrialVariant {
            source: self,
            name,
            content,
        })
    }

    fn deserialize_ignored_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Ignored)?;
        visitor.visit_unit()
    }
}

/// A variant, and what is in it.
struct TrialVariant<'s> {
    source: TrialValue<'s>,
    name: &'s str,
    content: Option<TrialValue<'s>>,
}

impl<'s> EnumAccess<'s> for TrialVariant<'s> {
    type Error = Refusal;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'s>>(self, seed: S) -> Result<(S::Value, Self), Refusal> {
        Ok((seed.deserialize(self.source.key(self.name))?, self))
    }
}

impl<'s> VariantAccess<'s> for TrialVariant<'s> {
    type Error = Refusal;

    fn unit_variant(self) -> Result<(), Refusal> {
        self.content.is_none().then_some(()).ok_or_else(refused)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'s>>(self, seed: S) -> Result<S::Value, Refusal> {
        seed.deserialize(self.content.ok_or_else(refused)?)
    }

    fn tuple_variant<V: Visitor<'s>>(self, _: usize, visitor: V) -> Result<V::Value, Refusal> {
        self.content.ok_or_else(refused)?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'s>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.content
            .ok_or_else(refused)?
            .deserialize_struct("", fields, visitor)
    }
}
