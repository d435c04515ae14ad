//! The mistakes and warnings about a service, as they are collected.

use crate::service::mistakes::Mistake;

/// The findings of `build()`.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) mistakes: Vec<Mistake>,
    pub(super) warnings: Vec<String>,
}

impl Findings {
    pub(super) fn mistake(&mut self, procedure: &str, text: impl std::fmt::Display) {
        self.mistakes.push(Mistake::of_procedure(procedure, text));
    }

    /// Adds a mistake of the service that several procedures may reveal.
    pub(super) fn mistake_of_service(&mut self, text: impl std::fmt::Display) {
        self.take_new([Mistake::of_service(text)]);
    }

    /// Adds the mistakes that are new.
    pub(super) fn take_new(&mut self, mistakes: impl IntoIterator<Item = Mistake>) {
        for mistake in mistakes {
            if !self.mistakes.contains(&mistake) {
                self.mistakes.push(mistake);
            }
        }
    }

    pub(super) fn warning(&mut self, procedure: &str, text: impl std::fmt::Display) {
        self.warnings
            .push(format!("procedure {procedure:?}: {text}"));
    }
}
