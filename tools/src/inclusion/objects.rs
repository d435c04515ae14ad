//! The rules for objects: which members there may be, which there must be, and what they are.
//!
//! A member is judged by its name if either side knows it. All members without known names are judged together, and so
//! are those whose names match a pattern.

use std::collections::BTreeSet;

use super::case::Case;
use super::includes::Includes;
use docent_describe::json::Json;
use docent_describe::schema::{Node, ObjectKeywords};

impl<'t> Includes<'t> {
    /// Returns whether objects have the right members.
    pub(super) fn object(&mut self, case: &Case<'t>, wide: &'t ObjectKeywords<'t>) -> bool {
        let needed: BTreeSet<&str> = case.required().collect();
        let mut names: BTreeSet<&'t str> = case.properties().keys().copied().collect();
        names.extend(wide.properties.keys());
        wide.required.iter().all(|name| needed.contains(name))
            && case.property_count().is_within(wide.length)
            && wide.unevaluated.as_deref().is_none_or(Node::accepts_all)
            && are_dependent(case, wide)
            && wide
                .dependent
                .iter()
                .all(|(name, node)| self.depends(case, name, node))
            && names.into_iter().all(|name| self.member(case, wide, name))
            && self.other_members(case, wide)
            && wide
                .names
                .as_ref()
                .is_none_or(|names| self.names(case, names))
    }

    /// Returns whether the member with this name is as a node of the wider schema says.
    fn member(&mut self, case: &Case<'t>, wide: &'t ObjectKeywords<'t>, name: &'t str) -> bool {
        let own = case.property(name);
        if own.is_refused {
            return true;
        }
        let mut asked: Vec<&'t Node<'t>> = wide.properties.get(name).into_iter().collect();
        for (pattern, node) in &wide.patterns {
            match self.wide.tree.matches(pattern, name) {
                Some(true) => asked.push(node),
                Some(false) => {}
                None => return false,
            }
        }
        if asked.is_empty() {
            asked.extend(wide.others.as_deref());
        }
        let own = own.nodes();
        asked.into_iter().all(|asked| self.includes(&own, asked))
    }

    /// Returns whether a node of the case asks the same of objects with a member.
    fn depends(&mut self, case: &Case<'t>, name: &str, wide: &'t Node<'t>) -> bool {
        let own = case.nodes().filter_map(|node| node.objects.as_deref());
        own.flat_map(|objects| &objects.dependent)
            .any(|(own, node)| *own == name && self.is_same(node, wide))
    }

    /// Returns whether members without known names are as a node of the wider schema says.
    fn other_members(&mut self, case: &Case<'t>, wide: &'t ObjectKeywords<'t>) -> bool {
        let own = case.view.other_properties().patterns;
        for (pattern, node) in &wide.patterns {
            let mut patterns = own.iter();
            let has_same =
                patterns.any(|(known, own)| known == pattern && self.includes(&[own], node));
            if !has_same && !self.are_others(case, node, &[]) {
                return false;
            }
        }
        wide.others
            .as_ref()
            .is_none_or(|others| self.are_others(case, others, &wide.patterns))
    }

    /// Returns whether all members without known names are values of a wider schema, but for those whose names match
    /// one of its patterns.
    fn are_others(
        &mut self,
        case: &Case<'t>,
        wide: &'t Node<'t>,
        patterns: &[(&str, Node<'t>)],
    ) -> bool {
        let others = case.view.other_properties();
        let mut own = others.patterns.iter();
        own.all(|(pattern, own)| {
            let is_matched = patterns.iter().any(|(known, _)| known == pattern);
            is_matched || self.includes(&[own], wide)
        }) && (others.are_refused || self.includes(&others.nodes, wide))
    }

    /// Returns whether the names of all members are values of a wider schema.
    fn names(&mut self, case: &Case<'t>, wide: &'t Node<'t>) -> bool {
        let mut names = case.properties().keys().map(|name| Json::from(*name));
        if case.is_closed() && names.all(|name| self.wide.is_valid(wide, &name) == Some(true)) {
            return true;
        }
        let own = &case.view.other_properties().names;
        !own.is_empty() && self.includes(own, wide)
    }
}

/// Returns whether the names that a member asks for are asked for by the case too.
fn are_dependent(case: &Case<'_>, wide: &ObjectKeywords<'_>) -> bool {
    wide.dependent_names.iter().all(|asked| {
        let mut own = case.nodes().filter_map(|node| node.objects.as_deref());
        own.any(|own| own.dependent_names.contains(asked))
    })
}
