//! The position of the compiler in a schema, and the mistakes that it finds.
//!
//! A mistake does not end the compilation. All of them are collected, so that the author of a service
//! sees them together.

use std::fmt;

use crate::json::Pointer;

/// A position in a schema that is being compiled, with the mistakes so far.
#[derive(Default)]
pub(super) struct SchemaCursor {
    /// The pointer to the schema.
    pub(super) pointer: Pointer,
    /// The mistakes so far.
    pub(super) mistakes: Vec<Unenforceable>,
    /// Set if a keyword of the present schema has been left out.
    pub(super) is_incomplete: bool,
    /// The number of references into components that have been followed to get here.
    pub(super) followed: usize,
}

impl SchemaCursor {
    /// Notes that a keyword of this schema is not compiled.
    pub(super) fn mistake(&mut self, keyword: &str, reason: impl Into<String>) {
        self.is_incomplete = true;
        self.unenforced(keyword, reason);
    }

    /// Notes that services do not enforce a keyword of this schema, although it is compiled.
    pub(super) fn unenforced(&mut self, keyword: &str, reason: impl Into<String>) {
        self.mistakes.push(Unenforceable {
            pointer: self.pointer.clone(),
            keyword: keyword.to_owned(),
            reason: reason.into(),
        });
    }

    /// Goes further inside, and returns the pointer to [return](Self::leave) to. A closure for the work in between would
    /// take more of the stack, and schemas may be nested deeply.
    pub(super) fn enter(&mut self, tokens: &[&dyn fmt::Display]) -> Pointer {
        let outer = self.pointer.clone();
        for token in tokens {
            self.pointer.push(token);
        }
        outer
    }

    /// Returns to the outer schema.
    pub(super) fn leave(&mut self, outer: Pointer) {
        self.pointer = outer;
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
