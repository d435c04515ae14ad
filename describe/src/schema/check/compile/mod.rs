//! Compiles schemas to checks.
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

/// The default for the maximum length of a text that is matched against a pattern, in characters.
pub const LONGEST: usize = 65_536;

/// Compiles schemas that share components into checks.
#[derive(Debug)]
pub struct Compiler<'c> {
    facts: Facts<'c>,
    kinds: KindsOf<'c>,
    shared: Arc<Shared>,
    /// The slots that are referred to but not filled yet.
    pending: Vec<usize>,
    /// Marks the slots that are, or have been, pending.
    requested: Vec<bool>,
    /// The mistakes in each component itself.
    mistakes: Vec<Vec<Unenforceable>>,
    /// The patterns so far, or the reasons why they do not compile.
    patterns: FastMap<String, Result<Pattern, String>>,
    /// The maximum length of a text that is matched against a pattern, in characters.
    max_pattern_chars: usize,
    /// The only formats that are checked; `None` for all that Docent knows.
    enforced_formats: Option<&'c [String]>,
}

impl<'c> Compiler<'c> {
    /// Creates a compiler for schemas whose references, `#/components/schemas/{name}`, lead to
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

    /// Sets the maximum length of a text that is matched against a pattern, in characters.
    pub fn max_pattern_chars(mut self, most: usize) -> Self {
        self.max_pattern_chars = most;
        self
    }

    /// Restricts the formats that are checked. By default, all that Docent knows are checked.
    pub fn enforced_formats(mut self, formats: &'c [String]) -> Self {
        self.enforced_formats = Some(formats);
        self
    }

    /// Returns the components.
    pub fn components(&self) -> &'c IndexMap<String, Json> {
        self.facts.components()
    }

    /// Compiles the constraints of `schema` that serde's decoding does not enforce. Returns `None`
    /// if it has only constraints that decoding enforces: structure, and the width of integers that
    /// `format` names.
    ///
    /// # Errors
    /// Everything that cannot be enforced, in the schema and in the components that it uses.
    pub fn compile(&mut self, schema: &Json) -> Result<Option<Check>, Vec<Unenforceable>> {
        Ok(match self.compile_as(schema, Mode::Decoded)? {
            Link::Any => None,
            link => Some(Check::new(link, &self.shared)),
        })
    }

    /// Compiles all constraints of `schema`, including structure. Only `unevaluatedProperties` and
    /// formats that are not enforced are left out.
    ///
    /// # Errors
    /// Everything that cannot be enforced, in the schema and in the components that it uses.
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

    /// Returns a link to a component, which is compiled before any check follows the link.
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

    /// Returns a compiled pattern. The same pattern often occurs in many schemas.
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
}
