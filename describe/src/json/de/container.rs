//! Decodes strings, arrays and objects.
//!
//! Members and elements are decoded in one pass. Errors get the offset of the innermost value, from
//! which the pointer in the response is found.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

use super::key::MemberKey;
use super::{DecodeError, DecodeObserver, DecodeProblem, DecodeResult, Decoder};
use crate::json::Cursor;

impl<'de, O: DecodeObserver> Decoder<'de, O> {
    /// Decodes the array at the cursor.
    #[inline]
    pub(super) fn array<V: Visitor<'de>>(&mut self, visitor: V) -> DecodeResult<V::Value> {
        let start = self.cursor.offset();
        self.open()?;
        let value = visitor.visit_seq(Elements(self))?;
        self.close(b']', start)?;
        Ok(value)
    }

    /// Decodes the object at the cursor. With `has_distinct_names`, two members with the same name are an
    /// error; structs detect repeated fields themselves.
    #[inline]
    pub(super) fn object<V: Visitor<'de>>(
        &mut self,
        visitor: V,
        has_distinct_names: bool,
    ) -> DecodeResult<V::Value> {
        let start = self.cursor.offset();
        self.open()?;
        let value = visitor.visit_map(Members {
            decoder: self,
            seen: has_distinct_names.then(HashSet::new),
        })?;
        self.close(b'}', start)?;
        Ok(value)
    }

    /// Decodes the next value. An error without an offset gets that of the value.
    #[inline]
    pub fn value<S: DeserializeSeed<'de>>(&mut self, seed: S) -> DecodeResult<S::Value> {
        self.cursor.next_token();
        let start = self.cursor.offset();
        let value = match seed.deserialize(&mut *self) {
            Ok(value) => value,
            Err(error) => return Err(error.with_offset(start)),
        };
        if self.cursor.offset() == start {
            // A type may decode without reading its value. Skip the value, or the next element
            // would be read from it.
            self.skip_value()?;
        }
        Ok(value)
    }

    /// Skips the next value.
    pub(super) fn skip_value(&mut self) -> DecodeResult<()> {
        if self.cursor.next_token() == 0 {
            return Err(self.malformed());
        }
        self.cursor.value();
        Ok(())
    }

    /// Skips the colon between a name and its value.
    #[inline]
    pub fn colon(&mut self) -> DecodeResult<()> {
        if self.cursor.next_token() != b':' {
            return Err(self.malformed());
        }
        self.cursor.step();
        Ok(())
    }

    /// Decodes the string at the cursor.
    #[inline]
    pub(super) fn string<V: Visitor<'de>>(&mut self, visitor: V) -> DecodeResult<V::Value> {
        match self.take_string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    /// Reads the string at the cursor.
    #[inline]
    pub fn take_string(&mut self) -> DecodeResult<Cow<'de, str>> {
        match self.cursor.plain_string() {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.take_escaped_string(),
        }
    }

    #[cold]
    fn take_escaped_string(&mut self) -> DecodeResult<Cow<'de, str>> {
        let start = self.cursor.offset();
        self.cursor.string().try_unescape().map_err(|_| {
            DecodeError::because("the string contains an unpaired surrogate").with_offset(start)
        })
    }

    /// Skips the opening bracket at the cursor.
    #[inline]
    pub(super) fn open(&mut self) -> DecodeResult<()> {
        if self.depth_left == 0 {
            return Err(DecodeError::too_deep().with_offset(self.cursor.offset()));
        }
        self.depth_left -= 1;
        self.cursor.step();
        Ok(())
    }

    /// Skips the closing bracket of the container at `start`. Returns an error if the target has
    /// left elements or members unread.
    #[inline]
    pub(super) fn close(&mut self, bracket: u8, start: usize) -> DecodeResult<()> {
        if self.cursor.next_token() != bracket {
            let reason = "there are more elements or members than expected";
            return Err(DecodeError::because(reason).with_offset(start));
        }
        self.depth_left += 1;
        self.cursor.step();
        Ok(())
    }

    #[cold]
    pub(super) fn malformed(&self) -> DecodeError {
        DecodeError::because("not well-formed JSON").with_offset(self.cursor.offset())
    }

    /// Passes a type that belongs to `serde_json` to its deserializer.
    pub(super) fn hand_to_serde_json<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        use serde::de::{Deserializer as _, Error as _};

        self.cursor.next_token();
        let start = self.cursor.offset();
        let text = self.cursor.value();
        serde_json::Deserializer::from_str(text)
            .deserialize_newtype_struct(name, visitor)
            .map_err(|error| DecodeError::custom(error).with_offset(start))
    }
}

/// The elements of an array.
struct Elements<'a, 'de, O>(&'a mut Decoder<'de, O>);

impl<'de, O: DecodeObserver> SeqAccess<'de> for Elements<'_, 'de, O> {
    type Error = DecodeError;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> DecodeResult<Option<S::Value>> {
        if self.0.cursor.next_item() == b']' {
            return Ok(None);
        }
        self.0.value(seed).map(Some)
    }
}

/// The members of an object.
struct Members<'a, 'de, O> {
    decoder: &'a mut Decoder<'de, O>,
    /// The names so far, if they must be distinct.
    seen: Option<HashSet<Cow<'de, str>>>,
}

impl<'de, O: DecodeObserver> MapAccess<'de> for Members<'_, 'de, O> {
    type Error = DecodeError;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> DecodeResult<Option<S::Value>> {
        let decoder = &mut *self.decoder;
        match decoder.cursor.next_item() {
            b'}' => return Ok(None),
            b'"' => {}
            _ => return Err(decoder.malformed()),
        }
        let start = decoder.cursor.offset();
        let name = match seed.deserialize(MemberKey(decoder)) {
            Ok(name) => name,
            Err(error) => return Err(error.at_name(start)),
        };
        if decoder.cursor.offset() == start {
            decoder.cursor.value();
        }
        if let Some(seen) = &mut self.seen {
            let name_in_json = Cursor::at(decoder.cursor.text(), start).string().unescape();
            if let Some(repeated) = seen.replace(name_in_json) {
                let repeated = DecodeProblem::Twice(repeated.into_owned().into());
                return Err(DecodeError::new(repeated));
            }
        }
        Ok(Some(name))
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> DecodeResult<S::Value> {
        self.decoder.colon()?;
        self.decoder.value(seed)
    }
}
