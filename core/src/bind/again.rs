//! Decodes once more after a failure, to find out which parameters fail, and why.
//!
//! Each parameter is decoded alone. That does not show what is wrong inside a flattened struct:
//! serde keeps its members in a buffer and decodes them at the very end, where nothing shows which
//! member is being decoded. So we leave them out one by one, until the type reports a different
//! error.

use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, MapAccess};
use smallvec::SmallVec;

use super::de::{DecodeError, Decoder, Problem, Result};
use super::named::{Source, list, names};
use super::names::Given;
use super::plan::Plan;
use super::words;

/// How many bytes are decoded at most to find the members of flattened structs that fail.
const MOST: usize = 8 << 20;

/// Decodes parameters once more, those that it is given.
pub(super) type Decode<'d, 'de> = &'d mut dyn FnMut(&mut Again<'_, 'de>) -> Result<()>;

/// What comes of decoding everything once more.
pub(super) struct Decodings<'a, 'de> {
    plan: &'a Plan,
    text: &'de str,
    given: &'a Given,
    decode: Decode<'a, 'de>,
    /// Why parameters cannot be decoded, each with its index. Mostly there is one.
    failures: SmallVec<[(usize, DecodeError); 1]>,
    /// Why the type refuses them together, where each can be decoded.
    end: Option<DecodeError>,
    /// How many bytes may still be decoded.
    left: usize,
    /// Where the value begins that decoding has failed at, if that is known: those before it in the
    /// text have been decoded.
    failed_at: Option<usize>,
}

impl<'a, 'de> Decodings<'a, 'de> {
    pub(super) fn new(
        plan: &'a Plan,
        text: &'de str,
        given: &'a Given,
        decode: Decode<'a, 'de>,
    ) -> Self {
        Self {
            plan,
            text,
            given,
            decode,
            failures: SmallVec::new(),
            end: None,
            left: MOST,
            failed_at: None,
        }
    }

    /// Begins after the value that decoding has failed at.
    ///
    /// # Errors
    /// The error, if it does not say which value that is.
    pub(super) fn begin_after(&mut self, error: DecodeError) -> Result<()> {
        let Some(offset) = error.offset() else {
            return Err(error);
        };
        let values = self.given.values.iter().enumerate();
        let before =
            values.filter_map(|(index, start)| Some((start.filter(|it| *it <= offset)?, index)));
        let Some((start, index)) = before.max() else {
            return Err(error);
        };
        if matches!(error.problem(), Problem::Checks { .. }) {
            return Err(error);
        }
        self.failures.push((index, error));
        self.failed_at = Some(start);
        Ok(())
    }

    fn has_failed(&self, index: usize) -> bool {
        self.failures.iter().any(|(failed, _)| *failed == index)
    }

    /// Takes out why a parameter cannot be decoded, if it cannot.
    pub(super) fn take_failure(&mut self, index: usize) -> Option<DecodeError> {
        let mut failures = self.failures.iter();
        let place = failures.position(|(failed, _)| *failed == index)?;
        Some(self.failures.swap_remove(place).1)
    }

    /// Decodes some of the parameters.
    fn run<'v>(
        &mut self,
        values: Values<'v>,
        range: Range<usize>,
        whole_as_integers: bool,
    ) -> (Option<DecodeError>, Again<'v, 'de>)
    where
        'a: 'v,
    {
        let mut again = Again::new(self.plan, self.text, values, range, whole_as_integers);
        let outcome = (self.decode)(&mut again);
        (outcome.err(), again)
    }

    /// Decodes the parameters from one that fails to the next, until so many have failed.
    pub(super) fn one_by_one(&mut self, most: usize) {
        let values = Values {
            starts: &self.given.values,
            after: self.failed_at,
        };
        let count = values.starts.len();
        let (mut from, mut failed) = (0, 0);
        while failed < most {
            // Without values, decoding shows what the type says of all of them together. That is of
            // interest only if none has failed.
            let is_first = from == 0 && self.failed_at.is_none();
            if !is_first && !(from..count).any(|index| values.has(index)) {
                break;
            }
            let (error, again) = self.run(values, from..count, false);
            let Some((index, failure)) = again.failed else {
                // If decoding stopped elsewhere, we know nothing about the parameters after that.
                if is_first && again.has_ended {
                    self.end = match error {
                        // See `Decoder::again`: the value may be taken on the second try.
                        Some(_) if again.has_met_whole => self.run(values, 0..count, true).0,
                        error => error,
                    };
                }
                break;
            };
            let failure = if again.has_met_whole {
                let (_, again) = self.run(values, index..index + 1, true);
                again.failed.map(|(_, failure)| failure)
            } else {
                Some(failure)
            };
            failed += usize::from(failure.is_some());
            self.failures
                .extend(failure.map(|failure| (index, failure)));
            from = index + 1;
        }
    }

    /// Finds out which members of flattened structs fail, but for those of which enough has been
    /// `told`, and says what the type has against all parameters together.
    pub(super) fn together(&mut self, told: &dyn Fn(usize) -> bool) -> Option<DecodeError> {
        if self.flattened(&self.given.values).is_empty() {
            return self.end.take();
        }
        let mut values = self.given.values.clone();
        for (index, value) in values.iter_mut().enumerate() {
            let is_told = self.plan.parameters()[index].flattened.is_some() && told(index);
            if self.has_failed(index) || is_told {
                *value = None;
            }
        }
        while let Some(error) = self.attempt(&values) {
            let is_left_out = |name: &str| {
                let found = self.plan.find(name);
                found.is_some_and(|(index, _)| values[index].is_none())
            };
            if let Problem::MissingField(name) = error.problem()
                && is_left_out(name)
            {
                return None;
            }
            let Some(index) = self.cause(&values, &error) else {
                return Some(error);
            };
            self.failures.push((index, error));
            values[index] = None;
        }
        None
    }

    /// Those of the parameters that belong to flattened structs.
    fn flattened(&self, values: &[Option<usize>]) -> Vec<usize> {
        let parameters = self.plan.parameters().iter().zip(values).enumerate();
        let flattened =
            parameters.filter(|(_, (it, value))| it.flattened.is_some() && value.is_some());
        flattened.map(|(index, _)| index).collect()
    }

    /// What the type has against these parameters when it has seen all of them.
    fn attempt(&mut self, values: &[Option<usize>]) -> Option<DecodeError> {
        self.left = self.left.saturating_sub(self.text.len());
        if self.left == 0 {
            return None;
        }
        let count = values.len();
        let values = Values {
            starts: values,
            after: None,
        };
        let (mut error, mut again) = self.run(values, 0..count, false);
        if again.has_met_whole {
            (error, again) = self.run(values, 0..count, true);
        }
        error.filter(|_| again.has_ended && again.failed.is_none())
    }

    /// The parameter that the type refuses for this reason; of several the last. None where that
    /// would take too much work.
    ///
    /// A struct misses members only when it has decoded those that it has, so leaving these out one
    /// by one brings the culprit to light. But it misses its own before it decodes another that is
    /// flattened into it: those that are decoded last are left out first.
    fn cause(&mut self, values: &[Option<usize>], error: &DecodeError) -> Option<usize> {
        let reason = words::reason(error.problem(), "");
        let plan = self.plan;
        let place = |index: &usize| plan.parameters()[*index].flattened;
        let mut candidates = self.flattened(values);
        candidates.sort_by_key(|index| std::cmp::Reverse(place(index)));
        let mut fewer = Vec::new();
        let mut at = None;
        for index in candidates {
            if at != Some(place(&index)) {
                at = Some(place(&index));
                fewer = values.to_vec();
            }
            fewer[index] = None;
            if self.changes(&fewer, &reason) {
                return (self.left > 0).then_some(index);
            }
        }
        None
    }

    /// Whether the type says something else than this about these parameters.
    fn changes(&mut self, values: &[Option<usize>], reason: &str) -> bool {
        let error = self.attempt(values);
        error.is_none_or(|error| words::reason(error.problem(), "") != reason)
    }
}

