//! Compares the values of parameters, results and errors' data.
//!
//! What all schemas of a value say is compared with what all schemas of it said, wherever they say it, so that a
//! change is reported at its own place. At every place on the way, the inclusion of one in the other decides what
//! matters: a difference that neither removes nor adds values is only another notation.

mod annotations;
mod found;
mod keywords;
mod objects;
mod tell;
mod unions;

use std::collections::{HashMap, HashSet, VecDeque};

use indexmap::IndexMap;

use super::pairs::Both;
use super::phrase::phrase;
use super::rule::Rule;
use crate::inclusion::{Includes, Inclusion};
use crate::limits::{MAX_DEPTH_OF_PAIRS, MAX_PAIRS, MAX_PAIRS_EVER};
use crate::places::Places;
use docent_describe::json::{Json, Pointer};
use docent_describe::schema::{
    Node, NodeId, References, SchemaViews, View, all_references, node_ids,
};
use found::Effect;

pub(super) use found::{Difference, SchemaUse, shown_or_none};

/// The nodes of a value in both descriptions.
type PairKey = (Vec<NodeId>, Vec<NodeId>);

/// The schemas of both descriptions.
pub(super) struct SchemaComparison<'t> {
    old: Version<'t>,
    new: Version<'t>,
    /// Answers whether new schemas include old ones.
    kept: Includes<'t>,
    /// Answers whether old schemas include new ones.
    known: Includes<'t>,
    /// The components that are identical in both, with all that they refer to.
    unchanged: HashSet<&'t str>,
    /// The differences between values, by their nodes and by whether they are of parameters.
    compared: HashMap<(PairKey, bool), Vec<Difference>>,
    /// The number of pairs that may still be compared part by part.
    left: usize,
}

/// The schemas of one description, and their places.
struct Version<'t> {
    views: &'t SchemaViews<'t>,
    places: Places,
}

impl<'t> Version<'t> {
    /// Begins with the shared schemas that changed.
    fn new(views: &'t SchemaViews<'t>, unchanged: &HashSet<&str>) -> Self {
        let start = Pointer::root().join("components").join("schemas");
        let mut places = Places::default();
        for name in views.tree.context().components.keys() {
            let changed = Some(name).filter(|name| !unchanged.contains(name.as_str()));
            if let Some((name, node)) = changed.and_then(|name| views.tree.shared(name)) {
                places.add(node, start.join(name));
            }
        }
        Self { views, places }
    }

    fn read(&mut self, schema: &'t Json, place: &Pointer) -> &'t Node<'t> {
        let node = self.views.tree.read(schema);
        self.places.add(node, place.clone());
        node
    }

    /// Returns the place of the first of some nodes, or that of what is around them.
    fn place(&self, nodes: &[&Node<'t>], around: &Pointer) -> Pointer {
        nodes
            .first()
            .and_then(|node| self.places.of(node))
            .unwrap_or(around)
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
    way: String,
}

impl ValuePair<'_> {
    fn key(&self) -> PairKey {
        (node_ids(&self.old), node_ids(&self.new))
    }
}

impl<'t> SchemaComparison<'t> {
    pub(super) fn new(old: &'t SchemaViews<'t>, new: &'t SchemaViews<'t>) -> Self {
        let (before, after) = (old.tree.context(), new.tree.context());
        let unchanged = if before.enforced_formats == after.enforced_formats {
            unchanged((before.components, after.components))
        } else {
            HashSet::new()
        };
        Self {
            old: Version::new(old, &unchanged),
            new: Version::new(new, &unchanged),
            kept: Includes::new(old, new),
            known: Includes::new(new, old),
            unchanged,
            compared: HashMap::new(),
            left: MAX_PAIRS_EVER,
        }
    }

    /// Returns whether two schemas are identical, with all that they refer to.
    pub(super) fn is_unchanged(&self, (old, new): Both<'_, Json>) -> bool {
        let (before, after) = (self.old.views.tree.context(), self.new.views.tree.context());
        before.enforced_formats == after.enforced_formats
            && old == new
            && all_references(old, &|name| self.unchanged.contains(name))
    }

