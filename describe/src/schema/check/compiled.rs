//! A schema that is compiled, to check values against it.

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

    /// Checks one value, given as its JSON text, which is known to be well formed.
    ///
    /// # Errors
    /// The first thing found that does not fit.
    pub fn check(&self, text: &str) -> Result<(), Violation> {
        let outcome = self.outcome(Cursor::new(text));
        outcome.map_err(|failure| failure.into_violation(&self.0.shared))
    }

    /// Returns whether the value at a cursor fits, in text that is well formed.
    #[inline]
    pub fn fits(&self, value: Cursor<'_>) -> bool {
        self.outcome(value).is_ok()
    }

    #[inline]
    fn outcome<'a>(&'a self, mut value: Cursor<'a>) -> Outcome<'a> {
        let Root { link, shared } = &*self.0;
        match link {
            // Most parameters are scalars, for which there is nothing to walk through.
            Link::Node(node) if node.is_only_scalar(&value) => scalar(node, &mut value),
            link => Walker::new(shared).link(link, &mut value),
        }
    }

    /// Everything in the value at a cursor that does not fit, in the order in which it stands there, as far as
    /// it can be told one from another: at most so many.
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
