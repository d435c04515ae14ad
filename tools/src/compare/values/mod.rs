//! Compares the values of parameters, results and errors' data.
//!
//! Two schemas and their use ([`SchemaUse`]) come in, and [`ValueDifference`]s go out, each with its pointer, its
//! sentence and, where there is one, a value that shows it. In a parameter,
//!
//! ```json
//! {"type": "object", "properties": {"pages": {"type": "integer", "maximum": 100}}}
//! {"type": "object", "properties": {"pages": {"type": "integer", "maximum": 50}}}
//! ```
//!
//! is one difference at `/properties/pages`: `maximum` was 100 and is 50, and 51 is rejected that was accepted.
//!
//! ```text
//! SchemaComparison::differences ─► Walk, from pair to pair of values
//!     compare_views   keywords, objects, unions, annotations: propose ValueDifferences { effect: Lost, Gained, … }
//!     reconcile       the inclusion of the whole schemas at this place decides which of them stand
//! Effect::rule        what an effect means to callers: Lost is `param-narrowed` or `return-narrowed`
//! ```
//!
//! Several schemas may constrain one value: what is behind a `$ref`, the keywords beside it, the parts of `allOf`. So
//! the views of both sides are compared, and the nodes of the tree tell where. Comparing the schemas keyword by
//! keyword, as they are written, would be simpler, but then moving a keyword into a shared type would be two changes
//! instead of none.
//!
//! A stricter keyword changes nothing if another one was as strict before. That is why keywords only propose, and
//! [`InclusionChecker`] decides. `keywords.rs` compares a value itself, `objects.rs` its members and elements,
//! `unions.rs` its alternatives, and `annotations.rs` what is said of it to readers.

mod add;
mod annotations;
mod difference;
mod keywords;
mod objects;
mod reconcile;
mod union_context;
mod unions;

use std::collections::{HashMap, HashSet, VecDeque};

use indexmap::IndexMap;

use crate::inclusion::InclusionChecker;
use crate::limits::{MAX_DEPTH_OF_PAIRS, MAX_PAIRS, MAX_PAIRS_EVER};
use crate::places::Places;
use difference::Effect;
use docent_describe::json::{Json, Pointer};
use docent_describe::schema::{
    Node, NodeId, ReferenceGraph, SchemaViews, View, all_references, node_ids,
};
use union_context::{UnionContext, is_union_against_value};

pub(super) use difference::{SchemaUse, ValueDifference, quoted_or_none};

/// The nodes of a value in both descriptions.
type PairKey = (Vec<NodeId>, Vec<NodeId>);

/// The schemas of both descriptions.
pub(super) struct SchemaComparison<'t> {
    old: ComparedSchemas<'t>,
    new: ComparedSchemas<'t>,
    /// Decides whether a new schema includes an old one: whether every value that was accepted still is.
    new_includes_old: InclusionChecker<'t>,
    /// Decides whether an old schema includes a new one: whether every value that is accepted always was.
    old_includes_new: InclusionChecker<'t>,
    /// The components that are identical in both, with all that they refer to.
    unchanged: HashSet<&'t str>,
    /// The differences between values, by their nodes and by whether they are of parameters.
    compared: HashMap<(PairKey, bool), Vec<ValueDifference>>,
    /// The maximum number of steps of each of the two questions of inclusion.
    max_steps: usize,
    /// The number of pairs that have been compared.
    compared_pairs: usize,
    /// The number of pairs after which schemas are compared as a whole.
    max_pairs: usize,
}

/// The schemas of one description, and their places.
struct ComparedSchemas<'t> {
    views: &'t SchemaViews<'t>,
    /// The places of the schemas that have been compared so far.
    places: Places,
}

impl<'t> ComparedSchemas<'t> {
    /// Begins with the shared schemas that changed.
    fn new(views: &'t SchemaViews<'t>, unchanged: &HashSet<&str>) -> Self {
        let start = Pointer::root().join("components").join("schemas");
        let mut places = Places::default();
        for name in views.tree.context().components.keys() {
            if !unchanged.contains(name.as_str())
                && let Some((name, node)) = views.tree.shared(name)
            {
                places.add(node, start.join(name));
            }
        }
        Self { views, places }
    }

