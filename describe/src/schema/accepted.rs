//! The kinds of values that a node accepts, found once for each node.
//!
//! They depend on the nodes alone. A search that takes too many steps ends with "unknown": all
//! kinds may be accepted, and none is certain to be. A view starts from these kinds, so it never accepts more.

use std::cell::RefMut;
use std::collections::{HashMap, HashSet};
use std::ops::{BitAnd, BitOr, Not};

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use super::kinds::{AcceptedKinds, Kinds};
use super::limits::{MAX_LAYERS, MAX_ROUNDS};
use super::tree::{Node, NodeId, SchemaTree, UnionKeyword, UnionRule};
use crate::json::Json;

/// Returns the kinds of values that a schema accepts.
pub(super) fn accepted(schema: &Json, components: &IndexMap<String, Json>) -> AcceptedKinds {
    let tree = SchemaTree::with_components(components);
    tree.kinds(&tree.read_once(schema))
}

impl SchemaTree<'_> {
    /// Returns the kinds of values that a node accepts.
    pub fn kinds<'t>(&'t self, node: &'t Node<'t>) -> AcceptedKinds {
        if let Some(owner) = self.owner {
            return owner.kinds(node);
        }
        let mut search = KindSearch {
            tree: self,
            found: self.kinds.borrow_mut(),
        };
        search.search(node);
        search.kinds_so_far(node)
    }
}

/// The search for the kinds of a node, which may depend on those of many others.
struct KindSearch<'t, 'j> {
    /// The tree whose nodes are looked into.
    tree: &'t SchemaTree<'j>,
    /// The kinds that nodes with others for the same value accept, as far as they have been found.
    found: RefMut<'t, HashMap<NodeId, AcceptedKinds, RandomState>>,
}

impl<'t> KindSearch<'t, '_> {
    /// Finds the kinds of a node, and of those for the same value.
    fn search(&mut self, node: &'t Node<'t>) {
        let mut entered = HashSet::new();
        let mut nodes = Vec::new();
        let mut pending = vec![node];
        // This is a list and not a recursion, because schemas may be nested deeper than the call
        // stack. A node is taken off when it is the last one again, after those that it leads to.
        while let Some(&node) = pending.last() {
            let is_open = !is_alone(node) && !self.found.contains_key(&node.id);
            if is_open && entered.insert(node.id) {
                pending.extend(self.target(node));
                node.for_each_part(&mut |part, child| {
                    if part.is_of_same_value() {
                        pending.push(child);
                    }
                });
            } else {
                pending.pop();
                if is_open {
                    nodes.push(node);
                }
            }
            if entered.len() > MAX_LAYERS {
                return self.give_up(entered);
            }
        }
        // A schema that leads back to itself needs several rounds, until nothing changes.
        for _ in 0..MAX_ROUNDS {
            let mut is_settled = true;
            for node in &nodes {
                let kinds = self.combined(node);
                is_settled &= self.found.insert(node.id, kinds) == Some(kinds);
            }
            if is_settled {
                return;
            }
        }
        self.give_up(entered);
    }

    /// Notes that it is unknown what these nodes accept.
    fn give_up(&mut self, nodes: HashSet<NodeId>) {
        for id in nodes {
            self.found.insert(id, AcceptedKinds::UNKNOWN);
        }
    }

    /// Returns the node that the reference of a node leads to.
    fn target(&self, node: &Node<'t>) -> Option<&'t Node<'t>> {
        self.tree.target(node.reference?).node()
    }

    /// Returns the kinds that a node accepts, as far as they have been found.
    fn kinds_so_far(&self, node: &Node<'_>) -> AcceptedKinds {
        if is_alone(node) {
            return AcceptedKinds::of_keywords(node);
        }
        self.found
            .get(&node.id)
            .copied()
            .unwrap_or(AcceptedKinds::CYCLE)
    }

    /// Returns the kinds that a node and those for the same value accept together.
    fn combined(&self, node: &'t Node<'t>) -> AcceptedKinds {
        let mut kinds = AcceptedKinds::of_keywords(node);
        if node.reference.is_some() {
            let target = match self.target(node) {
                Some(target) => self.kinds_so_far(target),
                None => AcceptedKinds::UNKNOWN,
            };
            kinds = kinds & target;
        }
        for part in &node.all_of {
            kinds = kinds & self.kinds_so_far(part);
        }
        for union in &node.unions {
            kinds = kinds & self.union(node, union);
        }
        if let Some(not) = node.not.as_deref() {
            kinds = kinds & !self.kinds_so_far(not);
        }
        if let Some(condition) = node.condition.as_deref() {
            let holds = self.kinds_in_condition(Some(&condition.holds));
            let then = self.kinds_in_condition(condition.then.as_ref());
            let otherwise = self.kinds_in_condition(condition.otherwise.as_ref());
            kinds = kinds & (!holds | then) & (holds | otherwise);
        }
        kinds
    }

    /// Returns the kinds that a node of a condition accepts, or all if there is no node. One that leads back to itself
    /// excludes nothing.
    fn kinds_in_condition(&self, node: Option<&Node<'_>>) -> AcceptedKinds {
        match node {
            Some(node) if is_alone(node) => AcceptedKinds::of_keywords(node),
            Some(node) => self
                .found
                .get(&node.id)
                .copied()
                .unwrap_or(AcceptedKinds::UNKNOWN),
            None => AcceptedKinds::ANY,
        }
    }

    /// Returns the kinds that a union of a node accepts.
    fn union(&self, base: &Node<'t>, union: &'t UnionKeyword<'t>) -> AcceptedKinds {
        let mut any = AcceptedKinds::NOTHING;
        let mut several = AcceptedKinds::NOTHING;
        for branch in &union.branches {
            let kinds = match self.tree.extension(branch, base) {
                Some(nodes) => AcceptedKinds {
                    some: nodes
                        .iter()
                        .fold(Kinds::ALL, |kinds, node| kinds & node.own_kinds()),
                    all: Kinds::NONE,
                },
                None => self.kinds_so_far(branch),
            };
            several = several | (any & kinds);
            any = any | kinds;
        }
        match union.rule {
            UnionRule::OneOrMore => any,
            UnionRule::ExactlyOne => any & !several,
        }
    }
}

