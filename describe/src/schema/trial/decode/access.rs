//! The parts of a value, as a type walks through them.

use indexmap::map::Iter;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::key::TrialKey;
use super::source::TrialValue;
use super::{Refusal, refused};
use crate::json::{Json, Name};

/// A variant, and what is in it.
pub(super) struct TrialVariant<'s> {
    pub(super) source: TrialValue<'s>,
    pub(super) name: &'s str,
    pub(super) content: Option<TrialValue<'s>>,
}

impl<'s> EnumAccess<'s> for TrialVariant<'s> {
    type Error = Refusal;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'s>>(self, seed: S) -> Result<(S::Value, Self), Refusal> {
        Ok((seed.deserialize(TrialKey(self.name, self.source))?, self))
    }
}

impl<'s> VariantAccess<'s> for TrialVariant<'s> {
    type Error = Refusal;

    fn unit_variant(self) -> Result<(), Refusal> {
        if self.content.is_none() {
            Ok(())
        } else {
            Err(refused())
        }
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
        let content = self.content.ok_or_else(refused)?;
        content.deserialize_struct("", fields, visitor)
    }
}

pub(super) struct Elements<'s> {
    pub(super) source: TrialValue<'s>,
    pub(super) left: std::slice::Iter<'s, Json>,
}

impl<'s> SeqAccess<'s> for &mut Elements<'s> {
    type Error = Refusal;

    fn next_element_seed<S: DeserializeSeed<'s>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Refusal> {
        let next = self.left.next();
        next.map(|element| seed.deserialize(self.source.inner(element)))
            .transpose()
    }
}

pub(super) struct TrialMembers<'s> {
    pub(super) source: TrialValue<'s>,
    pub(super) left: Iter<'s, Name, Json>,
    pub(super) value: Option<&'s Json>,
}

impl<'s> MapAccess<'s> for &mut TrialMembers<'s> {
    type Error = Refusal;

    fn next_key_seed<S: DeserializeSeed<'s>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Refusal> {
        let Some((name, value)) = self.left.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(TrialKey(name, self.source)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'s>>(&mut self, seed: S) -> Result<S::Value, Refusal> {
        let value = self.value.take().ok_or_else(refused)?;
        seed.deserialize(self.source.inner(value))
    }
}
