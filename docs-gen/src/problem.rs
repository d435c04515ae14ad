//! What keeps a site from being built.

use std::fmt;

/// Something that the builder was given and cannot use.
///
/// All problems are found at once; nothing of a description is ever one, since a site can be made
/// of every description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    place: String,
    reason: String,
}

impl Problem {
    pub(crate) fn new(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            reason: reason.into(),
        }
    }

    /// What was given: `template procedure.hbs`, `colour accent`, `address`.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong with it, and what would be right.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Problem {}
