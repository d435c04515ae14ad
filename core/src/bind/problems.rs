//! The problems with a call's parameters, as many as are useful to a caller.

use super::error::BindError;

/// The maximum number of problems that are reported for a call, so that people can still read the
/// response.
pub(crate) const MOST: usize = 10;

/// The problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems(Option<BindError>);

impl Problems {
    /// Adds a problem, unless the maximum is reached.
    pub(crate) fn push(&mut self, problem: BindError) {
        self.push_with(|| problem);
    }

    /// Adds a problem, which is created only if the maximum is not reached.
    pub(super) fn push_with(&mut self, problem: impl FnOnce() -> BindError) {
        match &mut self.0 {
            None => self.0 = Some(problem()),
            Some(first) if first.count() < MOST => first.add(problem()),
            Some(_) => {}
        }
    }

    /// Adds the problem of a parameter, unless it already has one.
    pub(super) fn push_once(&mut self, name: &str, problem: impl FnOnce(&str) -> BindError) {
        if !self.are_about(name) {
            self.push_with(|| problem(name));
        }
    }

    /// Returns how many more problems can be added.
    pub(super) fn left(&self) -> usize {
        MOST.saturating_sub(self.0.as_ref().map_or(0, BindError::count))
    }

    /// Returns whether there are no problems.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns whether one of the problems belongs to the parameter with this name.
    pub(super) fn are_about(&self, name: &str) -> bool {
        let mut all = self.0.iter().flat_map(BindError::all);
        all.any(|problem| problem.parameter() == Some(name))
    }

    /// Returns the first problem, with the others; `None` if there are none.
    pub(crate) fn into_error(self) -> Option<BindError> {
        self.0
    }
}
