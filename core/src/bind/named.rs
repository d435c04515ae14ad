//! Decodes parameters one by one: the same struct from an object and from an array.
//!
//! A derived `Deserialize` also decodes a struct from an array, but only from a complete one: it
//! rejects `[1]` even if it accepts `{"a": 1}` because the rest is optional. So serde sees both as an
//! object; for an array, the names come from the plan. This also keeps undescribed names away from
//! serde, which would ignore some of them and accept others (a field's aliases).
//!
//! Nothing here handles names and positions in one call, or null for parameters that are not
//! supplied: [`adapt`](super::adapt) has already converted a call of 1.1 to names, or to a list.

use std::marker::PhantomData;

use docent_describe::json::de::{DecodeError, DecodeProblem, DecodeResult, Decoder};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, Visitor};
use smallvec::{SmallVec, smallvec};

use super::plan::{CheckExtent, ParamStructure, Plan, PlannedParameter};

/// Decodes the parameters in the container at the decoder's cursor.
#[inline]
pub(super) fn decode<'de, P: Deserialize<'de>>(
    plan: &'de Plan,
    by_name: bool,
    decoder: &mut Decoder<'de>,
) -> DecodeResult<P> {
    let mut params = ParamsDeserializer {
        plan,
        by_name,
        decoder,
        current: None,
        likely: 0,
        named: smallvec![false; if by_name { plan.parameters.len() } else { 0 }],
        required: 0,
        ended: false,
        has_invalid_value: false,
    };
    params.decoder.cursor.step();
    let parameters = P::deserialize(&mut params)?;
    params.finish().map(|()| parameters)
}

/// Shows the parameters of a call to serde as the members of one object.
struct ParamsDeserializer<'a, 'de> {
    plan: &'de Plan,
    by_name: bool,
    decoder: &'a mut Decoder<'de>,
    /// The parameter whose value comes next.
    current: Option<&'de PlannedParameter>,
    /// The index of the parameter that comes next by position, and probably by name: most callers
    /// write parameters in the order of the reference.
    likely: usize,
    /// Set, at its index, for each parameter that has been read by name.
    named: SmallVec<[bool; 32]>,
    /// The number of required parameters that have been read by name.
    required: usize,
    /// Set once the closing bracket has been read.
    ended: bool,
    /// Set once a value has failed its check.
    has_invalid_value: bool,
}

impl<'de> ParamsDeserializer<'_, 'de> {
    /// Returns the next parameter, with the cursor at its value; `None` at the end.
    #[inline]
    fn next_parameter(&mut self) -> DecodeResult<Option<&'de PlannedParameter>> {
        self.current = if self.by_name {
            self.next_by_name()?
        } else {
            self.next_by_position()?
        };
        self.ended = self.current.is_none();
        Ok(self.current)
    }

    /// Returns the next parameter of an array.
    #[inline]
    fn next_by_position(&mut self) -> DecodeResult<Option<&'de PlannedParameter>> {
        if let b']' | 0 = self.decoder.cursor.next_item() {
            return Ok(None);
        }
        match self.plan.parameters.get(self.likely) {
            Some(parameter) if self.plan.passing != ParamStructure::ByNameOnly => {
                self.likely += 1;
                Ok(Some(parameter))
            }
            _ => Err(invalid_params()),
        }
    }

    /// Returns the next parameter of an object. Names in the order of the plan are compared as they are written;
    /// others are unescaped and looked up.
    fn next_by_name(&mut self) -> DecodeResult<Option<&'de PlannedParameter>> {
        let (index, parameter) = loop {
            match self.decoder.cursor.next_item() {
                b'"' => {}
                b'}' | 0 => return Ok(None),
                _ => return Err(invalid_params()),
            }
            if let Some(parameter) = self.plan.parameters.get(self.likely)
                && self.decoder.cursor.eat(&parameter.written)
            {
                break (self.likely, parameter);
            }
            let name = self.decoder.take_string().map_err(|_| invalid_params())?;
            if let Some(found) = self.plan.find(&name) {
                break found;
            }
            self.ignore_unknown()?;
        };
        self.decoder.colon()?;
        self.likely = index + 1;
        if std::mem::replace(&mut self.named[index], true) {
            return Err(invalid_params());
        }
        self.required += usize::from(parameter.required);
        Ok(Some(parameter))
    }

    /// Passes over the value of an unknown name, if such names are ignored.
    #[cold]
    fn ignore_unknown(&mut self) -> DecodeResult<()> {
        if !self.plan.ignores_unknown {
            return Err(invalid_params());
        }
        self.decoder.colon()?;
        self.decoder.cursor.next_token();
        self.decoder.cursor.value();
        Ok(())
    }

    /// Checks that no unknown name is left and no required parameter is missing.
    #[inline]
    fn finish(&mut self) -> DecodeResult<()> {
        if !self.ended {
            self.pass_over_the_rest()?;
        }
        let complete = if self.by_name {
            self.required == self.plan.required
        } else {
            self.likely >= self.plan.required_positions
        };
        if complete && !self.has_invalid_value {
            Ok(())
        } else {
            Err(invalid_params())
        }
    }

    /// Checks the remaining parameters, if the type stops before the end.
    #[cold]
    fn pass_over_the_rest(&mut self) -> DecodeResult<()> {
        while let Some(parameter) = self.next_parameter()? {
            parameter.check(self.decoder)?;
            self.decoder.cursor.next_token();
            self.decoder.cursor.value();
        }
        Ok(())
    }
}