/// Returns whether the kinds that a node accepts follow from its own keywords.
fn is_alone(node: &Node<'_>) -> bool {
    node.not.is_none() && node.is_alone()
}

impl AcceptedKinds {
    /// No values.
    const NOTHING: Self = Self {
        some: Kinds::NONE,
        all: Kinds::NONE,
    };

    /// All values of all kinds.
    pub(super) const ANY: Self = Self {
        some: Kinds::ALL,
        all: Kinds::ALL,
    };

    /// Possibly any value, but no value for certain.
    const UNKNOWN: Self = Self {
        some: Kinds::ALL,
        all: Kinds::NONE,
    };

    /// A node that leads back to itself. It accepts no further values, except perhaps null.
    const CYCLE: Self = Self {
        some: Kinds::NULL,
        all: Kinds::NONE,
    };

    /// Returns the kinds that the keywords of a node accept, without the schemas inside it.
    fn of_keywords(node: &Node<'_>) -> Self {
        let some = node.own_kinds();
        let mut all = some.without(node.constrained_kinds());
        if node.strings.is_some() {
            // Formats may be about numbers, too.
            all = all.without(Kinds::NUMBER);
        }
        if node.listed.is_some() {
            // Null is the only value of its kind.
            all = all & Kinds::NULL;
        }
        if !node.malformed.is_empty() {
            all = Kinds::NONE;
        }
        Self { some, all }
    }

    /// Returns whether null is accepted; `None` if that is unknown.
    pub(crate) fn takes_null(self) -> Option<bool> {
        if self.all.meet(Kinds::NULL) {
            Some(true)
        } else if self.some.meet(Kinds::NULL) {
            None
        } else {
            Some(false)
        }
    }
}

impl BitAnd for AcceptedKinds {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self {
            some: self.some & other.some,
            all: self.all & other.all,
        }
    }
}

impl BitOr for AcceptedKinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        !(!self & !other)
    }
}

impl Not for AcceptedKinds {
    type Output = Self;

    fn not(self) -> Self {
        Self {
            some: Kinds::ALL.without(self.all),
            all: Kinds::ALL.without(self.some),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;

    #[test]
    fn types_that_lead_to_each_other_accept_what_any_of_them_does() {
        let one = r##"{"anyOf": [{"$ref": "#/components/schemas/Two"}, {"type": "string"}]}"##;
        let two = r##"{"anyOf": [{"$ref": "#/components/schemas/One"}, {"type": "integer"}]}"##;
        let components = [("One", one), ("Two", two)]
            .map(|(name, text)| (name.to_owned(), text.parse().unwrap()))
            .into_iter()
            .collect();
        let tree = SchemaTree::with_components(&components);
        for name in ["One", "Two"] {
            let (_, node) = tree.shared(name).unwrap();
            let kinds = tree.kinds(node);
            assert_eq!(
                kinds.some.without(Kinds::NULL),
                Kinds::STRING | Kinds::INTEGER
            );
            assert_eq!(kinds.takes_null(), None);
        }
    }

    #[test]
    fn exactly_one_alternative_excludes_what_two_accept() {
        let schema = r#"{"oneOf": [{"type": ["string", "null"]}, {"type": ["null", "boolean"]}]}"#;
        let components = IndexMap::new();
        let kinds = accepted(&schema.parse().unwrap(), &components);
        assert_eq!(kinds.some, Kinds::STRING | Kinds::BOOLEAN);
        assert_eq!(kinds.all, kinds.some);
    }

    #[test]
    fn a_schema_that_refuses_itself_cannot_be_told() {
        let no = r##"{"not": {"$ref": "#/components/schemas/No"}}"##
            .parse()
            .unwrap();
        let components = [("No".to_owned(), no)].into_iter().collect();
        let tree = SchemaTree::with_components(&components);
        let (_, node) = tree.shared("No").unwrap();
        assert_eq!(tree.kinds(node), AcceptedKinds::UNKNOWN);
    }
}
