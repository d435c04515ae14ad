//! Compiled schemas, against which values are checked.
//!
//! Beside the compiler, the rest of the workspace sees only a [`Check`] of this folder. It is
//! compiled once and then only read, so any number of threads may use it.

use std::sync::Arc;

use crate::json::{Cursor, Pointer};

use super::reasons::Violation;
use super::rules::{CompiledComponents, Link};
use super::walk::{Misfit, Walker};

/// Checks values against a schema. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Check(Arc<Root>);

/// The compiled schema itself, and the components that it may refer to.
#[derive(Debug)]
struct Root {
    /// The constraints of the schema.
    link: Link,
    /// The components that the links of the schema lead to.
    components: Arc<CompiledComponents>,
    /// Set if the schema may have constraints that cannot be checked.
    is_lenient: bool,
}

impl Check {
    /// Creates a check of a compiled schema. It is lenient if something could not be compiled that
    /// services refuse.
    pub(super) fn new(link: Link, components: &Arc<CompiledComponents>, is_lenient: bool) -> Self {
        Self(Arc::new(Root {
            link,
            components: Arc::clone(components),
            is_lenient,
        }))
    }

    /// Checks a value. `text` is its JSON text, which must be well formed.
    ///
    /// # Errors
    /// The first [`Violation`] that is found.
    pub fn check(&self, text: &str) -> Result<(), Violation> {
        let value = Cursor::new(text);
        if self.fits(value) {
            return Ok(());
        }
        match self.violations(value, 1).pop() {
            Some(violation) => Err(violation),
            None => Ok(()),
        }
    }

    /// Returns whether the value at a cursor matches, as far as the schema can be checked. The text
    /// must be well formed.
    #[inline]
    pub fn fits<'a>(&'a self, value: Cursor<'a>) -> bool {
        self.fits_for(Walker::new(&self.0.components), value)
    }

    /// Like [`fits`](Self::fits), for a value that is also decoded to the type of the schema: checks only what
    /// decoding does not enforce.
    #[inline]
    pub fn fits_beyond_decoding<'a>(&'a self, value: Cursor<'a>) -> bool {
        self.fits_for(Walker::beyond_decoding(&self.0.components), value)
    }

    /// Checks a value with a walker that reports nothing.
    #[inline]
    fn fits_for<'a>(&'a self, mut walker: Walker<'a>, mut value: Cursor<'a>) -> bool {
        match walker.check(&self.0.link, &mut value) {
            Ok(()) => true,
            Err(Misfit::Unknown) => self.0.is_lenient,
            Err(Misfit::Fails) => false,
        }
    }

    /// Returns whether the value at a cursor matches, or `None` if that cannot be decided in
    /// `steps_left` steps, from which those that are taken are subtracted.
    pub(in crate::schema) fn decide<'a>(
        &'a self,
        mut value: Cursor<'a>,
        steps_left: &mut usize,
    ) -> Option<bool> {
        let Root {
            link, components, ..
        } = &*self.0;
        let mut walker = Walker::new(components);
        walker.steps_left = *steps_left;
        let outcome = walker.check(link, &mut value);
        *steps_left = walker.steps_left;
        match outcome {
            Ok(()) => Some(true),
            Err(Misfit::Unknown) => None,
            Err(Misfit::Fails) => Some(false),
        }
    }

    /// Returns the violations in the value at a cursor, at most `most`, in the order of the text.
    /// In a part that several schemas check, only those of the first one are reported.
    #[cold]
    pub fn violations<'a>(&'a self, mut value: Cursor<'a>, most: usize) -> Vec<Violation> {
        let Root {
            link, components, ..
        } = &*self.0;
        let mut walker = Walker::reporting(components, most);
        let outcome = walker.check(link, &mut value);
        let mut violations = walker.into_violations();
        if outcome.is_err() && !self.0.is_lenient && violations.is_empty() {
            violations.push(Violation {
                pointer: Pointer::root(),
                reason: "the value is too large, or nested too deeply, to be checked".to_owned(),
            });
        }
        violations
    }
}