/// Returns the error for parameters that are invalid because of their names, number or values.
#[cold]
fn invalid_params() -> DecodeError {
    DecodeError::new(DecodeProblem::Unexplained)
}

impl PlannedParameter {
    /// Checks the value that comes next, if there is anything to check.
    #[inline]
    pub(super) fn check(&self, decoder: &mut Decoder<'_>) -> DecodeResult<()> {
        let Some(check) = &self.check.check else {
            return Ok(());
        };
        decoder.cursor.next_token();
        let fits = match self.check.extent {
            CheckExtent::Nothing => true,
            CheckExtent::BeyondDecoding => check.fits_beyond_decoding(decoder.cursor),
            CheckExtent::Everything => check.fits(decoder.cursor),
        };
        if fits { Ok(()) } else { Err(invalid_params()) }
    }
}

impl<'de> MapAccess<'de> for &mut ParamsDeserializer<'_, 'de> {
    type Error = DecodeError;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> DecodeResult<Option<S::Value>> {
        match self.next_parameter()? {
            Some(parameter) => seed
                .deserialize(StrDeserializer::<DecodeError>::new(&parameter.name))
                .map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> DecodeResult<S::Value> {
        if let Some(parameter) = self.current {
            // Decoding continues, because the type may fail, too.
            self.has_invalid_value |= parameter.check(self.decoder).is_err();
        }
        self.decoder.value(seed)
    }
}

/// Decodes a list of any length, which must be an array.
#[inline]
pub(super) fn list<'de, P: Deserialize<'de>>(decoder: &mut Decoder<'de>) -> DecodeResult<P> {
    if decoder.cursor.next_token() == b'[' {
        return decoder.value(PhantomData);
    }
    Err(DecodeError::mismatch(&"a sequence").with_offset(decoder.cursor.offset()))
}

/// Decodes a list that is given by its name.
#[cold]
pub(super) fn list_by_name<'de, P: Deserialize<'de>>(
    plan: &'de Plan,
    decoder: &mut Decoder<'de>,
) -> DecodeResult<P> {
    decoder.cursor.step();
    if decoder.cursor.next_token() != b'"' {
        return Err(invalid_params());
    }
    let name = decoder.take_string().map_err(|_| invalid_params())?;
    let (_, parameter) = plan.find(&name).ok_or_else(invalid_params)?;
    decoder.colon()?;
    parameter.check(decoder)?;
    let values = list(decoder)?;
    match decoder.cursor.next_token() {
        b'}' => Ok(values),
        _ => Err(invalid_params()),
    }
}

/// Passes the parameters on as one value: an object, or a unit for types without content.
impl<'de> Deserializer<'de> for &mut ParamsDeserializer<'_, 'de> {
    type Error = DecodeError;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        visitor.visit_map(self)
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> DecodeResult<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> DecodeResult<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> DecodeResult<V::Value> {
        MapAccessDeserializer::new(self).deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        seq tuple tuple_struct map struct identifier ignored_any
    }
}
