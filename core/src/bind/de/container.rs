//! Arrays and objects, element by element.

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::key::Key;
use super::{DecodeError, Decoder, Result};

impl<'de> Decoder<'de> {
    /// The array at the cursor.
    #[inline]
    pub(super) fn array<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.at;
        self.open()?;
        let value = visitor.visit_seq(Elements(self))?;
        self.close(b']', start)?;
        Ok(value)
    }

    /// The object at the cursor.
    #[inline]
    pub(super) fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        let start = self.at;
        self.open()?;
        let value = visitor.visit_map(Members(self))?;
        self.close(b'}', start)?;
        Ok(value)
    }

    /// The value that comes next, and an error about it placed where the value begins.
    #[inline]
    pub(crate) fn value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.next();
        let start = self.at;
        let value = match seed.deserialize(&mut *self) {
            Ok(value) => value,
            Err(error) => return Err(error.at(start)),
        };
        if self.at == start {
            // A type may be made of nothing, without looking. The value is there all the same, and
            // the next one would be this one again.
            self.skip_value()?;
        }
        Ok(value)
    }

    /// Passes over the colon between a name and its value.
    #[inline]
    pub(crate) fn colon(&mut self) -> Result<()> {
        if self.next() != Some(b':') {
            return Err(self.malformed());
        }
        self.at += 1;
        Ok(())
    }

    /// Leaves a value that is `serde_json`'s own to its deserializer.
    pub(super) fn hand_to_serde_json<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        use serde::de::{Deserializer as _, Error as _};

        self.next();
        let start = self.at;
        self.skip_value()?;
        let text = self.between(start, self.at)?;
        serde_json::Deserializer::from_str(text)
            .deserialize_newtype_struct(name, visitor)
            .map_err(|error| DecodeError::custom(error).at(start))
    }
}

/// The elements of an array.
pub(super) struct Elements<'a, 'de>(&'a mut Decoder<'de>);

impl<'de> SeqAccess<'de> for Elements<'_, 'de> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.0.next_item() == Some(b']') {
            return Ok(None);
        }
        self.0.value(seed).map(Some)
    }
}

/// The members of an object.
pub(super) struct Members<'a, 'de>(&'a mut Decoder<'de>);

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = DecodeError;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.0.next_item() {
            Some(b'}') => return Ok(None),
            Some(b'"') => {}
            _ => return Err(self.0.malformed()),
        }
        let start = self.0.at;
        let name = match seed.deserialize(Key(self.0)) {
            Ok(name) => name,
            Err(error) => return Err(error.at(start)),
        };
        if self.0.at == start {
            self.0.skip_string()?;
        }
        Ok(Some(name))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.0.colon()?;
        self.0.value(seed)
    }
}
