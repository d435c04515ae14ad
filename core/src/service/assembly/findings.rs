//! The mistakes and warnings about a service, as they are collected.
//!
//! Each step of `build()` adds to them and goes on, so that an author sees all that is wrong at once.

use std::fmt::Display;

use indexmap::IndexSet;

use crate::service::mistakes::Mistake;

/// The findings of `build()`. A mistake that several checks find counts once.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) mistakes: IndexSet<Mistake>,
    pub(super) warnings: Vec<String>,
}

impl Findings {
    /// Adds a mistake in a procedure.
    pub(super) fn mistake(&mut self, procedure: &str, text: impl Display) {
        self.mistakes.insert(Mistake::of_procedure(procedure, text));
    }

    /// Adds several mistakes in a procedure.
    pub(super) fn mistakes<T: Display>(
        &mut self,
        procedure: &str,
        texts: impl IntoIterator<Item = T>,
    ) {
        for text in texts {
            self.mistake(procedure, text);
        }
    }

    /// Adds a mistake that belongs to no procedure.
    pub(super) fn mistake_of_service(&mut self, text: impl Display) {
        self.mistakes.insert(Mistake::of_service(text));
    }

    /// Adds a warning about a procedure.
    pub(super) fn warning(&mut self, procedure: &str, text: impl Display) {
        self.warnings
            .push(format!("procedure {procedure:?}: {text}"));
    }

    /// Adds a warning that belongs to no procedure.
    pub(super) fn warning_of_service(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }
}