    /// Reads a schema, and remembers where it is.
    fn read(&mut self, schema: &'t Json, place: &Pointer) -> &'t Node<'t> {
        let node = self.views.tree.read(schema);
        self.places.add(node, place.clone());
        node
    }

    /// Returns the place of the first of some nodes, or that of the value that they are part of.
    fn place(&self, nodes: &[&Node<'t>], outer: &Pointer) -> Pointer {
        nodes
            .first()
            .and_then(|node| self.places.get(node))
            .unwrap_or(outer)
            .clone()
    }
}

/// A value in both descriptions, and its places.
#[derive(Clone)]
struct ValuePair<'t> {
    /// The nodes that all describe it.
    old: Vec<&'t Node<'t>>,
    new: Vec<&'t Node<'t>>,
    old_pointer: Pointer,
    new_pointer: Pointer,
    /// The shared schema that the path begins in, if it is that of both descriptions.
    shared: Option<String>,
    /// The path to the place for readers, such as `books[].title`.
    path: String,
}

impl ValuePair<'_> {
    fn key(&self) -> PairKey {
        (node_ids(&self.old), node_ids(&self.new))
    }
}

impl<'t> SchemaComparison<'t> {
    /// Begins the comparison. Each of the two questions of inclusion may take `max_steps`, for all schemas together.
    pub(super) fn new(
        old: &'t SchemaViews<'t>,
        new: &'t SchemaViews<'t>,
        max_steps: usize,
    ) -> Self {
        let before = old.tree.context();
        let after = new.tree.context();
        let unchanged = if before.enforced_formats == after.enforced_formats {
            unchanged_components(before.components, after.components)
        } else {
            HashSet::new()
        };
        Self {
            old: ComparedSchemas::new(old, &unchanged),
            new: ComparedSchemas::new(new, &unchanged),
            new_includes_old: InclusionChecker::new(old, new),
            old_includes_new: InclusionChecker::new(new, old),
            unchanged,
            compared: HashMap::new(),
            max_steps,
            compared_pairs: 0,
            max_pairs: MAX_PAIRS_EVER,
        }
    }

    /// Begins a procedure, which `later` ones of all `procedures` follow. No procedure is left out because of those
    /// before it: half of a limit is divided evenly, and the other half is for those that need more.
    pub(super) fn begin_procedure(&mut self, later: usize, procedures: usize) {
        for includes in [&mut self.new_includes_old, &mut self.old_includes_new] {
            let spent = includes.spent();
            includes.allow(share(self.max_steps, spent, later, procedures));
        }
        let pairs = share(MAX_PAIRS_EVER, self.compared_pairs, later, procedures);
        self.max_pairs = self.compared_pairs + pairs;
    }

    /// Returns whether there were too many steps or pairs to compare all of the procedure.
    pub(super) fn is_over_budget(&self) -> bool {
        self.compared_pairs > self.max_pairs
            || self.new_includes_old.is_over_budget()
            || self.old_includes_new.is_over_budget()
    }

    /// Returns whether two schemas are identical, with all that they refer to.
    pub(super) fn is_unchanged(&self, old: &Json, new: &Json) -> bool {
        let before = self.old.views.tree.context();
        let after = self.new.views.tree.context();
        before.enforced_formats == after.enforced_formats
            && old == new
            && all_references(old, &|name| self.unchanged.contains(name))
    }

    /// Returns whether the nodes of a value are identical, one by one.
    fn are_unchanged(&self, old: &[&Node<'t>], new: &[&Node<'t>]) -> bool {
        old.len() == new.len()
            && old
                .iter()
                .zip(new)
                .all(|(old, new)| self.is_unchanged(old.source, new.source))
    }

