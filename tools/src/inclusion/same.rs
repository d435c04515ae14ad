//! Finds out whether two schemas say the same, apart from annotations and the names of components.
//!
//! Most schemas of two descriptions did not change. They are found here without any rule, and so are alternatives that
//! only have other names.

use std::collections::{BTreeSet, HashSet};

use super::case::Case;
use super::checker::InclusionChecker;
use docent_describe::schema::{Node, Part, Reference, Span};

impl<'t> InclusionChecker<'t> {
    /// Returns whether schemas of the narrower side say the same as those of the wider side, one by one.
    pub(crate) fn are_same(&mut self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> bool {
        self.steps = 0;
        narrow.len() == wide.len()
            && narrow
                .iter()
                .zip(wide)
                .all(|(narrow, wide)| self.is_same(narrow, wide))
    }

    /// Returns whether two nodes say the same. A pair that is being compared is assumed to, so that circles end.
    pub(super) fn is_same(&mut self, narrow: &'t Node<'t>, wide: &'t Node<'t>) -> bool {
        let pair = (narrow.id, wide.id);
        // A case may have dozens of schemas, each of which is compared with each wider one.
        self.total_steps += 1;
        if self.different.contains(&pair) {
            return false;
        }
        let before = self.same.len();
        if !self.same.insert(pair) {
            return true;
        }
        let is_same = self.deeper(|checker| checker.have_same_keywords(narrow, wide));
        if !is_same {
            self.same.truncate(before);
            if !self.is_over_budget() {
                self.different.insert(pair);
            }
        }
        is_same
    }

    /// Returns whether two nodes have the same keywords, and the nodes inside them say the same.
    fn have_same_keywords(&mut self, narrow: &'t Node<'t>, wide: &'t Node<'t>) -> bool {
        own_keywords(narrow) == own_keywords(wide)
            && self.enforce_same_formats(narrow)
            && match (narrow.reference, wide.reference) {
                (Some(narrow), Some(wide)) => self.lead_to_same(narrow, wide),
                (narrow, wide) => narrow == wide,
            }
            && self.have_same_parts(parts(narrow, Part::constrains), parts(wide, Part::constrains))
            // A malformed keyword asks for something unknown, but equal texts ask the same.
            && (narrow.malformed.is_empty() || narrow.source == wide.source)
    }

    /// Returns whether a node of a case says the same as a wider one with the schemas inside it that `selects` chooses.
    pub(super) fn states_same(
        &mut self,
        case: &Case<'t>,
        wide: &'t Node<'t>,
        selects: fn(&Part<'t>) -> bool,
    ) -> bool {
        let asked = parts(wide, selects);
        asked.is_empty()
            || case.nodes().any(|node| {
                contained(node) == contained(wide)
                    && self.have_same_parts(parts(node, selects), asked.clone())
            })
    }

    /// Returns whether both sides have the same parts, and those say the same.
    fn have_same_parts(&mut self, mut narrow: InnerNodes<'t>, mut wide: InnerNodes<'t>) -> bool {
        // Most differ in number, and thousands take long to sort.
        if narrow.len() != wide.len() {
            return false;
        }
        narrow.sort_unstable_by_key(|(part, _)| *part);
        wide.sort_unstable_by_key(|(part, _)| *part);
        narrow
            .into_iter()
            .zip(wide)
            .all(|((part, one), (other_part, other))| {
                part == other_part && self.is_same(one, other)
            })
    }

    /// Returns whether the formats of a node are checked on both sides, or on neither.
    fn enforce_same_formats(&self, node: &Node<'t>) -> bool {
        let narrow = self.narrow.tree.context();
        let wide = self.wide.tree.context();
        node.strings
            .iter()
            .flat_map(|strings| [strings.format, strings.encoding])
            .all(|format| {
                format.is_none_or(|format| narrow.enforces(format) == wide.enforces(format))
            })
    }

    /// Returns whether two references lead to schemas that say the same.
    fn lead_to_same(&mut self, narrow: Reference<'t>, wide: Reference<'t>) -> bool {
        let own_target = self.narrow.tree.target(narrow).node();
        let wide_target = self.wide.tree.target(wide).node();
        match (own_target, wide_target) {
            // Both refer to the same place outside of the descriptions.
            (None, None) => narrow == wide,
            (Some(one), Some(other)) => self.is_same(one, other),
            _ => false,
        }
    }
}

/// Returns what a node asks by itself. Names and values are listed in any order.
fn own_keywords<'t>(node: &'t Node<'t>) -> impl PartialEq + use<'t> {
    let listed = node.listed.as_ref();
    let strings = node.strings.as_deref();
    let arrays = node.arrays.as_deref();
    let objects = node.objects.as_deref();
    (
        (node.is_never, node.types, &node.numbers, &node.malformed),
        listed.map(|values| values.iter().collect::<HashSet<_>>()),
        strings.map(|strings| {
            (
                strings.length,
                strings.pattern,
                strings.format,
                strings.encoding,
            )
        }),
        arrays.map(|arrays| (arrays.length, arrays.are_unique, contained(node))),
        objects.map(|objects| {
            let required: BTreeSet<_> = objects.required.iter().collect();
            (objects.length, required, &objects.dependent_names)
        }),
    )
}

/// Returns how many elements must match `contains`.
fn contained(node: &Node<'_>) -> Option<Span> {
    let (_, count) = node.arrays.as_deref()?.contains.as_ref()?;
    Some(*count)
}

/// Schemas inside a node, with their places.
type InnerNodes<'t> = Vec<(Part<'t>, &'t Node<'t>)>;

/// Returns the nodes inside a node that `selects` chooses, with their places.
fn parts<'t>(node: &'t Node<'t>, selects: impl Fn(&Part<'t>) -> bool) -> InnerNodes<'t> {
    let mut parts = Vec::new();
    node.for_each_part(&mut |part, child| {
        if selects(&part) {
            parts.push((part, child));
        }
    });
    parts
}
