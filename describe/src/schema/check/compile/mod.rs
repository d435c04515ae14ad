//! Compiles schemas to checks.
//!
//! Thousands of procedures share components. Each is analysed once, when the compiler is created
//! ([`Facts`]), and compiled at most once, on first use.
//!
//! What cannot be compiled becomes a part of which nobody knows whether a value matches it, and is
//! noted as a mistake. Services refuse schemas with mistakes; tools use the rest.

mod containers;
mod evaluated;
mod facts;
mod place;
mod schema;
mod union;
mod words;

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use crate::json::{Json, Pointer};
use crate::pattern::Pattern;
use crate::schema::tree::SchemaTree;
use indexmap::IndexMap;

use super::compiled::Check;
use super::node::{FastMap, Link, SharedNode};
use facts::Facts;
use place::SchemaPlace;
pub use place::Unenforceable;

/// The most bytes that a character takes.
const MAX_UTF8_BYTES: usize = 4;

/// Compiles schemas that share components into checks.
#[derive(Debug)]
pub struct Compiler<'c> {
    tree: Rc<SchemaTree<'c>>,
    facts: OnceCell<Facts<'c>>,
    shared: Arc<SharedNode>,
    /// The slots that are referred to but not filled yet.
    pending: Vec<usize>,
    /// Marks the slots that are, or have been, pending.
    requested: Vec<bool>,
    /// The mistakes in each component itself.
    mistakes: Vec<Vec<Unenforceable>>,
    /// The patterns so far, or the reasons why they do not compile.
    patterns: FastMap<String, Result<Pattern, String>>,
    /// The maximum length of a text without `maxLength`, in bytes, if it is known.
    max_text_bytes: Option<usize>,
    formats: Formats<'c>,
    is_for_tools: bool,
    /// The number of schemas that may still be compiled.
    left: usize,
}

/// The formats that are checked.
#[derive(Debug, Clone, Copy)]
enum Formats<'c> {
    /// All that Docent knows.
    Known,
    /// Those in a list.
    Listed(&'c [String]),
    /// It is unknown which.
    Unsaid,
}

impl<'c> Compiler<'c> {
    /// Creates a compiler for schemas whose references, `#/components/schemas/{name}`, lead to
    /// `components`.
    pub fn new(components: &'c IndexMap<String, Json>) -> Self {
        Self::for_tree(Rc::new(SchemaTree::of(components)))
    }

    /// Creates a compiler for the schemas of a tree.
    pub(in crate::schema) fn for_tree(tree: Rc<SchemaTree<'c>>) -> Self {
        let slots = tree.context().components.len();
        Self {
            tree,
            facts: OnceCell::new(),
            shared: Arc::new(SharedNode {
                slots: (0..slots).map(|_| OnceLock::new()).collect(),
            }),
            pending: Vec::new(),
            requested: vec![false; slots],
            mistakes: vec![Vec::new(); slots],
            patterns: FastMap::default(),
            max_text_bytes: None,
            formats: Formats::Known,
            is_for_tools: false,
            left: usize::MAX,
        }
    }

    /// Sets the maximum length of a text without `maxLength`, in bytes. Patterns that could take too long
    /// to match such a text are then mistakes. Otherwise, only the text is left unmatched.
    pub fn max_text_bytes(mut self, most: usize) -> Self {
        self.max_text_bytes = Some(most);
        self
    }

    /// Compiles for a tool: also the keywords that services do not enforce, and the formats in a list.
    /// Without a list it is unknown which formats are enforced.
    pub fn for_tools(mut self, enforced_formats: Option<&'c [String]>) -> Self {
        self.formats = enforced_formats.map_or(Formats::Unsaid, Formats::Listed);
        self.is_for_tools = true;
        self
    }

    /// Limits the number of schemas that are compiled. It is unknown what the others allow.
    pub(in crate::schema) fn at_most(mut self, schemas: usize) -> Self {
        self.left = schemas;
        self
    }

    /// Returns whether more schemas may be compiled.
    pub(in crate::schema) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Returns the components.
    pub fn components(&self) -> &'c IndexMap<String, Json> {
        self.tree.context().components
    }

    fn facts(&self) -> &Facts<'c> {
        self.facts.get_or_init(|| Facts::new(&self.tree))
    }

    /// Returns whether a schema has constraints that serde's decoding does not enforce: others than
    /// structure, and the width of integers that `format` names.
    pub fn asserts_beyond_decoding(&self, schema: &Json) -> bool {
        self.facts().needs_check(&self.tree.read_once(schema))
    }

    /// Compiles the constraints of `schema`. Only formats that are not enforced are left out.
    ///
    /// # Errors
    /// Everything that cannot be enforced, in the schema and in the components that it uses.
    pub fn compile(&mut self, schema: &Json) -> Result<Check, Vec<Unenforceable>> {
        let (link, mut mistakes) = self.compiled(schema);
        if self.mistakes.iter().any(|mistakes| !mistakes.is_empty()) {
            for component in self.facts().reachable(schema) {
                mistakes.extend_from_slice(&self.mistakes[component]);
            }
        }
        if mistakes.is_empty() {
            Ok(Check::new(link, &self.shared, false))
        } else {
            Err(mistakes)
        }
    }

    /// Compiles as much of `schema` as can be checked.
    pub fn compile_leniently(&mut self, schema: &Json) -> Check {
        let (link, _) = self.compiled(schema);
        Check::new(link, &self.shared, true)
    }

    fn compiled(&mut self, schema: &Json) -> (Link, Vec<Unenforceable>) {
        let mut place = SchemaPlace::default();
        let node = self.tree.read_once(schema);
        let link = self.link(&node, &mut place);
        self.compile_pending();
        (link, place.mistakes)
    }

    /// Returns a link to a component, which is compiled before any check follows the link.
    fn component(&mut self, component: usize) -> Link {
        if !std::mem::replace(&mut self.requested[component], true) {
            self.pending.push(component);
        }
        Link::Component(component)
    }

    fn compile_pending(&mut self) {
        let tree = Rc::clone(&self.tree);
        while let Some(component) = self.pending.pop() {
            // Indexes come from this map, which does not change.
            let name = self.components().get_index(component);
            let Some((name, node)) = name.and_then(|(name, _)| tree.shared(name)) else {
                continue;
            };
            let mut place = SchemaPlace {
                pointer: Pointer::root()
                    .join("components")
                    .join("schemas")
                    .join(name),
                ..SchemaPlace::default()
            };
            // A tool's check of an endless component ends with its budget.
            let link = if !self.is_for_tools && self.facts().is_endless(component) {
                place.mistake("$ref", "refers directly to itself");
                Link::Unknown
            } else {
                self.link(node, &mut place)
            };
            self.mistakes[component] = place.mistakes;
            // A slot is pending only once, so it is still free.
            let _ = self.shared.slots[component].set(link);
        }
    }

    /// Returns a compiled pattern. The same pattern often occurs in many schemas.
    fn pattern(&mut self, text: &str) -> Result<Pattern, String> {
        if let Some(known) = self.patterns.get(text) {
            return known.clone();
        }
        let compiled = Pattern::new(text);
        self.patterns.insert(text.to_owned(), compiled.clone());
        compiled
    }

    /// Returns whether a text of this many characters could be longer than the pattern is matched in.
    fn is_slow(&self, pattern: &Pattern, characters: usize) -> bool {
        let longest = characters.saturating_mul(MAX_UTF8_BYTES);
        let longest = self.max_text_bytes.map(|most| most.min(longest));
        longest.is_some_and(|longest| !pattern.allows(longest))
    }
}
