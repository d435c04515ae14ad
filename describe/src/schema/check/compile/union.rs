//! Compiles `anyOf` and `oneOf`.
//!
//! Alternatives that cannot be told apart have to be tried one after the other. Most need not be
//! tried: their values are of different kinds (`Option`), or are objects with a tag or with a
//! single member (enums).

use std::collections::HashSet;

use crate::json::Json;

use super::Compiler;
use super::cursor::SchemaCursor;
use crate::schema::check::choices::{self, Choices};
use crate::schema::check::rules::{Branch, CompiledSchema, CompiledUnion, InPlace, Link, Selector};
use crate::schema::kinds::Kinds;
use crate::schema::tree::{Node, UnionKeyword, UnionRule};

/// An alternative with the node that it is compiled from.
struct NodeBranch<'n> {
    branch: Branch,
    node: &'n Node<'n>,
}

impl<'n> NodeBranch<'n> {
    /// Returns the strings that the alternative lists, if it does nothing else.
    fn listed(&self) -> Option<&'n Vec<&'n Json>> {
        match &self.branch.link {
            Link::Schema(compiled) if compiled.is_list() && self.branch.kinds == Kinds::STRING => {
                self.node.listed.as_ref()
            }
            _ => None,
        }
    }
}

impl Compiler<'_> {
    /// Compiles the alternatives of a keyword. Returns `None` if there are none, or if every value
    /// matches.
    pub(super) fn compile_union(
        &mut self,
        base: &Node<'_>,
        union: &UnionKeyword<'_>,
        cursor: &mut SchemaCursor,
    ) -> Option<InPlace> {
        let links = self.compile_nodes(union.rule.keyword(), &union.branches, cursor);
        // Services refuse schemas that lead back to themselves.
        let is_of_base = self.is_for_tools
            && (union.branches.iter()).any(|branch| self.tree.extension(branch, base).is_some());
        // Alternatives that only add optional members accept each other's values, which no author means to refuse.
        let exactly_one = union.rule == UnionRule::ExactlyOne && !is_of_base;
        let mut branches = Vec::new();
        for (link, node) in links.into_iter().zip(&union.branches) {
            let kinds = self.tree.kinds(node).some;
            let branch = Branch { kinds, link };
            branches.push(NodeBranch { branch, node });
        }
        let mut branches = merge_lists(branches, exactly_one);
        if branches.len() == 1 && !is_of_base {
            return branches.pop().map(|only| InPlace::All(only.branch.link));
        }
        let matches_all = branches
            .iter()
            .any(|each| each.branch.kinds == Kinds::ALL && each.branch.link.is_any());
        if branches.is_empty() || !exactly_one && matches_all {
            return None;
        }
        let selector = self.selector(&branches);
        Some(InPlace::Union(CompiledUnion {
            exactly_one,
            is_of_base,
            branches: branches.into_iter().map(|each| each.branch).collect(),
            selector,
        }))
    }

    /// Returns a selector for the objects among the alternatives, if there are several and they can
    /// be told apart.
    fn selector(&self, branches: &[NodeBranch<'_>]) -> Option<Selector> {
        let mut indexes = Vec::new();
        let mut nodes = Vec::new();
        for (index, NodeBranch { branch, node }) in branches.iter().enumerate() {
            if branch.kinds.meet(Kinds::OBJECT) {
                indexes.push(index);
                nodes.push(*node);
            }
        }
        if nodes.len() < 2 {
            return None;
        }
        let selection = self.tree.selection(&nodes)?;
        let literals = selection
            .texts
            .iter()
            .map(|selecting| Json::from(&*selecting.text).to_string());
        let phrase = choices::phrase(literals).into();
        let branches = selection
            .texts
            .into_iter()
            .map(|selecting| (selecting.text, indexes[selecting.alternative]))
            .collect();
        Some(Selector {
            tag: selection.tag,
            branches,
            phrase,
        })
    }
}

/// Merges the alternatives that only list strings, such as the variants of an enum, each with its
/// documentation.
fn merge_lists(branches: Vec<NodeBranch<'_>>, exactly_one: bool) -> Vec<NodeBranch<'_>> {
    let values: Vec<&Json> = branches
        .iter()
        .filter_map(NodeBranch::listed)
        .flatten()
        .copied()
        .collect();
    let Some(first) = branches.iter().find(|each| each.listed().is_some()) else {
        return branches;
    };
    // A string in two lists matches two alternatives.
    if exactly_one && values.iter().collect::<HashSet<_>>().len() < values.len() {
        return branches;
    }
    let list = CompiledSchema {
        choices: Some(Box::new(Choices::new(&values))),
        ..CompiledSchema::of_kinds(Kinds::STRING)
    };
    let branch = Branch {
        kinds: Kinds::STRING,
        link: Link::Schema(Box::new(list)),
    };
    let node = first.node;
    let mut merged = vec![NodeBranch { branch, node }];
    merged.extend(branches.into_iter().filter(|each| each.listed().is_none()));
    merged
}
