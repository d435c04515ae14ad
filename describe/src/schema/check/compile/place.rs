//! The compiler's position in a schema, and the problems found there.

use std::fmt;

use crate::json::Pointer;

/// The constraints of a schema that are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The constraints that serde does not enforce.
    Decoded,
    /// All constraints.
    Full,
}

impl Mode {
    pub(super) const COUNT: usize = 2;

    /// Returns the slot of a component in this mode.
    pub(super) fn slot(self, component: usize) -> usize {
        component * Self::COUNT + usize::from(self == Self::Full)
    }

    /// Returns the component and the mode of a slot.
    pub(super) fn of_slot(slot: usize) -> (usize, Self) {
        let mode = if slot.is_multiple_of(Self::COUNT) {
            Self::Decoded
        } else {
            Self::Full
        };
        (slot / Self::COUNT, mode)
    }
}

/// A place in a schema that is being compiled.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) pointer: Pointer,
    pub(super) mode: Mode,
    pub(super) mistakes: Vec<Unenforceable>,
}

impl Place {
    pub(super) fn new(pointer: Pointer, mode: Mode) -> Self {
        Self {
            pointer,
            mode,
            mistakes: Vec::new(),
        }
    }

    /// Creates a place whose mistakes are discarded.
    pub(super) fn scratch() -> Self {
        Self::new(Pointer::root(), Mode::Decoded)
    }

    /// Notes that a keyword of this schema cannot be enforced.
    pub(super) fn mistake(&mut self, keyword: &str, reason: impl Into<String>) {
        self.mistakes.push(Unenforceable {
            pointer: self.pointer.clone(),
            keyword: keyword.to_owned(),
            reason: reason.into(),
        });
    }

    /// Compiles something at a place further inside, possibly in another mode.
    pub(super) fn within<T>(
        &mut self,
        tokens: &[&dyn fmt::Display],
        mode: Mode,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut pointer = self.pointer.clone();
        for token in tokens {
            pointer.push(token);
        }
        let mut inner = Self::new(pointer, mode);
        let result = work(&mut inner);
        self.mistakes.append(&mut inner.mistakes);
        result
    }
}

/// A constraint in a schema that cannot be enforced, so that publishing it would mislead callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unenforceable {
    /// The schema with the constraint: a pointer into the schema that was compiled, or one that
    /// begins with `/components/schemas/` for a component that it uses.
    pub pointer: Pointer,
    /// The keyword.
    pub keyword: String,
    /// The reason why it cannot be enforced.
    pub reason: String,
}

impl fmt::Display for Unenforceable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_root() {
            write!(f, "`{}` {}", self.keyword, self.reason)
        } else {
            write!(f, "`{}` at {} {}", self.keyword, self.pointer, self.reason)
        }
    }
}

impl std::error::Error for Unenforceable {}
