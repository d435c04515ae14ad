//! The parameters that did not pass their checks.
//!
//! Decoding goes on after a failed check. If it succeeds, nothing but the checks has to be explained,
//! and no parameter is decoded a second time.

use docent_describe::json::Cursor;

use super::de::{DecodeError, Decoder, Problem};
use super::plan::Parameter;
use super::problems::MOST;
use crate::check::{Check, Violation, type_first};

/// The error of the checks that have failed so far, if any has.
#[derive(Default)]
pub(super) struct Refused(Option<DecodeError>);

/// A check that goes on while its parameter is decoded.
pub(super) struct Begun<'c> {
    index: usize,
    check: &'c Check,
    value: Cursor<'c>,
}

impl Refused {
    /// Begins the check of a parameter, if it has one, on the value that comes next. A scalar is
    /// checked at once.
    #[inline]
    pub(super) fn begin<'de>(
        &mut self,
        index: usize,
        parameter: Option<&'de Parameter>,
        decoder: &mut Decoder<'de>,
    ) -> Option<Begun<'de>> {
        let check = parameter?.check.as_ref()?;
        self.run(index, check, decoder)
    }

    fn run<'de>(
        &mut self,
        index: usize,
        check: &'de Check,
        decoder: &mut Decoder<'de>,
    ) -> Option<Begun<'de>> {
        decoder.cursor.next_token();
        let value = decoder.cursor;
        let begun = Begun {
            index,
            check,
            value,
        };
        if value.is_at_container() {
            decoder.begin_check(check.expected());
            return Some(begun);
        }
        self.examine(&begun);
        None
    }

    /// Ends a check, after its value has been decoded or not. If the value was not found to fit on the
    /// way, it is checked on its own.
    #[inline]
    pub(super) fn conclude(
        &mut self,
        begun: &Begun<'_>,
        decoder: &mut Decoder<'_>,
        is_decoded: bool,
    ) {
        if !(decoder.end_check() && is_decoded) {
            self.examine(begun);
        }
    }

    fn examine(&mut self, begun: &Begun<'_>) {
        if let Err(found) = begun.check.examine(begun.value, MOST) {
            self.note(begun.index, found, begun.value.offset());
        }
    }

    /// The error has the offset of the first value that is refused: those before it have passed.
    #[cold]
    fn note(&mut self, index: usize, found: Vec<Violation>, offset: usize) {
        let error = self.0.get_or_insert_with(|| {
            let violations = Vec::with_capacity(found.len());
            let only = false;
            DecodeError::new(Problem::Checks { violations, only }).at(offset)
        });
        if let Problem::Checks { violations, .. } = error.problem_mut() {
            let found = type_first(found).into_iter();
            violations.extend(found.map(|violation| (index, violation)));
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The error that decoding ends with: that of the checks, if any has failed, or else the one that
    /// it has failed with itself.
    #[cold]
    pub(super) fn error(&mut self, of_decoding: Option<DecodeError>) -> DecodeError {
        let Some(mut error) = self.0.take() else {
            return of_decoding.unwrap_or_else(|| DecodeError::new(Problem::Names));
        };
        if let Problem::Checks { only, .. } = error.problem_mut() {
            *only = of_decoding.is_none();
        }
        error
    }

    /// The end of decoding where nothing else is to be done.
    #[inline]
    pub(super) fn end<T>(
        mut self,
        begun: Option<Begun<'_>>,
        decoder: &mut Decoder<'_>,
        result: Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        if let Some(begun) = begun {
            self.conclude(&begun, decoder, result.is_ok());
        }
        match result {
            Ok(value) if self.is_empty() => Ok(value),
            result => Err(self.error(result.err())),
        }
    }
}
