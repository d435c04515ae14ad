//! The tree: each schema of a description as one node, with typed keywords.
//!
//! ```text
//! {"type": "string", "maxLength": 3, "x-unit": "m"}
//! Node { types: STRING, strings: { length: at most 3 }, extensions: ["x-unit"] }
//!
//! SchemaTree::new(context)   the components of a description; nothing is read yet
//!   .read(&schema)  ─► &Node     a schema of a parameter or a result, kept by its address
//!   .shared("Dog")  ─► &Node     a component, read when it is first needed, and once
//!   .target(node.reference)  ─► Target: a component, a schema inside one, or lost
//! ```
//!
//! The JSON of schemas comes in as it was written, and nodes that borrow from it go out (`read`). Reading never fails:
//! a keyword with a value that JSON Schema does not allow is listed as malformed, and an unknown one as an extension.
//! Deriving `Deserialize` would be shorter, but would give up at the first such keyword, in documents that others have
//! written.
//!
//! Nothing is merged here, and a reference is a name: `{"$ref": "#/components/schemas/Dog", "required": ["id"]}` is one
//! node, whatever `Dog` is. The [view](super::view) combines the typed fields of all nodes of one value, and the
//! [check](super::check) is compiled from them. The [table](super::keyword) has what each keyword may hold, and whether
//! it constrains anything. Nodes are numbered ([`NodeId`]), so that views and checks can cache what they find by node.
//!
//! Walks over the schemas inside a node go through [`Node::for_each_part`] (`parts`). Code that shows or compares how a
//! schema is written, rather than what it means, gets keywords by name (`written`). Methods of the tree that do more
//! than read are outside this folder: `kinds` that a node accepts (`schema/accepted`), whether an alternative is an
//! `extension` of its base (`schema/extension`), and the `selection` of an alternative (`schema/view/apart`).

mod node;
mod parts;
mod read;
mod values;
mod written;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;

use elsa::FrozenMap;
use foldhash::fast::RandomState;
use indexmap::IndexMap;

pub use node::{
    ArrayKeywords, Discriminator, IfKeyword, Node, NodeId, ObjectKeywords, PropertyTest, Reference,
    StringKeywords, UnionKeyword, UnionRule,
};
pub use parts::{Part, PartName};
use read::Reader;
pub use values::{Annotations, NumberKeywords, Span};

use super::component_names::{component_entered, component_name, resolve};
use super::context::SchemaContext;
use super::kinds::AcceptedKinds;
use super::limits::MAX_LAYERS;
use crate::json::Json;
use crate::pattern::Pattern;

/// Schemas that share components.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{SchemaContext, SchemaTree};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext::new(&components, Some(&[]));
/// let schema: Json = r#"{"type": "string", "maxLength": 3}"#.parse()?;
///
/// let tree = SchemaTree::new(context);
/// let node = tree.read(&schema);
/// assert_eq!(node.strings.as_ref().and_then(|strings| strings.length.most), Some(3));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
pub struct SchemaTree<'j> {
    /// The shared schemas as they are written, and the formats that are checked.
    context: SchemaContext<'j>,
    /// The shared schemas that have been read, by their indexes in the description.
    shared: FrozenMap<usize, Box<Node<'j>>, RandomState>,
    /// The other schemas that have been read, by their addresses.
    roots: FrozenMap<*const Json, Box<Node<'j>>>,
    /// The number of the next node.
    next_id: Cell<u32>,
    /// The patterns so far, or the reasons why they do not compile.
    patterns: RefCell<HashMap<String, Result<Pattern, String>, RandomState>>,
    /// The kinds of values that nodes accept, as far as they are known.
    pub(super) kinds: RefCell<HashMap<NodeId, AcceptedKinds, RandomState>>,
    /// The tree whose nodes these are, if they belong to another.
    pub(super) owner: Option<&'j dyn NodeOwner>,
}

/// A tree of schemas that live as long or longer. A tree that borrows its nodes uses what it has found of them already.
pub(super) trait NodeOwner {
    /// See [`SchemaTree::target`].
    fn target<'t>(&'t self, reference: Reference<'t>) -> Target<'t>;
    /// See [`SchemaTree::kinds`].
    fn kinds<'t>(&'t self, node: &'t Node<'t>) -> AcceptedKinds;
}

impl NodeOwner for SchemaTree<'_> {
    fn target<'t>(&'t self, reference: Reference<'t>) -> Target<'t> {
        self.target(reference)
    }

    fn kinds<'t>(&'t self, node: &'t Node<'t>) -> AcceptedKinds {
        self.kinds(node)
    }
}

