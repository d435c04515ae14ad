//! What a check finds wrong with a value.

use std::fmt;

use docent_describe::json::Pointer;

/// A value breaks what its schema promises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// Where in the value. Where that is below a member with an excessively long name, it is the
    /// object with that member.
    pub(crate) pointer: Pointer,
    /// The reason, for people who know JSON but not the service:
    /// `expected an integer from 1 to 10, found 11`.
    pub(crate) reason: String,
    /// What is broken.
    pub(crate) broken: Broken,
}

/// What a value can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It is of another type.
    Type,
    /// It is none of the alternatives, whatever is wrong with it as each of them.
    Alternatives,
    /// It is of the right type, and breaks a rule for values of that type.
    Rule,
}

/// The violations of one value in the order in which they are reported: the first value of a wrong
/// type, then what breaks a rule.
pub(crate) fn type_first(mut violations: Vec<Violation>) -> Vec<Violation> {
    let is_type = |violation: &Violation| violation.broken == Broken::Type;
    if let Some(first) = violations.iter().position(is_type) {
        violations[..=first].rotate_right(1);
        let mut rest = 0..;
        violations.retain(|violation| rest.next() == Some(0) || !is_type(violation));
    }
    violations
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
