//! Compiles schemas to checks.
//!
//! Nodes of the tree come in, and links to rules go out, in the simplest form that refuses the same values:
//!
//! ```text
//! {}                                       Link::Any
//! {"$ref": "#/components/schemas/Id"}      Link::Component(3)
//! {"type": "string", "maxLength": 3}       Link::Schema: the kind string, and a rule for its length
//! ```
//!
//! `schema` compiles a node, and `containers`, `union` and `evaluated` its larger keywords. All of them report to a
//! `SchemaCursor`, which knows the pointer. What serde enforces is compiled too, because a parameter may need the whole
//! check. A schema is marked if it has anything that serde leaves to the check: `keywords` decides that, with the
//! [table](crate::schema::keyword) of all keywords.
//!
//! Thousands of procedures share components. Each is analysed once, for the first schema of a service
//! ([`ComponentGraph`]), and compiled at most once, on first use. A link to a component is its index, so recursive types
//! need no cycle of pointers.
//!
//! A part that cannot be compiled becomes `Link::Unknown`, and is noted as a mistake ([`Unenforceable`]). Services
//! refuse schemas with mistakes ([`Compiler::compile`]); tools use the rest ([`Compiler::compile_leniently`]).
//!
//! Nothing is merged here: each node is a rule of its own. Only the choice of an alternative looks at several nodes of
//! a value together: at the kinds that they accept (`SchemaTree::kinds`), and at the text that tells alternatives apart
//! (`SchemaTree::selection`, from views). That decides which alternative is tried, and never which values are accepted.

mod components;
mod containers;
mod cursor;
mod evaluated;
mod keywords;
mod schema;
mod union;

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use crate::json::{Json, Pointer};
use crate::pattern::Pattern;
use crate::schema::tree::SchemaTree;
use indexmap::IndexMap;

use super::compiled::Check;
use super::rules::{CompiledComponents, Link};
use components::ComponentGraph;
use cursor::SchemaCursor;
pub use cursor::Unenforceable;

/// The most bytes that a character takes.
const MAX_UTF8_BYTES: usize = 4;

/// Compiles schemas that share components into checks.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::check::Compiler;
///
/// let components = indexmap::IndexMap::new();
/// let schema: Json = r#"{"type": "string", "maxLength": 3}"#.parse()?;
/// let check = Compiler::new(&components).compile(&schema).unwrap();
/// assert!(check.check(r#""abc""#).is_ok());
///
/// let violation = check.check(r#""abcd""#).unwrap_err();
/// assert_eq!(violation.reason, "expected at most 3 characters, found 4");
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Compiler<'c> {
    /// The schemas.
    tree: Rc<SchemaTree<'c>>,
    /// Facts about all components, once a service needs them.
    graph: OnceCell<ComponentGraph<'c>>,
    /// The components that have been compiled, for the checks to follow.
    compiled_components: Arc<CompiledComponents>,
    /// The components that are referred to but not compiled yet.
    pending: Vec<usize>,
    /// True for each component that is, or has been, pending.
    requested: Vec<bool>,
    /// The mistakes in each component itself.
    mistakes: Vec<Vec<Unenforceable>>,
    /// The maximum length of a text without `maxLength`, in bytes, if it is known.
    max_text_bytes: Option<usize>,
    /// The formats that are checked.
    formats: Formats<'c>,
    /// True for tools, for which all keywords are compiled.
    is_for_tools: bool,
    /// The number of schemas that may still be compiled.
    schemas_left: usize,
}

/// The formats that are checked.
#[derive(Debug, Clone, Copy)]
enum Formats<'c> {
    /// All formats that Docent knows.
    Known,
    /// The formats in a list.
    Listed(&'c [String]),
    /// The description lists no formats.
    Unlisted,
}

impl<'c> Compiler<'c> {
    /// Creates a compiler for schemas whose references, `#/components/schemas/{name}`, lead to
    /// `components`.
    pub fn new(components: &'c IndexMap<String, Json>) -> Self {
        Self::for_tree(Rc::new(SchemaTree::with_components(components)))
    }

    /// Creates a compiler for the schemas of a tree.
    pub(in crate::schema) fn for_tree(tree: Rc<SchemaTree<'c>>) -> Self {
        let count = tree.context().components.len();
        Self {
            tree,
            graph: OnceCell::new(),
            compiled_components: Arc::new(CompiledComponents {
                links: (0..count).map(|_| OnceLock::new()).collect(),
            }),
            pending: Vec::new(),
            requested: vec![false; count],
            mistakes: vec![Vec::new(); count],
            max_text_bytes: None,
            formats: Formats::Known,
            is_for_tools: false,
            schemas_left: usize::MAX,
        }
    }

