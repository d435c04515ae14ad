//! The variants of an enum, as a type walks through them.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};

use super::key::TrialKey;
use super::source::TrialValue;
use super::{Refusal, refused};

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
