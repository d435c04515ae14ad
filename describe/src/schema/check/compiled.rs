//! Compiled schemas, against which values are checked.

use std::sync::Arc;

use crate::json::Cursor;

use super::failure::Outcome;
use super::node::{Link, Shared};
use super::scalar::scalar;
use super::violation::Violation;
use super::walk::Walker;

/// Checks values against a schema. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Check(Arc<Root>);

#[derive(Debug)]
struct Root {
    link: Link,
    shared: Arc<Shared>,
}

impl Check {
    pub(super) fn new(link: Link, shared: &Arc<Shared>) -> Self {
        Self(Arc::new(Root {
            link,
            shared: Arc::clone(shared),
        }))
    }

    /// Checks a value. `text` is its JSON text, which must be well formed.
    ///
    /// # Errors
    /// The first [`Violation`] that is found.
    pub fn check(&self, text: &str) -> Result<(), Violation> {
        let outcome = self.outcome(Cursor::new(text));
        outcome.map_err(|failure| failure.into_violation(&self.0.shared))
    }

    /// Returns whether the value at a cursor matches. The text must be well formed.
    #[inline]
    pub fn fits(&self, value: Cursor<'_>) -> bool {
        self.outcome(value).is_ok()
    }

    #[inline]
    fn outcome<'a>(&'a self, mut value: Cursor<'a>) -> Outcome<'a> {
        let Root { link, shared } = &*self.0;
        match link {
            // Most parameters are scalars, which need no walk.
            Link::Node(node) if node.is_only_scalar(&value) => scalar(node, &mut value),
            link => Walker::new(shared).link(link, &mut value),
        }
    }

    /// Returns the violations in the value at a cursor, at most `most`, in the order of the text.
    /// In a part that several schemas check, only the first violation is reported.
    #[cold]
    pub fn violations<'a>(&'a self, mut value: Cursor<'a>, most: usize) -> Vec<Violation> {
        let Root { link, shared } = &*self.0;
        if most == 0 {
            return Vec::new();
        }
        let mut walker = Walker::new(shared);
        walker.collect(most);
        match walker.link(link, &mut value) {
            Ok(()) => Vec::new(),
            Err(failure) => failure.into_violations(shared, most),
        }
    }
}
