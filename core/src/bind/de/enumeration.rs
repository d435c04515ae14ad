//! Externally tagged enums: a string, or an object with one member.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};

use super::key::MemberKey;
use super::{DecodeError, Decoder, Result};

impl<'de> Decoder<'de> {
    /// Decodes the enum at the cursor.
    #[inline]
    pub(super) fn enumeration<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        match self.cursor.next_token() {
            b'"' => visitor.visit_enum(Bare(self)),
            b'{' => {
                let start = self.cursor.offset();
                self.open()?;
                if self.cursor.next_token() != b'"' {
                    return Err(not_one_member().at(start));
                }
                let value = visitor.visit_enum(Tagged(self))?;
                match self.cursor.next_token() {
                    b',' => Err(not_one_member().at(start)),
                    _ => self.close(b'}', start).map(|()| value),
                }
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }

    /// Decodes the variant's name at the cursor.
    #[inline]
    fn variant<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let start = self.cursor.offset();
        match seed.deserialize(MemberKey(self)) {
            Ok(variant) => Ok(variant),
            Err(error) => Err(error.at(start)),
        }
    }
}

fn not_one_member() -> DecodeError {
    DecodeError::because("expected an object with exactly one member")
}

/// Creates the error for a variant with content that is given by its name alone.
fn bare_variant() -> DecodeError {
    DecodeError::mismatch(&"an object with this name as its only member")
}

/// A unit variant, named by a string.
struct Bare<'a, 'de>(&'a mut Decoder<'de>);

impl<'de> EnumAccess<'de> for Bare<'_, 'de> {
    type Error = DecodeError;
    type Variant = Nothing;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Nothing)> {
        Ok((self.0.variant(seed)?, Nothing))
    }
}

struct Nothing;

impl<'de> VariantAccess<'de> for Nothing {
    type Error = DecodeError;

    #[inline]
    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _seed: S) -> Result<S::Value> {
        Err(bare_variant())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, _visitor: V) -> Result<V::Value> {
        Err(bare_variant())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value> {
        Err(bare_variant())
    }
}

/// A variant with content, named by the only member of an object.
struct Tagged<'a, 'de>(&'a mut Decoder<'de>);

impl<'a, 'de> EnumAccess<'de> for Tagged<'a, 'de> {
    type Error = DecodeError;
    type Variant = Content<'a, 'de>;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content<'a, 'de>)> {
        let variant = self.0.variant(seed)?;
        self.0.colon()?;
        self.0.cursor.next_token();
        Ok((variant, Content(self.0)))
    }
}

/// The content of a variant, at the cursor.
struct Content<'a, 'de>(&'a mut Decoder<'de>);

impl<'de> VariantAccess<'de> for Content<'_, 'de> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<()> {
        Err(DecodeError::mismatch(&"the name alone, as a string"))
    }

    #[inline]
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value> {
        self.0.value(seed)
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        let start = self.0.cursor.offset();
        self.0
            .deserialize_tuple(length, visitor)
            .map_err(|error| error.at(start))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let start = self.0.cursor.offset();
        self.0
            .deserialize_struct("", fields, visitor)
            .map_err(|error| error.at(start))
    }
}