/// The values to decode.
#[derive(Clone, Copy)]
struct Values<'a> {
    /// Where each parameter's begins, if there is one.
    starts: &'a [Option<usize>],
    /// The place in the text behind which they have to begin; none where that is all of them.
    after: Option<usize>,
}

impl Values<'_> {
    fn has(self, index: usize) -> bool {
        // None is less than any place.
        let start = self.starts.get(index);
        start.is_some_and(|start| *start > self.after)
    }
}

/// Parameters that are decoded once more, to see which of them fail: some of those that a call gives,
/// each once, in the order of the plan.
pub(super) struct Again<'a, 'de> {
    plan: &'a Plan,
    text: &'de str,
    values: Values<'a>,
    /// The parameters that are still to come.
    range: Range<usize>,
    whole_as_integers: bool,
    /// The parameter whose value comes next.
    current: usize,
    /// The parameter that failed, and why.
    pub(super) failed: Option<(usize, DecodeError)>,
    /// Whether all of them were asked for.
    pub(super) has_ended: bool,
    /// Whether a second try may come out differently; see [`Decoder::again`].
    pub(super) has_met_whole: bool,
}

impl<'a, 'de> Again<'a, 'de> {
    fn new(
        plan: &'a Plan,
        text: &'de str,
        values: Values<'a>,
        range: Range<usize>,
        whole_as_integers: bool,
    ) -> Self {
        Self {
            plan,
            text,
            values,
            range,
            whole_as_integers,
            current: 0,
            failed: None,
            has_ended: false,
            has_met_whole: false,
        }
    }

    /// Decodes parameters one by one.
    pub(super) fn named<P: Deserialize<'de>>(&mut self) -> Result<()> {
        P::deserialize(Source(&mut *self)).map(drop)
    }

    /// Decodes the only parameter, which is a list.
    pub(super) fn list<P: Deserialize<'de>>(&mut self) -> Result<()> {
        if self.step().is_some() {
            self.value(|decoder| list::<P>(decoder).map(drop))?;
        }
        self.has_ended = true;
        Ok(())
    }

    /// Goes to the next parameter that has been given.
    fn step(&mut self) -> Option<usize> {
        let values = self.values;
        self.current = self.range.find(|index| values.has(*index))?;
        Some(self.current)
    }

    fn value<T>(&mut self, decode: impl FnOnce(&mut Decoder<'de>) -> Result<T>) -> Result<T> {
        let start = self.values.starts.get(self.current).copied().flatten();
        let start = start.unwrap_or(self.text.len());
        let mut decoder = Decoder::in_the_middle(self.text, start, self.whole_as_integers);
        let outcome = decode(&mut decoder);
        self.has_met_whole |= decoder.again().is_some();
        outcome.map_err(|error| {
            self.failed = Some((self.current, error));
            names()
        })
    }
}

impl<'de> MapAccess<'de> for &mut Again<'_, 'de> {
    type Error = DecodeError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(index) = self.step() else {
            self.has_ended = true;
            return Ok(None);
        };
        let name = &*self.plan.parameters()[index].name;
        seed.deserialize(StrDeserializer::<DecodeError>::new(name))
            .map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.value(|decoder| decoder.value(seed))
    }
}
