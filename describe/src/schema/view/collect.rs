//! Makes views: collects the nodes of one value, and narrows its kinds and values to those that all of them allow.
//!
//! A node leads to others for the same value by a reference, by `allOf`, and by the only
//! alternative that is left of a union. All of them become layers. What remains of a union is
//! decided last, because the other nodes may exclude alternatives.

use std::collections::{HashMap, HashSet, VecDeque};
use std::iter;
use std::ops::BitAnd;

use foldhash::fast::RandomState;

use super::model::{
    Alternative, Choice, Layer, ListedValue, OuterKinds, SchemaViews, Union, UnionDetail, Unread,
    View, ViewKey, node_ids,
};
use super::unions::{choice_of, possible_union, union_among};
use crate::json::Json;
use crate::schema::kinds::{AcceptedKinds, Kinds};
use crate::schema::limits::{FREE_LAYERS, MAX_LAYERS, MAX_LAYERS_OF_DOCUMENT};
use crate::schema::tree::{Node, NodeId, Target, UnionKeyword};

impl<'t> SchemaViews<'t> {
    /// Returns the view of a value that all of these nodes describe.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{Kinds, SchemaContext, SchemaViews};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext::new(&components, Some(&[]));
    /// let schema: Json = r#"{"allOf": [{"type": "number"}, {"type": ["integer", "string"]}]}"#.parse()?;
    ///
    /// let views = SchemaViews::new(context);
    /// let view = views.view(&[views.tree.read(&schema)]);
    /// assert_eq!(view.kinds, Kinds::INTEGER);
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn view(&'t self, nodes: &[&'t Node<'t>]) -> &'t View<'t> {
        match nodes {
            [node] => self.view_of(&[self.first_like(node)], &[], UnionDetail::Alternatives),
            _ => self.view_of(nodes, &[], UnionDetail::Alternatives),
        }
    }

    /// Returns the first node that is the same reference as this one and nothing else, because thousands of members may
    /// be of one type with thousands of alternatives. Of any other node, returns the node itself.
    fn first_like(&'t self, node: &'t Node<'t>) -> &'t Node<'t> {
        let Some(reference) = node.plain_reference() else {
            return node;
        };
        match self.plain_references.get(reference) {
            Some(first) => first,
            None => self.plain_references.insert(reference, node),
        }
    }

    /// Returns the view of a value that a schema describes. The schema is not a shared one.
    pub fn view_of_schema(&'t self, schema: &'t Json) -> &'t View<'t> {
        self.view(&[self.tree.read(schema)])
    }

    /// Returns the view of a value that these nodes describe, and that is all of the `chosen`
    /// alternatives.
    pub(super) fn view_of(
        &'t self,
        roots: &[&'t Node<'t>],
        chosen: &[&'t Node<'t>],
        unions: UnionDetail,
    ) -> &'t View<'t> {
        let key = ViewKey {
            roots: node_ids(roots),
            chosen: node_ids(chosen),
            unions,
        };
        match self.cached.get(&key) {
            Some(cached) => cached,
            None => self
                .cached
                .insert(key, Box::new(make_view(self, roots, chosen, unions))),
        }
    }
}

/// Makes the view of a value that these nodes describe.
fn make_view<'t>(
    views: &'t SchemaViews<'t>,
    roots: &[&'t Node<'t>],
    chosen: &[&'t Node<'t>],
    unions: UnionDetail,
) -> View<'t> {
    let accepted = roots
        .iter()
        .map(|root| views.tree.kinds(root))
        .fold(AcceptedKinds::ANY, BitAnd::bitand);
    let mut collector = Collector {
        view: View {
            roots: roots.to_vec(),
            chosen: chosen.to_vec(),
            takes_null: accepted.takes_null(),
            ..View::new(views)
        },
        seen: HashMap::default(),
        pending_unions: VecDeque::new(),
        detail: unions,
    };
    for root in roots {
        collector.add(root, None, None);
    }
    if collector.view.is_complete() {
        // A value that two alternatives of `oneOf` accept is refused.
        collector.view.kinds = collector.view.kinds & accepted.some;
    }
    collector.view.drop_empty_kinds();
    // Alternatives are looked at last, when it is known which of them the other nodes exclude.
    while let Some((layer, union)) = collector.pending_unions.pop_front() {
        collector.choose(layer, union);
    }
    let mut view = collector.view;
    view.drop_empty_kinds();
    view.drop_refused_values();
    // Views are cached, and there may be very many.
    view.layers.shrink_to_fit();
    view
}