/// The node that a reference leads to.
#[derive(Debug, Clone, Copy)]
pub enum Target<'t> {
    /// A shared schema, by name.
    Shared(&'t str, &'t Node<'t>),
    /// A schema inside a shared one.
    Inside(&'t Node<'t>),
    /// No schema of the description, or an unknown one.
    Lost(&'t str),
}

impl<'t> Target<'t> {
    /// Returns the node that the reference leads to.
    pub fn node(self) -> Option<&'t Node<'t>> {
        match self {
            Self::Shared(_, node) | Self::Inside(node) => Some(node),
            Self::Lost(_) => None,
        }
    }
}

impl<'j> SchemaTree<'j> {
    /// Creates the tree of a description's schemas, without reading any of them.
    pub fn new(context: impl Into<SchemaContext<'j>>) -> Self {
        Self {
            context: context.into(),
            shared: FrozenMap::default(),
            roots: FrozenMap::new(),
            next_id: Cell::new(0),
            patterns: RefCell::default(),
            kinds: RefCell::default(),
            owner: None,
        }
    }

    /// Creates the tree of schemas that share components. It is unknown which formats are checked.
    pub fn with_components(components: &'j IndexMap<String, Json>) -> Self {
        Self::new(SchemaContext::new(components, None))
    }

    /// Creates a tree of the nodes of another one, which is borrowed for a shorter time than its
    /// schemas.
    pub(super) fn borrowed(owner: &'j SchemaTree<'_>) -> Self {
        Self {
            owner: Some(owner),
            ..Self::new(owner.context())
        }
    }

    /// Returns the shared schemas, and the formats that are checked.
    pub fn context(&self) -> SchemaContext<'j> {
        self.context
    }

    /// Returns a reader that numbers the nodes of this tree.
    fn reader(&self) -> Reader<'_> {
        Reader {
            next_id: &self.next_id,
        }
    }

    /// Returns the node of a schema that is not shared. It is read when it is first needed.
    pub fn read(&self, schema: &'j Json) -> &Node<'j> {
        let address = std::ptr::from_ref(schema);
        match self.roots.get(&address) {
            Some(cached) => cached,
            None => self
                .roots
                .insert(address, Box::new(self.reader().node(schema))),
        }
    }

    /// Returns the node of a schema that may not live as long as the tree, and does not store it.
    pub(super) fn read_once<'s>(&self, schema: &'s Json) -> Node<'s> {
        self.reader().node(schema)
    }

    /// Returns a shared schema and its name as the description has it.
    pub fn shared(&self, name: &str) -> Option<(&'j str, &Node<'j>)> {
        let components: &'j IndexMap<String, Json> = self.context.components;
        let (index, name, schema) = components.get_full(name)?;
        let node = match self.shared.get(&index) {
            Some(cached) => cached,
            None => self
                .shared
                .insert(index, Box::new(self.reader().node(schema))),
        };
        Some((name, node))
    }

    /// Returns the node that a reference leads to.
    pub fn target<'t>(&'t self, reference: Reference<'t>) -> Target<'t> {
        if let Some(owner) = self.owner {
            return owner.target(reference);
        }
        let text = match reference {
            Reference::Static(text) => text,
            Reference::Dynamic(text) => return Target::Lost(text),
        };
        let target = match component_name(text) {
            Some(name) => self
                .shared(&name)
                .map(|(name, node)| Target::Shared(name, node)),
            None => self.node_inside_shared(text).map(Target::Inside),
        };
        target.unwrap_or(Target::Lost(text))
    }

    /// Follows references as long as each is a node's only constraint, and returns the node at the end.
    pub fn followed<'t>(&'t self, node: &'t Node<'t>) -> &'t Node<'t> {
        let mut followed = node;
        for _ in 0..MAX_LAYERS {
            let Some(reference) = followed.only_reference() else {
                break;
            };
            let Some(target) = self.target(reference).node() else {
                break;
            };
            followed = target;
        }
        followed
    }

    /// Returns the node of a schema inside a shared one.
    fn node_inside_shared(&self, reference: &str) -> Option<&Node<'j>> {
        let (_, shared) = self.shared(&component_entered(reference)?)?;
        let source = resolve(reference, self.context.components)?;
        let mut pending = vec![shared];
        while let Some(node) = pending.pop() {
            if std::ptr::eq(node.source, source) {
                return Some(node);
            }
            node.for_each_child(&mut |child| pending.push(child));
        }
        // No keyword leads there.
        Some(self.read(source))
    }

    /// Returns whether a pattern matches somewhere in a text. `None` if it is not a pattern, or if finding out
    /// would take too long.
    pub fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        self.pattern(pattern).ok()?.try_match(text)
    }

    /// Returns a compiled pattern. The same pattern often occurs in many schemas.
    ///
    /// # Errors
    /// The reason why it does not compile.
    pub(super) fn pattern(&self, text: &str) -> Result<Pattern, String> {
        if let Some(cached) = self.patterns.borrow().get(text) {
            return cached.clone();
        }
        let compiled = Pattern::new(text);
        self.patterns
            .borrow_mut()
            .insert(text.to_owned(), compiled.clone());
        compiled
    }
}

impl fmt::Debug for SchemaTree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchemaTree")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
