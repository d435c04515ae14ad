//! The types of views, and what layers alone show.
//!
//! Views are made in `collect.rs` and cached by the nodes that they are about. They never change: when more is known
//! of a value, such as its alternative, that is another view.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use foldhash::fast::RandomState;

use crate::json::Json;
use crate::schema::context::SchemaContext;
use crate::schema::kinds::Kinds;
use crate::schema::tree::{Discriminator, Node, NodeId, SchemaTree, UnionKeyword, UnionRule};
use crate::schema::valid::Validator;

/// A cache of values that are never replaced.
type FrozenMap<K, V> = elsa::FrozenMap<K, V, RandomState>;

/// The schemas of a description, and the views of them so far.
pub struct SchemaViews<'j> {
    /// The schemas.
    pub tree: Rc<SchemaTree<'j>>,
    /// The views so far.
    pub(super) cached: FrozenMap<ViewKey, Box<View<'j>>>,
    /// The first node of each reference that has nothing beside it. All nodes like it have its view.
    pub(super) plain_references: FrozenMap<&'j str, &'j Node<'j>>,
    /// The layers of all views so far, without the first few of each.
    pub(super) counted_layers: Cell<usize>,
    /// The choices of unions, each beside the kinds that the other nodes of the value allow.
    pub(super) choices: FrozenMap<(*const UnionKeyword<'j>, OuterKinds), Box<UnionChoice<'j>>>,
    /// The alternatives of unions that are left beside the other properties of these nodes.
    pub(super) possible:
        FrozenMap<(*const UnionKeyword<'j>, OuterKinds, Vec<NodeId>), Box<Union<'j>>>,
    /// Decides whether values match. It is made when it is first needed.
    validator: OnceCell<Validator<'j>>,
    /// False if values go unchecked, as in the views from which checks are compiled.
    checks_values: bool,
    /// The view of an alternative that is ignored because there are too many.
    pub(super) too_much: OnceCell<View<'j>>,
    /// True for each union of which an alternative extends the node that lists it.
    pub(super) extended: RefCell<HashMap<*const UnionKeyword<'j>, bool>>,
    /// True for each node that nests more alternatives than the number beside it.
    pub(super) too_deep: RefCell<HashMap<(NodeId, usize), bool>>,
}

/// The subject of a view: the nodes that describe the value, and the alternatives that it is known
/// to be.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct ViewKey {
    /// The nodes that describe the value.
    pub(super) roots: Vec<NodeId>,
    /// The alternatives that the value is.
    pub(super) chosen: Vec<NodeId>,
    pub(super) unions: UnionDetail,
}

/// Selects how much of its unions a view has.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum UnionDetail {
    /// The alternatives that are left, and how they are told apart.
    Alternatives,
    /// The kinds that the alternatives leave. That looks into no property, which may lead back to the value.
    Kinds,
}

/// Returns the ids of nodes.
pub fn node_ids(nodes: &[&Node<'_>]) -> Vec<NodeId> {
    nodes.iter().map(|node| node.id).collect()
}

/// The kinds of a value, as far as its other nodes say.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct OuterKinds {
    /// The kinds other than null that the other nodes allow.
    pub(super) kinds: Kinds,
    /// True if they accept null; `None` if that is unknown.
    pub(super) takes_null: Option<bool>,
}

/// The choice that a union leaves.
pub(super) enum Choice<'t> {
    /// No alternative is possible.
    Nothing,
    /// One is left, which is no alternative.
    Only(&'t Node<'t>),
    /// Each is a value.
    Values(Vec<ListedValue<'t>>),
    /// Several are left. The union of them is made when it is needed.
    Among(Vec<Alternative<'t>>, OnceCell<Union<'t>>),
}