/// A view under construction.
struct Collector<'t> {
    /// The view so far.
    view: View<'t>,
    /// The nodes that are layers already, with the indexes of these.
    seen: HashMap<NodeId, usize, RandomState>,
    /// The unions still to be looked at, each with the layer that it stands in.
    pending_unions: VecDeque<(usize, &'t UnionKeyword<'t>)>,
    /// Selects if the view lists the alternatives that are left.
    detail: UnionDetail,
}

impl<'t> Collector<'t> {
    /// Adds a node, and those that it leads to for the same value.
    fn add(&mut self, node: &'t Node<'t>, from: Option<&'t str>, parent: Option<usize>) {
        let mut pending = vec![Layer { node, from, parent }];
        // The layers that lead to the next one, the outermost first. Without them, a node that many layers of a long
        // chain lead to would be looked for from each of them.
        let mut ancestors: Vec<usize> = self.with_ancestors(parent).collect();
        ancestors.reverse();
        while let Some(next) = pending.pop() {
            while ancestors.last().copied() > next.parent {
                ancestors.pop();
            }
            if let Some(seen) = self.seen.get(&next.node.id) {
                let leads_back = ancestors.binary_search(seen).is_ok();
                // The root may be the reference to the base that stands in the alternative.
                let base = self.view.views.tree.followed(next.node);
                if leads_back && !self.is_base(base, next.parent) {
                    self.view.unread.push(Unread::Cycle);
                }
                continue;
            }
            let index = self.view.layers.len();
            self.seen.insert(next.node.id, index);
            if !self.has_room() {
                self.view.unread.push(Unread::TooMuch);
                return;
            }
            self.add_layer(next);
            ancestors.push(index);
            // The last one that is added is taken first.
            for node in next.node.all_of.iter().rev() {
                pending.push(Layer {
                    node,
                    parent: Some(index),
                    ..next
                });
            }
            if let Some(reference) = next.node.reference {
                let (node, from) = match self.view.views.tree.target(reference) {
                    Target::Shared(name, node) => (node, Some(name)),
                    Target::Inside(node) => (node, next.from),
                    Target::Lost(text) => {
                        self.view.unread.push(Unread::Lost(text));
                        continue;
                    }
                };
                pending.push(Layer {
                    node,
                    from,
                    parent: Some(index),
                });
            }
        }
    }

    /// Returns whether the view may have another layer, and counts it.
    fn has_room(&self) -> bool {
        let layers = self.view.layers.len();
        if layers < FREE_LAYERS {
            return true;
        }
        let counted = self.view.views.counted_layers.get() + 1;
        self.view.views.counted_layers.set(counted);
        layers < MAX_LAYERS && counted <= MAX_LAYERS_OF_DOCUMENT
    }

    /// Adds a node as a layer, and narrows the view to the values that its own keywords allow.
    fn add_layer(&mut self, layer: Layer<'t>) {
        let node = layer.node;
        let index = self.view.layers.len();
        self.view.layers.push(layer);
        for keyword in &node.malformed {
            self.view.unread.push(Unread::Malformed(keyword));
        }
        self.view.kinds = self.view.kinds & node.own_kinds();
        if let Some(not) = node.not.as_deref() {
            let refused = self.view.views.tree.kinds(not).all;
            self.view.kinds = self.view.kinds.without(refused);
        }
        if let Some(values) = &node.listed {
            let mut listed = Vec::new();
            for value in values {
                if Kinds::of_value(value) != Kinds::NULL {
                    listed.push(ListedValue { value, about: None });
                }
            }
            self.view.narrow_to(listed);
        }
        for union in &node.unions {
            self.pending_unions.push_back((index, union));
        }
    }