    /// Returns whether the nodes of a value are identical, one by one.
    fn are_unchanged(&self, old: &[&Node<'t>], new: &[&Node<'t>]) -> bool {
        let mut pairs = old.iter().zip(new);
        old.len() == new.len()
            && pairs.all(|(old, new)| self.is_unchanged((old.source, new.source)))
    }

    /// Returns the differences between two schemas at these places.
    pub(super) fn differences(
        &mut self,
        schemas: Both<'t, Json>,
        places: Both<'_, Pointer>,
        site: &SchemaUse,
    ) -> Vec<Difference> {
        if self.is_unchanged(schemas) {
            return Vec::new();
        }
        let pair = ValuePair {
            old: vec![self.old.read(schemas.0, places.0)],
            new: vec![self.new.read(schemas.1, places.1)],
            old_pointer: places.0.clone(),
            new_pointer: places.1.clone(),
            shared: None,
            way: String::new(),
        };
        let mut walk = Walk {
            values: self,
            is_input: matches!(site, SchemaUse::Input(_)),
            visited: HashSet::new(),
            depth: 0,
            deeper: VecDeque::new(),
            around: None,
            found: Vec::new(),
        };
        let pair = walk.followed(pair);
        let key = (pair.key(), walk.is_input);
        if let Some(known) = walk.values.compared.get(&key) {
            walk.found.extend_from_slice(known);
        } else {
            let start = walk.found.len();
            walk.targets(&pair);
            while let Some(pair) = walk.deeper.pop_front() {
                walk.targets(&pair);
            }
            walk.found
                .retain(|it| !matches!(it.effect, Effect::Elsewhere | Effect::Deeper));
            walk.values
                .compared
                .insert(key, walk.found[start..].to_vec());
        }
        walk.found
    }
}

fn unchanged<'t>(
    (old, new): (&'t IndexMap<String, Json>, &'t IndexMap<String, Json>),
) -> HashSet<&'t str> {
    let schemas = old.iter().enumerate();
    let changed =
        schemas.filter_map(|(at, (name, schema))| (new.get(name) != Some(schema)).then_some(at));
    let reached = References::new(old).reversed().reach(changed);
    old.keys()
        .map(String::as_str)
        .enumerate()
        .filter(|(at, _)| !reached.contains(at))
        .map(|(_, name)| name)
        .collect()
}

/// A walk through a value in both descriptions.
struct Walk<'w, 't> {
    values: &'w mut SchemaComparison<'t>,
    /// True if values come from callers, so that lost values break callers.
    is_input: bool,
    visited: HashSet<PairKey>,
    /// The number of pairs around the current one.
    depth: usize,
    /// The pairs that are too deep to be compared inside those around them.
    deeper: VecDeque<ValuePair<'t>>,
    /// The nodes of the choice that the next value is an alternative of, if only one description has a choice. Their
    /// annotations are about the value too.
    around: Option<[Vec<&'t Node<'t>>; 2]>,
    found: Vec<Difference>,
}