    /// Returns the differences between two schemas at these places.
    pub(super) fn differences(
        &mut self,
        old: &'t Json,
        old_pointer: &Pointer,
        new: &'t Json,
        new_pointer: &Pointer,
        schema_use: &SchemaUse,
    ) -> Vec<ValueDifference> {
        if self.is_unchanged(old, new) {
            return Vec::new();
        }
        let pair = ValuePair {
            old: vec![self.old.read(old, old_pointer)],
            new: vec![self.new.read(new, new_pointer)],
            old_pointer: old_pointer.clone(),
            new_pointer: new_pointer.clone(),
            shared: None,
            path: String::new(),
        };
        let mut walk = Walk {
            is_input: matches!(schema_use, SchemaUse::Input(_)),
            schemas: self,
            visited: HashSet::new(),
            depth: 0,
            deeper: VecDeque::new(),
            found: Vec::new(),
        };
        let pair = walk.follow_references(&pair, None).unwrap_or(pair);
        let key = (pair.key(), walk.is_input);
        if let Some(differences) = walk.schemas.compared.get(&key) {
            walk.found.extend_from_slice(differences);
            return walk.found;
        }
        let start = walk.found.len();
        walk.compare_pair(&pair, None);
        while let Some(pair) = walk.deeper.pop_front() {
            walk.compare_pair(&pair, None);
        }
        walk.found
            .retain(|difference| !matches!(difference.effect, Effect::Elsewhere | Effect::Deeper));
        let found = walk.found;
        // With more steps, there may be other differences.
        if !self.is_over_budget() {
            self.compared.insert(key, found[start..].to_vec());
        }
        found
    }
}

/// Returns how much of a limit there is for a procedure that `later` ones follow.
fn share(limit: usize, spent: usize, later: usize, procedures: usize) -> usize {
    let each = limit / 2 / procedures;
    limit.saturating_sub(spent + each * later).max(each)
}

/// Returns the names of the components that are identical in both descriptions, with all that they refer to.
fn unchanged_components<'t>(
    old: &'t IndexMap<String, Json>,
    new: &IndexMap<String, Json>,
) -> HashSet<&'t str> {
    let changed = old
        .iter()
        .enumerate()
        .filter(|(_, (name, schema))| new.get(*name) != Some(*schema))
        .map(|(index, _)| index);
    let affected = ReferenceGraph::new(old).reversed().reach(changed);
    let mut unchanged = HashSet::new();
    for (index, name) in old.keys().enumerate() {
        if !affected.contains(&index) {
            unchanged.insert(name.as_str());
        }
    }
    unchanged
}

/// A walk through a value in both descriptions, which collects the differences.
struct Walk<'w, 't> {
    schemas: &'w mut SchemaComparison<'t>,
    /// True if values come from callers, so that lost values break callers.
    is_input: bool,
    /// The pairs that were compared on this walk, since schemas may refer to themselves.
    visited: HashSet<PairKey>,
    /// The number of pairs that the current one is inside of.
    depth: usize,
    /// The pairs that are too deep to be compared inside those that contain them.
    deeper: VecDeque<ValuePair<'t>>,
    /// The differences so far.
    found: Vec<ValueDifference>,
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between what two lists of nodes say of a value inside another.
    fn compare_inner(
        &mut self,
        pair: &ValuePair<'t>,
        old: Vec<&'t Node<'t>>,
        new: Vec<&'t Node<'t>>,
        path: &str,
    ) {
        let inner = self.inner_pair(pair, old, new, path);
        self.compare_value(&inner, None);
    }