    /// Returns whether a node that leads back to an outer one is the base of an alternative that is already taken.
    fn is_base(&self, base: &Node<'t>, layer: Option<usize>) -> bool {
        self.with_ancestors(layer).any(|outer| {
            let outer = self.view.layers[outer].node;
            base.unions
                .iter()
                .flat_map(|union| &union.branches)
                .any(|branch| {
                    branch.id == outer.id && self.view.views.tree.extension(branch, base).is_some()
                })
        })
    }

    /// Returns a layer and those that lead to it, the innermost first.
    fn with_ancestors(&self, layer: Option<usize>) -> impl Iterator<Item = usize> {
        iter::successors(layer, move |layer| self.view.layers[*layer].parent)
    }

    /// Adds the choice that a union leaves: the only alternative, a list of values, or several alternatives.
    fn choose(&mut self, layer: usize, keyword: &'t UnionKeyword<'t>) {
        let views = self.view.views;
        let base = self.view.layers[layer].node;
        if views.is_decided(base, keyword, |id| self.seen.contains_key(&id)) {
            return;
        }
        let outer = OuterKinds {
            kinds: self.view.kinds,
            takes_null: self.view.takes_null,
        };
        let found = choice_of(views, keyword, outer);
        self.view.nulls.extend(&found.nulls);
        let from = self.view.layers[layer].from;
        if from.is_none() {
            self.view.impossible.extend(&found.impossible);
        }
        let union = match &found.choice {
            Choice::Nothing => return self.view.kinds = Kinds::NONE,
            Choice::Only(node) => return self.add(node, from, Some(layer)),
            Choice::Values(values) => return self.view.narrow_to(values.clone()),
            Choice::Among(left, _) if self.detail == UnionDetail::Kinds => {
                return self.view.narrow_to_any(left);
            }
            Choice::Among(left, union) => union.get_or_init(|| union_among(keyword, left, outer)),
        };
        if let Some(node) = union.chosen(&self.view.chosen) {
            return self.add(node, from, Some(layer));
        }
        let possible = possible_union(&self.view, keyword, union, outer);
        if from.is_none() && possible.alternatives.len() < union.alternatives.len() {
            self.view.add_impossible(union, possible);
        }
        match &possible.alternatives[..] {
            [] => self.view.kinds = Kinds::NONE,
            [only] => self.add(only.node, from, Some(layer)),
            _ => self.view.add_union(Union {
                from,
                ..possible.clone()
            }),
        }
    }
}

impl<'t> View<'t> {
    /// Adds alternatives of which several are left.
    fn add_union(&mut self, union: Union<'t>) {
        self.narrow_to_any(&union.alternatives);
        self.unions.push(union);
    }

    /// Notes the alternatives of a union that are impossible.
    fn add_impossible(&mut self, union: &Union<'t>, possible: &Union<'t>) {
        let possible: HashSet<NodeId> = possible
            .alternatives
            .iter()
            .map(|alternative| alternative.node.id)
            .collect();
        for alternative in &union.alternatives {
            if !possible.contains(&alternative.node.id) {
                self.impossible.push(alternative.node);
            }
        }
    }

    /// Notes that only the kinds of these alternatives are accepted, beside null.
    fn narrow_to_any(&mut self, alternatives: &[Alternative<'t>]) {
        self.kinds =
            self.kinds & Kinds::any(alternatives.iter().map(|alternative| alternative.kinds));
    }

    /// Notes that only these values are accepted, beside null.
    fn narrow_to(&mut self, values: Vec<ListedValue<'t>>) {
        let Some(listed) = &mut self.listed else {
            self.listed = Some(values);
            return;
        };
        listed.retain_mut(|listed| {
            let Some(same) = values.iter().find(|other| other.value == listed.value) else {
                return false;
            };
            listed.about = listed.about.or(same.about);
            true
        });
    }

    /// Drops the listed values that something else refuses, if all schemas could be read, and the kinds
    /// without a listed value.
    fn drop_refused_values(&mut self) {
        let Some(mut listed) = self.listed.take() else {
            return;
        };
        if self.is_complete() {
            listed.retain(|listed| !self.refuses(listed.value));
        }
        let kinds = listed.iter().map(|listed| Kinds::of_value(listed.value));
        self.kinds = self.kinds & Kinds::any(kinds);
        self.listed = Some(listed);
    }
}