impl<'t> Walk<'_, 't> {
    /// Finds the differences between what two lists of nodes say of a value inside another.
    fn inner(
        &mut self,
        pair: &ValuePair<'t>,
        old: Vec<&'t Node<'t>>,
        new: Vec<&'t Node<'t>>,
        way: &str,
    ) {
        let inner = ValuePair {
            old_pointer: self.values.old.place(&old, &pair.old_pointer),
            new_pointer: self.values.new.place(&new, &pair.new_pointer),
            old,
            new,
            shared: pair.shared.clone(),
            way: format!("{}{way}", pair.way),
        };
        let inner = self.followed(inner);
        self.targets(&inner);
    }

    fn views(&self, pair: &ValuePair<'t>) -> Both<'t, View<'t>> {
        (
            self.values.old.views.view(&pair.old),
            self.values.new.views.view(&pair.new),
        )
    }

    /// Returns the pair of the shared schemas that both schemas of a pair are, beside null.
    fn followed(&mut self, pair: ValuePair<'t>) -> ValuePair<'t> {
        let targets = (
            shared(self.values.old.views, &pair.old),
            shared(self.values.new.views, &pair.new),
        );
        let (Some(old), Some(new)) = targets else {
            return pair;
        };
        // What stands beside a reference is about this place only.
        self.annotations(&pair, &pair.old, &pair.new);
        let mut target = ValuePair {
            old_pointer: self.values.old.place(&[old], &pair.old_pointer),
            new_pointer: self.values.new.place(&[new], &pair.new_pointer),
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
            target.way.clear();
        }
        let is_reference = |nodes: &[&Node<'t>]| nodes[0].only_reference().is_some();
        if !is_reference(&pair.old) || !is_reference(&pair.new) {
            // Null may be accepted beside a shared schema, and not have been, or the other way round.
            let nulls = |(old, new): Both<'t, View<'t>>| (old.takes_null, new.takes_null);
            let here = nulls(self.views(&pair));
            if here != nulls(self.views(&target)) {
                self.null(&pair, here);
            }
        }
        target
    }

    fn targets(&mut self, pair: &ValuePair<'t>) {
        if self.around.is_none() && self.values.are_unchanged(&pair.old, &pair.new) {
            return;
        }
        let key = pair.key();
        self.values.left = self.values.left.saturating_sub(1);
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
        let views = self.views(pair);
        let [old, new] = [views.0, views.1].map(|view| view.nodes().collect::<Vec<_>>());
        if !Self::is_one_alternative(views) {
            self.annotations(pair, &old, &new);
        }
        self.asides(pair, views);
        if self.values.left > 0 {
            self.differences(pair, views);
        }
        self.depth -= 1;
        self.settle(pair, start);
    }

    fn differences(&mut self, pair: &ValuePair<'t>, views: Both<'t, View<'t>>) {
        let (old, new) = views;
        if new.is_nothing() && !old.is_nothing() {
            return self.add(pair, Effect::Lost, "change.value.nothing");
        }
        if self.listed(pair, views) {
            return;
        }
        self.null(pair, (old.takes_null, new.takes_null));
        if self.alternatives(pair, views) {
            return;
        }
        self.constraints(pair, views);
        if old.kinds.meet(new.kinds) {
            self.members(pair, views);
            self.elements(pair, views);
        }
    }

    /// Returns whether both schemas take the same values.
    fn is_rewritten(&mut self, pair: &ValuePair<'t>) -> bool {
        let kept = self.values.kept.ask(&pair.old, &pair.new);
        kept == Inclusion::Yes && self.values.known.ask(&pair.new, &pair.old) == kept
    }

    /// Adjusts the differences from `start` on to the answers for the whole schema.
    fn settle(&mut self, pair: &ValuePair<'t>, start: usize) {
        if self.found[start..]
            .iter()
            .any(|it| it.effect == Effect::Deeper)
        {
            // It cannot be told what the whole takes, so what was found stands for itself.
            return self.explain(pair, start, (&Inclusion::Unknown, &Inclusion::Unknown));
        }
        let kept = self.values.kept.ask(&pair.old, &pair.new);
        let known = self.values.known.ask(&pair.new, &pair.old);
        let is_same = kept == Inclusion::Yes && known == Inclusion::Yes;
        for mut one in self.found.split_off(start) {
            let Some(loses) = one.effect.loses() else {
                if !is_same
                    || !matches!(
                        one.effect,
                        Effect::Of(Rule::PatternChanged) | Effect::MemberAdded
                    )
                {
                    self.found.push(one);
                }
                continue;
            };
            // What shows a difference between alternatives may match another one, too.
            if one.way == pair.way {
                one.witness
                    .take_if(|(loses, value)| !self.is_witness(pair, *loses, value));
            }
            match if loses { &kept } else { &known } {
                Inclusion::Yes => continue,
                Inclusion::Unknown if loses == self.is_input => one.undecided(),
                Inclusion::No(value)
                    if loses == self.is_input
                        && one.witness.is_none()
                        && matches!(one.effect, Effect::Lost | Effect::Gained) =>
                {
                    one.witness = Some((loses, value.clone()));
                }
                _ => {}
            }
            self.found.push(one);
        }
        let (breaking, other) = if self.is_input {
            (kept, known)
        } else {
            (known, kept)
        };
        self.explain(pair, start, (&breaking, &other));
    }

    /// Returns whether a value may be one that only the old schema accepts, or only the new one.
    fn is_witness(&self, pair: &ValuePair<'t>, loses: bool, value: &Json) -> bool {
        let old = (self.values.old.views, &pair.old);
        let new = (self.values.new.views, &pair.new);
        let (taker, refuser) = if loses { (old, new) } else { (new, old) };
        let is_taken = |node: &&'t Node<'t>| taker.0.is_valid(node, value) != Some(false);
        let is_refused = |node: &&'t Node<'t>| refuser.0.is_valid(node, value) != Some(true);
        taker.1.iter().all(is_taken) && refuser.1.iter().any(is_refused)
    }

    /// Adds a difference between the schemas as a whole, if the differences that were found do not
    /// explain it.
    fn explain(
        &mut self,
        pair: &ValuePair<'t>,
        start: usize,
        (breaking, other): (&Inclusion, &Inclusion),
    ) {
        let found = &self.found[start..];
        let (old, new) = self.views(pair);
        let whole = |loses: bool, value: &Json| {
            let (effect, key) = if loses {
                (Effect::Lost, "change.value.fewer")
            } else {
                (Effect::Gained, "change.value.more")
            };
            let detail = Self::changed_keyword((old, new)).unwrap_or_else(|| phrase(key, &[]));
            Difference {
                witness: Some((loses, value.clone())),
                ..pair.difference(effect, detail)
            }
        };
        // A value that one alternative of `oneOf` gains may be lost because another takes it too.
        let is_exclusive = Self::has_one_of(old) || Self::has_one_of(new);
        let explains = |one: &Difference| {
            if is_exclusive && one.effect == Effect::Deeper {
                return false;
            }
            let is_open_format =
                one.effect == Effect::Of(Rule::FormatChanged) && *breaking == Inclusion::Unknown;
            one.effect.explains(self.is_input) || is_open_format
        };
        let added = match (breaking, other) {
            (Inclusion::Yes, Inclusion::No(value)) => {
                let is_told = found
                    .iter()
                    .any(|one| one.effect != Effect::Of(Rule::WordsChanged));
                (!is_told).then(|| whole(!self.is_input, value))
            }
            (Inclusion::Yes, _) => {
                let is_rewritten = found.iter().all(|one| one.effect == Effect::Elsewhere)
                    && !self.values.kept.say_same(&pair.old, &pair.new);
                let detail = phrase("change.value.rewritten", &[]);
                is_rewritten.then(|| pair.difference(Effect::Of(Rule::SchemaRewritten), detail))
            }
            _ if found.iter().any(explains) => None,
            (Inclusion::No(value), _) => Some(whole(self.is_input, value)),
            (Inclusion::Unknown, _) => {
                let detail = phrase("change.value.undecided", &[]);
                let mut whole = pair.difference(Effect::Undecided, detail);
                if let Some(changed) = Self::changed_keyword((old, new)) {
                    whole.detail = changed;
                    whole.undecided();
                }
                Some(whole)
            }
        };
        self.found.extend(added);
    }
}

/// Returns the shared schema that nodes are, beside null, if they ask nothing else.
fn shared<'t>(views: &'t SchemaViews<'t>, nodes: &[&'t Node<'t>]) -> Option<&'t Node<'t>> {
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