    /// Returns the pair of a value inside another, which these nodes describe.
    fn inner_pair(
        &self,
        pair: &ValuePair<'t>,
        old: Vec<&'t Node<'t>>,
        new: Vec<&'t Node<'t>>,
        path: &str,
    ) -> ValuePair<'t> {
        ValuePair {
            old_pointer: self.schemas.old.place(&old, &pair.old_pointer),
            new_pointer: self.schemas.new.place(&new, &pair.new_pointer),
            old,
            new,
            shared: pair.shared.clone(),
            path: format!("{}{path}", pair.path),
        }
    }

    /// Finds the differences of a value: what stands beside references is compared first, and then what they lead to.
    fn compare_value(&mut self, pair: &ValuePair<'t>, context: Option<&UnionContext<'t>>) {
        match self.follow_references(pair, context) {
            // The annotations of the context have been compared with those beside the references.
            Some(target) => self.compare_pair(&target, None),
            None => self.compare_pair(pair, context),
        }
    }

    /// Returns the old and the new view of a value.
    fn views(&self, pair: &ValuePair<'t>) -> (&'t View<'t>, &'t View<'t>) {
        (
            self.schemas.old.views.view(&pair.old),
            self.schemas.new.views.view(&pair.new),
        )
    }

    /// Returns the pair of shared schemas that both sides refer to, after comparing what stands beside the references.
    /// Returns `None` if one of the sides is more than a reference, or than null beside one.
    fn follow_references(
        &mut self,
        pair: &ValuePair<'t>,
        context: Option<&UnionContext<'t>>,
    ) -> Option<ValuePair<'t>> {
        let old = shared_schema(self.schemas.old.views, &pair.old)?;
        let new = shared_schema(self.schemas.new.views, &pair.new)?;
        // Keywords beside a reference are about this place only.
        self.compare_annotations(pair, &pair.old, &pair.new, context);
        let mut target = ValuePair {
            old_pointer: self.schemas.old.place(&[old], &pair.old_pointer),
            new_pointer: self.schemas.new.place(&[new], &pair.new_pointer),
            old: vec![old],
            new: vec![new],
            ..pair.clone()
        };
        let tokens: Vec<String> = target.new_pointer.tokens().collect();
        if let [components, _, name] = &tokens[..]
            && components == "components"
            && target.old_pointer == target.new_pointer
        {
            target.shared = Some(name.clone());
            target.path.clear();
        }
        if pair.old[0].only_reference().is_none() || pair.new[0].only_reference().is_none() {
            // Null may be accepted beside a shared schema, and not have been, or the other way round.
            let (old, new) = self.views(pair);
            let (old_target, new_target) = self.views(&target);
            if old.takes_null != old_target.takes_null || new.takes_null != new_target.takes_null {
                self.compare_null(pair, old.takes_null, new.takes_null);
            }
        }
        Some(target)
    }

    /// Finds the differences of a value, unless it has been compared before or is too deep.
    ///
    /// `context` is there if the value is an alternative on one side only. Its annotations may differ where the value
    /// itself did not change.
    fn compare_pair(&mut self, pair: &ValuePair<'t>, context: Option<&UnionContext<'t>>) {
        if context.is_none() && self.schemas.are_unchanged(&pair.old, &pair.new) {
            return;
        }
        let key = pair.key();
        self.schemas.compared_pairs += 1;
        if self.visited.contains(&key) {
            // The change is reported at the first place where it was found.
            self.add(pair, Effect::Elsewhere, "change.value.rewritten");
            return;
        }
        if self.visited.len() == MAX_PAIRS {
            self.add(pair, Effect::Undecided, "change.value.undecided");
            return;
        }
        if self.depth == MAX_DEPTH_OF_PAIRS {
            self.add(pair, Effect::Deeper, "change.value.rewritten");
            self.deeper.push_back(pair.clone());
            return;
        }
        self.visited.insert(key);
        let start = self.found.len();
        self.depth += 1;
        let (old, new) = self.views(pair);
        // The annotations of a union that is compared with a value are compared with those of the value, later.
        if !is_union_against_value(old, new) {
            let old_nodes: Vec<_> = old.nodes().collect();
            let new_nodes: Vec<_> = new.nodes().collect();
            self.compare_annotations(pair, &old_nodes, &new_nodes, context);
        }
        self.compare_partial_schemas(pair, old, new);
        if self.schemas.compared_pairs <= self.schemas.max_pairs {
            self.compare_views(pair, old, new);
        }
        self.depth -= 1;
        self.reconcile(pair, start);
    }

    /// Compares what two views say of a value. Listed values and alternatives say everything, so the rest is compared
    /// only without them.
    fn compare_views(&mut self, pair: &ValuePair<'t>, old: &'t View<'t>, new: &'t View<'t>) {
        if new.is_nothing() && !old.is_nothing() {
            return self.add(pair, Effect::Lost, "change.value.nothing");
        }
        if self.compare_listed(pair, old, new) {
            return;
        }
        self.compare_null(pair, old.takes_null, new.takes_null);
        if self.compare_alternatives(pair, old, new) {
            return;
        }
        self.compare_constraints(pair, old, new);
        if old.kinds.meet(new.kinds) {
            self.compare_members(pair, old, new);
            self.compare_elements(pair, old, new);
        }
    }
}

/// Returns the shared schema that nodes are, beside null, if they ask nothing else.
fn shared_schema<'t>(views: &'t SchemaViews<'t>, nodes: &[&'t Node<'t>]) -> Option<&'t Node<'t>> {
    let &[node] = nodes else {
        return None;
    };
    if node.only_reference().is_some() {
        return Some(views.tree.followed(node));
    }
    let view = views.view(nodes);
    let name = view.own_name().filter(|_| !view.nulls.is_empty())?;
    let (_, target) = views.tree.shared(name)?;
    Some(views.tree.followed(target))
}
