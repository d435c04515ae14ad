//! The problems with a call's parameters, as many as are useful to a caller.
//!
//! A caller should be able to mend a call at once, so problems are collected and not only the first
//! is reported. More than a few would not be read.

use super::error::BindError;

/// The maximum number of problems that are reported for a call, so that people can still read the
/// response.
pub(crate) const MAX_PROBLEMS: usize = 10;

/// The problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<BindError>);

impl Problems {
    /// Adds a problem, unless the maximum is reached.
    pub(crate) fn push(&mut self, problem: BindError) {
        self.push_with(|| problem);
    }

    /// Adds a problem, which is created only if the maximum is not reached.
    pub(super) fn push_with(&mut self, problem: impl FnOnce() -> BindError) {
        if self.left() > 0 {
            self.0.push(problem());
        }
    }

    /// Adds the problem of a parameter, unless it already has one.
    pub(super) fn push_once(&mut self, name: &str, problem: impl FnOnce(&str) -> BindError) {
        if self.0.iter().all(|other| other.parameter() != Some(name)) {
            self.push_with(|| problem(name));
        }
    }

    /// Returns how many more problems can be added.
    pub(super) fn left(&self) -> usize {
        MAX_PROBLEMS.saturating_sub(self.0.len())
    }

    /// Returns whether there are no problems.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the first problem, with the others; `None` if there are none.
    pub(crate) fn into_error(self) -> Option<BindError> {
        let mut problems = self.0.into_iter();
        let first = problems.next()?;
        Some(first.with_others(problems.collect()))
    }
}
