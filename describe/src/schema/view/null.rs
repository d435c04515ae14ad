//! Whether null is accepted. Only few keywords say something of it, so it is found from the nodes alone.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::json::Json;
use crate::schema::kinds::Kinds;
use crate::schema::limits::{MAX_LAYERS, MAX_NESTED_UNIONS};
use crate::schema::tree::{Node, NodeId, SchemaTree, Target, UnionKeyword, UnionRule};

/// The answers so far. Whether null is accepted depends on the node alone.
#[derive(Debug, Default)]
pub(super) struct KnownNulls(RefCell<HashMap<NodeId, Option<bool>>>);

/// Returns whether null satisfies all nodes; `None` if that cannot be told.
pub(super) fn accepted_by_all<'t>(
    tree: &'t SchemaTree<'t>,
    known: &'t KnownNulls,
    nodes: &[&'t Node<'t>],
) -> Option<bool> {
    all(nodes.iter().map(|node| {
        if let Some(answer) = known.0.borrow().get(&node.id) {
            return *answer;
        }
        let mut search = Search {
            tree,
            known,
            open: HashSet::new(),
            steps_left: MAX_LAYERS,
        };
        let answer = search.node(node, MAX_NESTED_UNIONS);
        known.0.borrow_mut().insert(node.id, answer);
        answer
    }))
}

struct Search<'t> {
    tree: &'t SchemaTree<'t>,
    known: &'t KnownNulls,
    /// The nodes on the way to the current one.
    open: HashSet<NodeId>,
    steps_left: usize,
}

impl<'t> Search<'t> {
    fn node(&mut self, node: &'t Node<'t>, depth: usize) -> Option<bool> {
        let mut node = node;
        let mut opened = Vec::new();
        // References are followed in a loop, since a chain of them may be longer than the call stack.
        let answer = loop {
            self.steps_left = self.steps_left.checked_sub(1)?;
            // What could not be told may be told on another way.
            if let Some(known) = self.known.0.borrow().get(&node.id).copied().flatten() {
                break Some(known);
            }
            if !self.open.insert(node.id) {
                break None;
            }
            opened.push(node.id);
            let own = self.own(node, depth);
            let Some(reference) = node.reference else {
                break own;
            };
            let target = match self.tree.target(reference) {
                Target::Shared(_, target) | Target::Inside(target) => target,
                Target::Lost(_) => break own.filter(|accepts| !accepts),
            };
            match own {
                Some(true) => node = target,
                Some(false) => break own,
                // Only a refusal can still be told.
                None => {
                    break self
                        .node(target, depth.checked_sub(1)?)
                        .filter(|accepts| !accepts);
                }
            }
        };
        for id in opened {
            self.open.remove(&id);
            if answer.is_some() {
                self.known.0.borrow_mut().insert(id, answer);
            }
        }
        answer
    }

    /// Returns whether a node without its reference accepts null.
    fn own(&mut self, node: &'t Node<'t>, depth: usize) -> Option<bool> {
        let is_listed = |values: &Vec<&Json>| values.iter().any(|value| **value == Json::Null);
        if !node.own_kinds().meet(Kinds::NULL) || !node.listed.as_ref().is_none_or(is_listed) {
            return Some(false);
        }
        let has_parts = !node.all_of.is_empty()
            || !node.unions.is_empty()
            || node.not.is_some()
            || node.condition.is_some();
        if !has_parts {
            return node.malformed.is_empty().then_some(true);
        }
        let depth = depth.checked_sub(1)?;
        let mut answers: Vec<Option<bool>> = Vec::new();
        for part in &node.all_of {
            answers.push(self.node(part, depth));
        }
        for union in &node.unions {
            answers.push(self.union(union, depth));
        }
        if let Some(not) = node.not.as_deref() {
            answers.push(self.node(not, depth).map(|accepts| !accepts));
        }
        if let Some(condition) = node.condition.as_deref() {
            let branch = match self.node(&condition.holds, depth) {
                Some(true) => condition.then.as_ref(),
                Some(false) => condition.otherwise.as_ref(),
                None => {
                    answers.push(None);
                    None
                }
            };
            answers.extend(branch.map(|branch| self.node(branch, depth)));
        }
        let is_well_formed = node.malformed.is_empty().then_some(true);
        all(answers.into_iter().chain([is_well_formed]))
    }

    fn union(&mut self, union: &'t UnionKeyword<'t>, depth: usize) -> Option<bool> {
        let answers: Vec<_> = union
            .branches
            .iter()
            .map(|branch| self.node(branch, depth))
            .collect();
        let accepting = answers
            .iter()
            .filter(|answer| **answer == Some(true))
            .count();
        let is_unknown = answers.contains(&None);
        match union.rule {
            UnionRule::OneOrMore if accepting > 0 => Some(true),
            UnionRule::ExactlyOne if accepting > 1 => Some(false),
            _ if is_unknown => None,
            _ => Some(accepting > 0),
        }
    }
}

/// Returns whether all answers are yes; `None` if that cannot be told.
fn all(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return answer,
            None => all = None,
            Some(true) => {}
        }
    }
    all
}
