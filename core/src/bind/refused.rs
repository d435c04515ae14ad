//! The parameters that did not pass their checks.
//!
//! Decoding goes on after a failed check. If it succeeds, nothing but the checks has to be explained,
//! and no parameter is decoded a second time.

use super::de::{DecodeError, Decoder, Problem};
use super::plan::Parameter;
use super::problems::MOST;
use crate::check::{Violation, type_first};

/// The error of the checks that have failed so far, if any has.
#[derive(Default)]
pub(super) struct Refused(Option<DecodeError>);

impl Refused {
    /// Checks the value that comes next, if there is anything to check.
    #[inline]
    pub(super) fn check(
        &mut self,
        index: usize,
        parameter: Option<&Parameter>,
        decoder: &mut Decoder<'_>,
    ) {
        if let Some(check) = parameter.and_then(|parameter| parameter.check.as_ref()) {
            decoder.cursor.next_token();
            if let Err(found) = check.examine(decoder.cursor, MOST) {
                self.note(index, found, decoder.cursor.offset());
            }
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
    pub(super) fn end<T>(mut self, result: Result<T, DecodeError>) -> Result<T, DecodeError> {
        match result {
            Ok(value) if self.is_empty() => Ok(value),
            result => Err(self.error(result.err())),
        }
    }
}
