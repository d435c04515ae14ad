//! Violations of a schema.

use std::fmt;

use crate::json::Pointer;

/// A value's violation of its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The location in the value. Below a member with an excessively long name, it is the object
    /// with that member.
    pub pointer: Pointer,
    /// The reason, for people who know JSON but not the service:
    /// `expected an integer from 1 to 10, found 11`.
    pub reason: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_root() {
            f.write_str(&self.reason)
        } else {
            write!(f, "at {}: {}", self.pointer, self.reason)
        }
    }
}

impl std::error::Error for Violation {}
