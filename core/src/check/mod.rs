//! Enforces what a schema promises.
//!
//! A description is true, so whatever the JSON Schema of a parameter says has to hold when the
//! handler runs. Most of it holds automatically: serde decodes into the Rust type that the schema
//! was generated from, and rejects what does not fit (types, members, elements, alternatives, the
//! width of integers). Nothing else would enforce the rest: bounds, lengths, patterns, formats,
//! lists of values, unique elements. When the service is built, a [`Compiler`] finds these parts of
//! a schema and turns them into a [`Check`], or into nothing if serde is enough. A check works on
//! the text of a value and builds no tree.
//!
//! These decisions are made here:
//!
//! - `enum` and `const` are always checked, although serde decodes enums: a schema does not show
//!   whether a list of values comes from a Rust enum.
//! - A check also rejects the wrong type of value wherever it reads one, in words for callers. It
//!   checks required members, and everything else that serde decodes, only to tell alternatives
//!   apart or if everything was requested ([`Compiler::compile_full`]).
//! - If an object has a member twice, every occurrence is checked: which one counts depends on the
//!   type that decodes it.
//! - A schema that asserts what is not enforced is an error, as is one that no value can match.

mod choices;
mod compile;
mod digest;
mod extents;
mod failure;
mod format;
mod key;
mod node;
mod number;
mod pattern;
mod phrase;
mod scalar;
mod string;
mod union;
mod unique;
mod walk;

use std::fmt;
use std::sync::Arc;

use docent_describe::json::{Cursor, Pointer};

pub(crate) use compile::Compiler;
pub(crate) use format::{Format, is_uri};
pub(crate) use pattern::Burden;

use node::{Link, Shared};
use walk::Walker;

/// How many schemas may be open at once while a value is checked, and how deeply a value may be
/// nested that has to be compared as a whole.
///
/// Checking is recursive, so there has to be a limit; the wire's own limit is usually far lower.
const MAX_DEPTH: u32 = 512;

/// Checks values against a schema. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Check(Arc<Root>);

#[derive(Debug)]
struct Root {
    link: Link,
    shared: Arc<Shared>,
}

impl Check {
    fn new(link: Link, shared: &Arc<Shared>) -> Self {
        Self(Arc::new(Root {
            link,
            shared: Arc::clone(shared),
        }))
    }

    /// Checks one value, given as its JSON text, which is known to be well formed.
    ///
    /// # Errors
    /// The first thing found that does not fit.
    pub(crate) fn check(&self, text: &str) -> Result<(), Violation> {
        let Root { link, shared } = &*self.0;
        let mut cursor = Cursor::new(text);
        let outcome = match link {
            // Most parameters are scalars, for which there is nothing to walk through.
            Link::Node(node) if node.in_place.is_empty() && !cursor.is_at_container() => {
                scalar::scalar(node, &mut cursor)
            }
            link => Walker::new(shared).link(link, &mut cursor),
        };
        outcome.map_err(|failure| failure.into_violation(shared))
    }

    /// Everything in one value that does not fit, in the order in which it stands there, as far as
    /// it can be told one from another: at most so many, and of the values of a wrong type only the
    /// first.
    #[cold]
    pub(crate) fn violations(&self, text: &str, most: usize) -> Vec<Violation> {
        let Root { link, shared } = &*self.0;
        if most == 0 {
            return Vec::new();
        }
        let mut walker = Walker::new(shared);
        walker.collect(most);
        match walker.link(link, &mut Cursor::new(text)) {
            Ok(()) => Vec::new(),
            Err(failure) => failure.into_violations(shared, most),
        }
    }
}

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

/// Something in a schema that cannot be enforced, and would therefore be an empty promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unenforceable {
    /// The schema that says it: within the schema that was compiled, or beginning with
    /// `/components/schemas/` within a component that it uses.
    pub(crate) pointer: Pointer,
    /// The keyword.
    pub(crate) keyword: String,
    /// Why it cannot be enforced.
    pub(crate) reason: String,
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

#[cfg(test)]
mod tests;
