//! Externally tagged enums: a string, or an object with one member.
//!
//! Other ways to tag enums need no code here: serde's derived implementations read them as objects.

use serde::de::value::CowStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};

use super::key::MemberKey;
use super::{DecodeError, DecodeObserver, DecodeResult, Decoder};

impl<'de, O: DecodeObserver> Decoder<'de, O> {
    /// Decodes the enum at the cursor.
    #[inline]
    pub(super) fn enumeration<V: Visitor<'de>>(&mut self, visitor: V) -> DecodeResult<V::Value> {
        match self.cursor.next_token() {
            b'"' => visitor.visit_enum(CowStrDeserializer::new(self.take_string()?)),
            b'{' => {
                let start = self.cursor.offset();
                self.open()?;
                if self.cursor.next_token() != b'"' {
                    return Err(not_one_member().with_offset(start));
                }
                let value = visitor.visit_enum(Tagged(self))?;
                match self.cursor.next_token() {
                    b',' => Err(not_one_member().with_offset(start)),
                    _ => self.close(b'}', start).map(|()| value),
                }
            }
            _ => Err(self.mismatch(&visitor)),
        }
    }
}

fn not_one_member() -> DecodeError {
    DecodeError::because("expected an object with exactly one member")
}

/// A variant with content, named by the only member of an object: at the name, then at the content.
struct Tagged<'a, 'de, O>(&'a mut Decoder<'de, O>);

impl<'de, O: DecodeObserver> EnumAccess<'de> for Tagged<'_, 'de, O> {
    type Error = DecodeError;
    type Variant = Self;

    #[inline]
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> DecodeResult<(S::Value, Self)> {
        let start = self.0.cursor.offset();
        let variant = seed
            .deserialize(MemberKey(self.0))
            .map_err(|error| error.with_offset(start))?;
        self.0.colon()?;
        self.0.cursor.next_token();
        Ok((variant, self))
    }
}

impl<'de, O: DecodeObserver> VariantAccess<'de> for Tagged<'_, 'de, O> {
    type Error = DecodeError;

    fn unit_variant(self) -> DecodeResult<()> {
        Err(DecodeError::mismatch(&"the name alone, as a string"))
    }

    #[inline]
    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> DecodeResult<S::Value> {
        self.0.value(seed)
    }

    #[inline]
    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> DecodeResult<V::Value> {
        let start = self.0.cursor.offset();
        self.0
            .deserialize_tuple(length, visitor)
            .map_err(|error| error.with_offset(start))
    }

    #[inline]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> DecodeResult<V::Value> {
        let start = self.0.cursor.offset();
        self.0
            .deserialize_struct("", fields, visitor)
            .map_err(|error| error.with_offset(start))
    }
}