/// The choice that a union leaves, and its alternatives that are null.
pub(super) struct UnionChoice<'t> {
    pub(super) choice: Choice<'t>,
    /// The alternatives that are null.
    pub(super) nulls: Vec<&'t Node<'t>>,
    /// The alternatives of which no value is possible.
    pub(super) impossible: Vec<&'t Node<'t>>,
}

/// The constraints and texts of all schemas of one value, taken together.
#[derive(Clone)]
pub struct View<'t> {
    /// The views of the description that this one belongs to.
    pub views: &'t SchemaViews<'t>,
    /// The nodes that the view was made for.
    pub roots: Vec<&'t Node<'t>>,
    /// The alternatives that the value is assumed to be.
    pub chosen: Vec<&'t Node<'t>>,
    /// The nodes about the value, the outermost first.
    pub layers: Vec<Layer<'t>>,
    /// The kinds of values other than null.
    pub kinds: Kinds,
    /// True if null is accepted; `None` if that is unknown.
    pub takes_null: Option<bool>,
    /// The alternatives that stand for null. Their texts may say what null means.
    pub nulls: Vec<&'t Node<'t>>,
    /// The values other than null, if they are listed.
    pub listed: Option<Vec<ListedValue<'t>>>,
    /// The alternatives of the value other than null. A value may have several unions side by side.
    pub unions: Vec<Union<'t>>,
    /// The alternatives that can never occur, of those that were not reached by the name of a shared schema.
    pub impossible: Vec<&'t Node<'t>>,
    /// The parts that could not be read.
    pub unread: Vec<Unread<'t>>,
}

/// A node about a value.
#[derive(Debug, Clone, Copy)]
pub struct Layer<'t> {
    /// The node.
    pub node: &'t Node<'t>,
    /// The shared schema that the node belongs to, if it was reached by a reference.
    pub from: Option<&'t str>,
    /// The layer that leads to this one.
    pub(super) parent: Option<usize>,
}

/// A listed value, and the node that describes it, if it has a node of its own.
#[derive(Debug, Clone, Copy)]
pub struct ListedValue<'t> {
    /// The value.
    pub value: &'t Json,
    /// The alternative that is this value.
    pub about: Option<&'t Node<'t>>,
}

/// A part of the schemas of a value that could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread<'t> {
    /// A reference that is broken, or may be.
    Lost(&'t str),
    /// A schema that leads back to itself without a step into the value.
    Cycle,
    /// A part beyond the limits of expansion.
    TooMuch,
    /// A keyword whose value JSON Schema does not allow.
    Malformed(&'t str),
}

/// The alternatives of a value. Alternatives that other nodes of the value exclude are left out.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{Difference, SchemaContext, SchemaViews};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext::new(&components, Some(&[]));
/// let pet: Json = r#"{"oneOf": [
///     {"type": "object", "properties": {"is": {"const": "cat"}}, "required": ["is"]},
///     {"type": "object", "properties": {"is": {"const": "dog"}}, "required": ["is"]}
/// ]}"#.parse()?;
///
/// let views = SchemaViews::new(context);
/// let union = &views.view_of_schema(&pet).unions[0];
/// assert!(union.is_certain);
/// assert!(matches!(&union.difference, Difference::Tag { path, .. } if path == &["is"]));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Union<'t> {
    /// The alternatives other than null.
    pub alternatives: Vec<Alternative<'t>>,
    /// The number of alternatives that a value must match.
    pub rule: UnionRule,
    /// The difference between them.
    pub difference: Difference<'t>,
    /// True if the difference shows of every value which alternative it is. Otherwise, it does for most values.
    pub is_certain: bool,
    /// The property that tells them apart, if the author declares one.
    pub discriminator: Option<Discriminator<'t>>,
    /// The shared schema that lists them, if it was reached by a reference.
    pub from: Option<&'t str>,
}

/// An alternative of a value.
#[derive(Debug, Clone, Copy)]
pub struct Alternative<'t> {
    /// The node.
    pub node: &'t Node<'t>,
    /// The view of the alternative by itself.
    pub view: &'t View<'t>,
    /// The kinds of its values other than null that the other nodes of the value allow.
    pub kinds: Kinds,
}