    /// Sets the maximum length of a text without `maxLength`, in bytes. A pattern that could take too long for
    /// such a text is then a mistake. Without this, a text that takes too long is not matched.
    pub fn max_text_bytes(mut self, most: usize) -> Self {
        self.max_text_bytes = Some(most);
        self
    }

    /// Compiles for a tool, including keywords that services do not enforce and the formats in this list.
    /// Without a list, it is unknown which formats are enforced.
    pub fn for_tools(mut self, enforced_formats: Option<&'c [String]>) -> Self {
        self.formats = enforced_formats.map_or(Formats::Unlisted, Formats::Listed);
        self.is_for_tools = true;
        self
    }

    /// Limits the number of schemas that are compiled. All others have an unknown result.
    pub(in crate::schema) fn at_most(mut self, schemas: usize) -> Self {
        self.schemas_left = schemas;
        self
    }

    /// Returns whether more schemas may be compiled.
    pub(in crate::schema) fn has_room(&self) -> bool {
        self.schemas_left > 0
    }

    /// Returns the components.
    pub fn components(&self) -> &'c IndexMap<String, Json> {
        self.tree.context().components
    }

    /// Returns the facts about all components, which are found when they are first needed.
    fn graph(&self) -> &ComponentGraph<'c> {
        self.graph.get_or_init(|| ComponentGraph::new(&self.tree))
    }

    /// Returns whether a schema has constraints that serde does not enforce while it decodes: any but those on
    /// structure, and on the width of integers that `format` names.
    pub fn asserts_beyond_decoding(&self, schema: &Json) -> bool {
        self.graph().needs_check(&self.tree.read_once(schema))
    }

    /// Compiles the constraints of `schema`. Only formats that are not enforced are left out.
    ///
    /// # Errors
    /// The unenforceable constraints of the schema and of the components that it uses.
    pub fn compile(&mut self, schema: &Json) -> Result<Check, Vec<Unenforceable>> {
        let (link, mut mistakes) = self.compile_root(schema);
        if self.mistakes.iter().any(|mistakes| !mistakes.is_empty()) {
            for component in self.graph().reachable(schema) {
                mistakes.extend_from_slice(&self.mistakes[component]);
            }
        }
        if mistakes.is_empty() {
            Ok(Check::new(link, &self.compiled_components, false))
        } else {
            Err(mistakes)
        }
    }

    /// Compiles as much of `schema` as can be checked.
    pub fn compile_leniently(&mut self, schema: &Json) -> Check {
        let (link, _) = self.compile_root(schema);
        Check::new(link, &self.compiled_components, true)
    }

    /// Returns a compiled schema, and the mistakes in the schema itself.
    fn compile_root(&mut self, schema: &Json) -> (Link, Vec<Unenforceable>) {
        let mut cursor = SchemaCursor::default();
        let node = self.tree.read_once(schema);
        let link = self.compile_node(&node, &mut cursor);
        self.compile_pending();
        (link, cursor.mistakes)
    }

    /// Returns a link to a component, which is compiled before any check follows the link.
    fn link_to_component(&mut self, component: usize) -> Link {
        if !std::mem::replace(&mut self.requested[component], true) {
            self.pending.push(component);
        }
        Link::Component(component)
    }

    /// Compiles the components that are referred to, and those that they refer to.
    fn compile_pending(&mut self) {
        let tree = Rc::clone(&self.tree);
        while let Some(component) = self.pending.pop() {
            // Indexes come from this map, which does not change.
            let name = self.components().get_index(component);
            let Some((name, node)) = name.and_then(|(name, _)| tree.shared(name)) else {
                continue;
            };
            let mut cursor = SchemaCursor {
                pointer: Pointer::root()
                    .join("components")
                    .join("schemas")
                    .join(name),
                ..SchemaCursor::default()
            };
            // A tool's check of an endless component ends with its budget.
            let link = if !self.is_for_tools && self.graph().is_endless(component) {
                cursor.mistake("$ref", "refers directly to itself");
                Link::Unknown
            } else {
                self.compile_node(node, &mut cursor)
            };
            self.mistakes[component] = cursor.mistakes;
            // A component is pending only once, so it has not been compiled.
            let _ = self.compiled_components.links[component].set(link);
        }
    }

    /// Returns whether a text of this many characters could be longer than the pattern is matched
    /// in.
    fn is_slow(&self, pattern: &Pattern, characters: usize) -> bool {
        let Some(max_text_bytes) = self.max_text_bytes else {
            return false;
        };
        let longest = characters.saturating_mul(MAX_UTF8_BYTES);
        !pattern.allows(longest.min(max_text_bytes))
    }
}
