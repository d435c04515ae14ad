//! Which lies of a procedure have been met.

use std::collections::HashSet;

use crate::check::rule::Rule;

/// The lies that a procedure has been caught in, and how often one was met again.
#[derive(Debug, Default)]
pub(super) struct Met {
    known: HashSet<(Rule, String, String)>,
    repeated: Vec<Rule>,
}

impl Met {
    /// Notes a lie, and returns whether it had not been met.
    pub(super) fn add(&mut self, rule: Rule, key: &str, focus: &str) -> bool {
        self.known.insert((rule, key.to_owned(), focus.to_owned()))
    }

    /// How many lies of a rule have been met.
    pub(super) fn count(&self, rule: Rule) -> usize {
        self.known.iter().filter(|known| known.0 == rule).count()
    }

    /// Notes that a lie turned out to be a known one.
    pub(super) fn repeat(&mut self, rule: Rule) {
        self.repeated.push(rule);
    }

    /// How often that was so.
    pub(super) fn repeated(&self, rule: Rule) -> usize {
        self.repeated.iter().filter(|known| **known == rule).count()
    }
}
