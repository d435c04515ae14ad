//! Patterns as grammars of formats, and the grammars of parts of formats.
//!
//! A grammar is a regular expression in the dialect of schemas, so that a description can have it
//! instead of a format.

use std::sync::OnceLock;

use crate::pattern::Pattern;

/// A pattern that is compiled when it is first used.
#[derive(Debug)]
pub(super) struct Grammar {
    /// The pattern, in the dialect of ECMA-262.
    pub(super) text: String,
    /// The compiled pattern, or `None` if it does not compile, which tests rule out.
    compiled: OnceLock<Option<Pattern>>,
}

impl Grammar {
    /// Creates a grammar from the text of a pattern, which has to compile.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            compiled: OnceLock::new(),
        }
    }

    /// Returns whether a text matches.
    pub(super) fn admits(&self, text: &str) -> bool {
        self.compiled
            .get_or_init(|| Pattern::new(&self.text).ok())
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(text))
    }
}
