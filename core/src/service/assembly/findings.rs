//! The mistakes and warnings about a service, as they are collected.

use crate::service::mistakes::Mistake;

/// What `build()` has to say.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) mistakes: Vec<Mistake>,
    pub(super) warnings: Vec<String>,
}

impl Findings {
    pub(super) fn mistake(&mut self, procedure: &str, text: impl std::fmt::Display) {
        self.mistakes.push(Mistake::of_procedure(procedure, text));
    }

    pub(super) fn warning(&mut self, procedure: &str, text: impl std::fmt::Display) {
        self.warnings
            .push(format!("procedure {procedure:?}: {text}"));
    }
}
