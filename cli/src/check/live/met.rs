//! The findings that calls of a procedure have led to.

use std::collections::HashSet;

use crate::check::rule::Rule;

/// The distinct findings about a procedure, and the rules of those that occurred again.
#[derive(Debug, Default)]
pub(super) struct Met {
    known: HashSet<(Rule, String, String)>,
    repeated: Vec<Rule>,
}

impl Met {
    /// Adds a finding, and returns whether it is new.
    pub(super) fn add(&mut self, rule: Rule, key: &str, focus: &str) -> bool {
        self.known.insert((rule, key.to_owned(), focus.to_owned()))
    }

    /// Returns the number of findings of a rule.
    pub(super) fn count(&self, rule: Rule) -> usize {
        self.known.iter().filter(|known| known.0 == rule).count()
    }

    /// Records that a finding turned out to be a known one.
    pub(super) fn repeat(&mut self, rule: Rule) {
        self.repeated.push(rule);
    }

    /// Returns how often a finding of a rule turned out to be a known one.
    pub(super) fn repeated(&self, rule: Rule) -> usize {
        self.repeated.iter().filter(|known| **known == rule).count()
    }
}
