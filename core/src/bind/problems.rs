//! Everything that is wrong with a call's parameters, as far as it is useful to a caller.

use super::error::BindError;

/// How many problems are reported for a call, so that people can still read the response.
pub(crate) const MOST: usize = 10;

/// What has been found wrong so far.
#[derive(Debug, Default)]
pub(crate) struct Problems(Option<BindError>);

impl Problems {
    /// Adds a problem, unless there are enough.
    pub(crate) fn push(&mut self, problem: BindError) {
        self.push_with(|| problem);
    }

    /// Adds a problem, which is put into words only where there are not enough.
    pub(super) fn push_with(&mut self, problem: impl FnOnce() -> BindError) {
        match &mut self.0 {
            None => self.0 = Some(problem()),
            Some(first) if first.count() < MOST => first.add(problem()),
            Some(_) => {}
        }
    }

    /// Adds the problem of a parameter, unless there is one already.
    pub(super) fn push_once(&mut self, name: &str, problem: impl FnOnce(&str) -> BindError) {
        if !self.are_about(name) {
            self.push_with(|| problem(name));
        }
    }

    /// How many more are wanted.
    pub(super) fn left(&self) -> usize {
        MOST.saturating_sub(self.0.as_ref().map_or(0, BindError::count))
    }

    /// Whether nothing has been found.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether one of them is about the parameter with this name.
    pub(super) fn are_about(&self, name: &str) -> bool {
        let mut all = self.0.iter().flat_map(BindError::all);
        all.any(|problem| problem.parameter() == Some(name))
    }

    /// The first, with the others; none where there is none.
    pub(crate) fn into_error(self) -> Option<BindError> {
        self.0
    }
}