/// A difference between alternatives.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference<'t> {
    /// The kind of the value.
    Kind,
    /// The value of a property, or of a property of a property.
    Tag {
        /// The names that lead to it.
        path: Vec<&'t str>,
        /// The values that it has in each alternative. There are none in one that is no object.
        values: Vec<Vec<&'t Json>>,
    },
    /// For each alternative, a property that no other one has. At most one alternative has none.
    Presence(Vec<Option<&'t str>>),
    /// The names of the properties that each requires.
    Required(Vec<Vec<&'t str>>),
    /// The titles of the alternatives, or the names of their types.
    Name,
    /// The schemas show no difference.
    Nothing,
}

/// The label that distinguishes an alternative from the others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Label<'t> {
    /// Its title, or the name of its type.
    Named(&'t str),
    /// The values of its tag, or its only value.
    Values(Vec<&'t Json>),
    /// The properties that it has, or requires.
    With(Vec<&'t str>),
    /// The properties of the others, which it lacks.
    Without(Vec<&'t str>),
}

impl<'j> SchemaViews<'j> {
    /// Creates the views of a description's schemas, without reading any of them.
    pub fn new(context: impl Into<SchemaContext<'j>>) -> Self {
        Self {
            tree: Rc::new(SchemaTree::new(context)),
            cached: FrozenMap::default(),
            plain_references: FrozenMap::default(),
            counted_layers: Cell::new(0),
            choices: FrozenMap::default(),
            possible: FrozenMap::default(),
            validator: OnceCell::new(),
            checks_values: true,
            too_much: OnceCell::new(),
            extended: RefCell::default(),
            too_deep: RefCell::default(),
        }
    }

    /// Creates views that check no values, of the schemas that a check is compiled from.
    pub(super) fn unchecked(tree: &'j SchemaTree<'_>) -> Self {
        Self {
            tree: Rc::new(SchemaTree::borrowed(tree)),
            checks_values: false,
            ..Self::new(tree.context())
        }
    }

    /// Returns whether a value satisfies a node. `None` if that cannot be decided.
    pub fn is_valid(&self, node: &Node<'j>, value: &Json) -> Option<bool> {
        if !self.checks_values {
            return None;
        }
        self.validator().is_valid(node.source, value)
    }

    /// Returns the validator of the schemas.
    pub fn validator(&self) -> &Validator<'j> {
        self.validator
            .get_or_init(|| Validator::for_tree(Rc::clone(&self.tree)))
    }
}

impl<'t> View<'t> {
    /// Creates the view of a value without constraints.
    pub(super) fn new(views: &'t SchemaViews<'t>) -> Self {
        Self {
            views,
            roots: Vec::new(),
            chosen: Vec::new(),
            layers: Vec::new(),
            kinds: Kinds::ALL.without(Kinds::NULL),
            takes_null: None,
            nulls: Vec::new(),
            listed: None,
            unions: Vec::new(),
            impossible: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Returns whether all schemas of the value could be read.
    pub fn is_complete(&self) -> bool {
        self.unread.is_empty()
    }

    /// Returns whether null is the only value that is accepted.
    pub fn is_only_null(&self) -> bool {
        self.kinds == Kinds::NONE && self.takes_null != Some(false)
    }

    /// Returns whether no value is accepted.
    pub fn is_nothing(&self) -> bool {
        self.kinds == Kinds::NONE && self.takes_null == Some(false)
    }

    /// Returns the nodes about the value, the outermost first.
    pub fn nodes(&self) -> impl Iterator<Item = &'t Node<'t>> {
        self.layers.iter().map(|layer| layer.node)
    }

    /// Returns the alternatives of all unions.
    pub fn alternatives(&self) -> impl Iterator<Item = &Alternative<'t>> {
        self.unions.iter().flat_map(|union| &union.alternatives)
    }

    /// Returns the nodes about the value that were not reached by the name of a shared schema.
    pub fn own_nodes(&self) -> impl Iterator<Item = &'t Node<'t>> {
        self.layers
            .iter()
            .filter(|layer| layer.from.is_none())
            .map(|layer| layer.node)
    }

    /// Returns the name of the shared schema that the value matches, if it has no other constraints.
    pub fn own_name(&self) -> Option<&'t str> {
        let [only] = self.names()[..] else {
            return None;
        };
        let has_own_union = self.unions.iter().any(|union| union.from.is_none());
        let constrains_more = !self.chosen.is_empty()
            || has_own_union
            || !self.own_nodes().all(|node| self.adds_nothing(node))
            || !self.has_kinds_of_names();
        if constrains_more { None } else { Some(only) }
    }

    /// Returns whether a layer constrains nothing that other layers do not. Of a union that leaves no
    /// alternative or a list of values, no branch is a layer.
    fn adds_nothing(&self, node: &Node<'_>) -> bool {
        node.only_combines()
            && node.unions.iter().all(|union| {
                union
                    .branches
                    .iter()
                    .any(|branch| self.nodes().any(|layer| layer.id == branch.id))
            })
    }

    /// Returns the view of the value as one of its alternatives: the constraints and texts of the value and of
    /// the alternative, taken together.
    pub fn choose(&self, alternative: &Alternative<'t>) -> &'t Self {
        let chosen = [&self.chosen[..], &[alternative.node]].concat();
        self.views
            .view_of(&self.roots, &chosen, UnionDetail::Alternatives)
    }

    /// Returns the view of the value if these nodes describe it too.
    pub(crate) fn with(&self, nodes: &[&'t Node<'t>]) -> &'t Self {
        let roots = [&self.roots[..], nodes].concat();
        self.views
            .view_of(&roots, &self.chosen, UnionDetail::Alternatives)
    }

    /// Returns the kinds of values, null included.
    pub fn all_kinds(&self) -> Kinds {
        match self.takes_null {
            Some(false) => self.kinds,
            _ => self.kinds | Kinds::NULL,
        }
    }

    /// Returns whether the value has no constraints.
    pub fn accepts_all(&self) -> bool {
        self.is_complete()
            && self.unions.is_empty()
            && self.listed.is_none()
            && self.all_kinds() == Kinds::ALL
            && self.nodes().all(Node::only_combines)
    }

    /// Returns whether all constraints apply to every value, whatever it is.
    pub fn is_of_each_value(&self) -> bool {
        self.unions.is_empty() && self.conditions().is_empty()
    }

    /// Returns whether the value can be of all kinds that its shared schemas allow.
    pub fn has_kinds_of_names(&self) -> bool {
        let mut kinds = Kinds::ALL;
        for name in self.names() {
            if let Some((_, node)) = self.views.tree.shared(name) {
                kinds = kinds & self.views.view(&[node]).all_kinds();
            }
        }
        kinds.within(self.all_kinds())
    }

    /// Returns the names of all shared schemas that are about the value.
    pub(crate) fn types(&self) -> impl Iterator<Item = &'t str> {
        self.layers.iter().filter_map(|layer| layer.from)
    }

    /// Returns the names of the value's shared schemas, the outermost ones: several if it is composed of
    /// several.
    pub fn names(&self) -> Vec<&'t str> {
        let mut names = Vec::new();
        for layer in &self.layers {
            let outer = layer.parent.and_then(|parent| self.layers[parent].from);
            if let (Some(name), None) = (layer.from, outer)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the tree, which has this view in it.
        f.debug_struct("View")
            .field("layers", &self.layers)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for SchemaViews<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchemaViews")
            .field("tree", &self.tree)
            .finish_non_exhaustive()
    }
}
