//! Which numbers a parameter accepts: text such as `256` is either one of them, or possibly a
//! string.

use docent_describe::json::{Decimal, Json, Object};
use indexmap::IndexMap;

use crate::check::{Check, Compiler};

/// The keywords that say which numbers there are.
const KEYWORDS: [&str; 6] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "not",
];

/// How many alternatives are kept apart. Beyond that, any number will do.
const APART: usize = 32;

/// The numbers that fit one of some alternatives.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers(Vec<Range>);

/// The numbers that follow some rules.
#[derive(Debug, Clone)]
struct Range {
    only_integers: bool,
    rules: Vec<Check>,
}

impl Numbers {
    /// All numbers.
    pub(super) fn all() -> Self {
        Self(vec![Range {
            only_integers: false,
            rules: Vec::new(),
        }])
    }

    /// All whole numbers.
    pub(super) fn integers() -> Self {
        Self(vec![Range {
            only_integers: true,
            rules: Vec::new(),
        }])
    }

    /// Whether there are none.
    pub(super) fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a number is one of them.
    pub(super) fn admit(&self, text: &str) -> bool {
        self.0.iter().any(|some| {
            (!some.only_integers || Decimal::new(text).is_integer())
                && some.rules.iter().all(|rule| rule.check(text).is_ok())
        })
    }

    /// Keeps only those that satisfy the rules of a schema for numbers.
    pub(super) fn restrict(&mut self, schema: &Object) {
        let said = schema
            .iter()
            .filter(|(name, _)| KEYWORDS.contains(&name.as_str()));
        let said: Object = said
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if said.is_empty() {
            return;
        }
        // A rule that does not compile is not enforced.
        let rule = Compiler::new(&IndexMap::new()).compile_full(&Json::Object(said));
        if let Ok(rule) = rule {
            self.0
                .iter_mut()
                .for_each(|some| some.rules.push(rule.clone()));
        }
    }

    pub(super) fn forget_rules(&mut self) {
        self.0.iter_mut().for_each(|some| some.rules.clear());
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        let pairs = self
            .0
            .iter()
            .flat_map(|a| other.0.iter().map(move |b| (a, b)));
        let both = pairs.map(|(a, b)| Range {
            only_integers: a.only_integers || b.only_integers,
            rules: a.rules.iter().chain(&b.rules).cloned().collect(),
        });
        Self::bounded(both)
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        Self::bounded(self.0.iter().chain(&other.0).cloned())
    }

    fn bounded(alternatives: impl Iterator<Item = Range>) -> Self {
        let kept: Vec<_> = alternatives.take(APART + 1).collect();
        if kept.len() > APART {
            Self::all()
        } else {
            Self(kept)
        }
    }
}
