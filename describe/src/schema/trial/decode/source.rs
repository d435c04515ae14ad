//! A sample, as a type decodes it.

use serde::de::{Deserializer, Visitor, value};

use super::access::{Elements, Members, Variant};
use super::{Ask, Log, Refusal, refused, visit_whole};
use crate::json::{Decimal, Json, plain_length};
use crate::schema::trial::sample::{Sample, Value};

/// A sample to decode from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s, 'j> {
    sample: &'s Sample<'j>,
    log: &'s Log<'j>,
    /// A newtype may hold itself in a box: the walk through them has to end.
    newtypes_left: u8,
}

const NEWTYPES: u8 = 64;

impl<'s, 'j> Source<'s, 'j> {
    pub(in crate::schema::trial) fn new(sample: &'s Sample<'j>, log: &'s Log<'j>) -> Self {
        Self {
            sample,
            log,
            newtypes_left: NEWTYPES,
        }
    }

    fn note(self, ask: Ask) {
        if let Some(form) = &self.sample.form {
            self.log.note(form, ask);
        }
    }

    pub(super) fn inner(self, sample: &'s Sample<'j>) -> Self {
        Self::new(sample, self.log)
    }

    fn scalar(self) -> Option<&'s Json> {
        match &self.sample.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    fn whole(self) -> Result<i128, Refusal> {
        self.note(Ask::Exact);
        match self.scalar() {
            Some(Json::Number(text)) => match text.parse::<i64>() {
                Ok(whole) => Ok(whole.into()),
                Err(_) => Decimal::new(text).to_i128().ok_or_else(refused),
            },
            _ => Err(refused()),
        }
    }

    fn real(self) -> Result<f64, Refusal> {
        self.note(Ask::Exact);
        match self.scalar() {
            Some(Json::Number(text)) => text.parse().map_err(|_| refused()),
            _ => Err(refused()),
        }
    }

    fn text(self) -> Result<&'s str, Refusal> {
        self.note(Ask::Exact);
        self.scalar().and_then(Json::as_str).ok_or_else(refused)
    }

    fn elements<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let Value::Array(elements) = &self.sample.value else {
            return Err(refused());
        };
        let mut access = Elements {
            source: self,
            left: elements.iter(),
        };
        let value = visitor.visit_seq(&mut access)?;
        if access.left.len() == 0 {
            Ok(value)
        } else {
            Err(refused())
        }
    }

    fn members<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let Value::Object(members) = &self.sample.value else {
            return Err(refused());
        };
        let mut access = Members {
            source: self,
            left: members.iter(),
            value: None,
        };
        let value = visitor.visit_map(&mut access)?;
        if access.left.len() == 0 {
            Ok(value)
        } else {
            Err(refused())
        }
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
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
            visit_whole(self.whole()?, visitor)
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

impl<'s> Deserializer<'s> for Source<'s, '_> {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Any);
        match &self.sample.value {
            Value::Array(_) => self.elements(visitor),
            Value::Object(_) => self.members(visitor),
            Value::Scalar(Json::Bool(value)) => visitor.visit_bool(*value),
            Value::Scalar(Json::String(text)) => visit_text(text, visitor),
            Value::Scalar(Json::Number(text)) => {
                let whole = Decimal::new(text).to_i128();
                let written_whole = !text.contains(['.', 'e', 'E']) && &**text != "-0";
                match whole.filter(|_| written_whole) {
                    Some(whole) if u64::try_from(whole).is_ok() || i64::try_from(whole).is_ok() => {
                        visit_whole(whole, visitor)
                    }
                    _ => visitor.visit_f64(text.parse().map_err(|_| refused())?),
                }
            }
            Value::Scalar(_) => visitor.visit_unit(),
        }
    }

    fn deserialize_bool<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Exact);
        visitor.visit_bool(self.scalar().and_then(Json::as_bool).ok_or_else(refused)?)
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_i128(self.whole()?)
    }

    fn deserialize_u128<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_u128(self.whole()?.try_into().map_err(|_| refused())?)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the nearest one is meant")]
    fn deserialize_f32<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let value = self.real()? as f32;
        if value.is_finite() {
            visitor.visit_f32(value)
        } else {
            Err(refused())
        }
    }

    fn deserialize_f64<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let value = self.real()?;
        if value.is_finite() {
            visitor.visit_f64(value)
        } else {
            Err(refused())
        }
    }

    texts! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    fn deserialize_bytes<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Bytes);
        match self.scalar() {
            Some(Json::String(text)) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Some(_) => Err(refused()),
            None => self.elements(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Option);
        match self.scalar() {
            Some(Json::Null) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Unit);
        match self.scalar() {
            Some(Json::Null) => visitor.visit_unit(),
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
        if !name.starts_with("$serde_json::private::") {
            let newtypes_left = self.newtypes_left.checked_sub(1).ok_or_else(refused)?;
            return visitor.visit_newtype_struct(Self {
                newtypes_left,
                ..self
            });
        }
        // A value that is kept as it was written comes as a map with one member.
        self.note(Ask::Any);
        let text = self.sample.to_json().to_string();
        let member = std::iter::once((name, text));
        visitor.visit_map(value::MapDeserializer::<_, Refusal>::new(member))
    }

    fn deserialize_seq<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Seq);
        self.elements(visitor)
    }

    fn deserialize_tuple<V: Visitor<'s>>(self, _: usize, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Tuple);
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
        self.note(Ask::Map);
        self.members(visitor)
    }

    fn deserialize_struct<V: Visitor<'s>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.note(Ask::Struct(fields));
        self.members(visitor)
    }

    fn deserialize_enum<V: Visitor<'s>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.note(Ask::Enum(variants));
        match &self.sample.value {
            Value::Scalar(Json::String(name)) => visitor.visit_enum(Variant {
                name,
                content: None,
            }),
            Value::Object(members) => match &**members {
                [(name, content)] => visitor.visit_enum(Variant {
                    name,
                    content: Some(self.inner(content)),
                }),
                _ => Err(refused()),
            },
            _ => Err(refused()),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.note(Ask::Ignored);
        visitor.visit_unit()
    }
}
