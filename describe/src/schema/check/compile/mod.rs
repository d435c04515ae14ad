//! From schemas to checks.
//!
//! Thousands of procedures share components. Each is analysed once, when the compiler is created
//! ([`Facts`]), and compiled at most once in each [`Mode`], on first use.

mod containers;
mod facts;
mod place;
mod schema;
mod union;
mod words;

use std::sync::{Arc, OnceLock};

use crate::json::{Json, Pointer};
use crate::pattern::Pattern;
use crate::schema::KindsOf;
use indexmap::IndexMap;

use super::compiled::Check;
use super::node::{Link, Shared};
use super::string::PatternRule;
use crate::schema::check::FastMap;
use facts::Facts;
pub use place::Unenforceable;
use place::{Mode, Place};

/// The most characters of a text that is matched against a pattern, unless set otherwise.
pub const LONGEST: usize = 65_536;

/// Makes checks from schemas that share components.
#[derive(Debug)]
pub struct Compiler<'c> {
    facts: Facts<'c>,
    kinds: KindsOf<'c>,
    shared: Arc<Shared>,
    /// Slots that something refers to and that are not filled yet.
    pending: Vec<usize>,
    /// Which slots are, or were, pending.
    requested: Vec<bool>,
    /// What is wrong with each component, in itself.
    mistakes: Vec<Vec<Unenforceable>>,
    /// The regular expressions so far, or why they are none.
    patterns: FastMap<String, Result<Pattern, String>>,
    /// The most characters of a text that is matched against a pattern.
    max_pattern_chars: usize,
    /// The only formats that are checked. `None` stands for all that Docent knows.
    enforced_formats: Option<&'c [String]>,
}

impl<'c> Compiler<'c> {
    /// A compiler for schemas whose references, `#/components/schemas/{name}`, lead to
    /// `components`.
    pub fn new(components: &'c IndexMap<String, Json>) -> Self {
        let slots = components.len() * Mode::COUNT;
        Self {
            facts: Facts::new(components),
            kinds: KindsOf::new(components),
            shared: Arc::new(Shared {
                slots: (0..slots).map(|_| OnceLock::new()).collect(),
            }),
            pending: Vec::new(),
            requested: vec![false; slots],
            mistakes: vec![Vec::new(); components.len()],
            patterns: FastMap::default(),
            max_pattern_chars: LONGEST,
            enforced_formats: None,
        }
    }

    /// Sets the most characters of a text that is matched against a pattern.
    pub fn max_pattern_chars(mut self, most: usize) -> Self {
        self.max_pattern_chars = most;
        self
    }

    /// Checks these formats alone. Without this, all that Docent knows are checked.
    pub fn enforced_formats(mut self, formats: &'c [String]) -> Self {
        self.enforced_formats = Some(formats);
        self
    }

    /// The check of what `schema` promises beyond what serde's decoding guarantees, or `None` where
    /// it promises no more: structure, and the width of integers that `format` names.
    ///
    /// # Errors
    /// Everything in the schema, and in the components that it uses, that cannot be enforced.
    pub fn compile(&mut self, schema: &Json) -> Result<Option<Check>, Vec<Unenforceable>> {
        Ok(match self.compile_as(schema, Mode::Decoded)? {
            Link::Any => None,
            link => Some(Check::new(link, &self.shared)),
        })
    }

    /// The check of everything that `schema` asserts, structure included. Only
    /// `unevaluatedProperties` and formats that are not enforced are left out.
    ///
    /// # Errors
    /// Everything in the schema, and in the components that it uses, that cannot be enforced.
    pub fn compile_full(&mut self, schema: &Json) -> Result<Check, Vec<Unenforceable>> {
        let link = self.compile_as(schema, Mode::Full)?;
        Ok(Check::new(link, &self.shared))
    }

    fn compile_as(&mut self, schema: &Json, mode: Mode) -> Result<Link, Vec<Unenforceable>> {
        let mut place = Place::new(Pointer::root(), mode);
        let link = self.link(schema, &mut place);
        self.compile_pending();
        let mut mistakes = place.mistakes;
        if self.mistakes.iter().any(|mistakes| !mistakes.is_empty()) {
            for component in self.facts.reachable(schema) {
                mistakes.extend_from_slice(&self.mistakes[component]);
            }
        }
        if mistakes.is_empty() {
            Ok(link)
        } else {
            Err(mistakes)
        }
    }

    /// The link to a component, which will be compiled before anybody follows it.
    fn component(&mut self, component: usize, mode: Mode) -> Link {
        let slot = mode.slot(component);
        if !self.requested[slot] {
            self.requested[slot] = true;
            self.pending.push(slot);
        }
        if mode == Mode::Decoded && !self.facts.needs_check(component) {
            return Link::Any;
        }
        Link::Component(slot)
    }

    fn compile_pending(&mut self) {
        while let Some(slot) = self.pending.pop() {
            let (component, mode) = Mode::of_slot(slot);
            let (name, schema) = self.facts.component(component);
            let mut place = Place::new(
                Pointer::root()
                    .join("components")
                    .join("schemas")
                    .join(name),
                mode,
            );
            let link = if self.facts.is_endless(component) {
                place.mistake("$ref", "refers directly to itself");
                Link::Any
            } else {
                self.link(schema, &mut place)
            };
            // Both modes find the same mistakes.
            self.mistakes[component] = place.mistakes;
            // A slot is pending only once, so it is still free.
            let _ = self.shared.slots[slot].set(link);
        }
    }

    /// A compiled regular expression. The same pattern tends to stand in many schemas.
    fn pattern(&mut self, text: &str) -> Result<PatternRule, String> {
        let pattern = if let Some(known) = self.patterns.get(text) {
            known.clone()
        } else {
            let compiled = Pattern::new(text);
            self.patterns.insert(text.to_owned(), compiled.clone());
            compiled
        };
        Ok(PatternRule {
            pattern: pattern?,
            longest: self.max_pattern_chars,
        })
    }

    /// Returns the number of parts of a pattern that may be costly to match.
    pub fn burden(&mut self, text: &str) -> Option<u64> {
        self.pattern(text).ok()?.pattern.burden()
    }
}
