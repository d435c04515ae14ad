//! The rules for objects: which members there may be, which there must be, and what they are.
//!
//! A member is checked by its name if either side knows it. All members without known names are checked together, and
//! so are those whose names match a pattern.

use std::collections::BTreeSet;

use super::case::Case;
use super::checker::InclusionChecker;
use docent_describe::json::Json;
use docent_describe::schema::{Node, ObjectKeywords};

impl<'t> InclusionChecker<'t> {
    /// Returns whether objects have the right members.
    pub(super) fn objects_fit(&mut self, case: &Case<'t>, wide: &'t ObjectKeywords<'t>) -> bool {
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
                .all(|(name, node)| self.has_same_dependency(case, name, node))
            && names
                .into_iter()
                .all(|name| self.member_fits(case, wide, name))
            && self.other_members_fit(case, wide)
            && wide
                .names
                .as_ref()
                .is_none_or(|names| self.names_fit(case, names))
    }

    /// Returns whether the member with this name is as a node of the wider schema says.
    fn member_fits(
        &mut self,
        case: &Case<'t>,
        wide: &'t ObjectKeywords<'t>,
        name: &'t str,
    ) -> bool {
        let property = case.property(name);
        if property.is_refused {
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
        let narrow = property.nodes();
        asked.into_iter().all(|wide| self.includes(&narrow, wide))
    }

    /// Returns whether a node of the case asks the same of objects with a member.
    fn has_same_dependency(&mut self, case: &Case<'t>, name: &str, wide: &'t Node<'t>) -> bool {
        case.nodes()
            .filter_map(|node| node.objects.as_deref())
            .flat_map(|objects| &objects.dependent)
            .any(|(narrow_name, node)| *narrow_name == name && self.is_same(node, wide))
    }

    /// Returns whether members without known names are as a node of the wider schema says.
    fn other_members_fit(&mut self, case: &Case<'t>, wide: &'t ObjectKeywords<'t>) -> bool {
        let narrow_patterns = case.view.other_properties().patterns;
        for (pattern, node) in &wide.patterns {
            let has_same = narrow_patterns
                .iter()
                .any(|(other, narrow)| other == pattern && self.includes(&[narrow], node));
            if !has_same && !self.others_fit(case, node, &[]) {
                return false;
            }
        }
        wide.others
            .as_ref()
            .is_none_or(|others| self.others_fit(case, others, &wide.patterns))
    }

    /// Returns whether all members without known names are values of a wider schema, but for those whose names match
    /// one of its patterns.
    fn others_fit(
        &mut self,
        case: &Case<'t>,
        wide: &'t Node<'t>,
        patterns: &[(&str, Node<'t>)],
    ) -> bool {
        let others = case.view.other_properties();
        for (pattern, narrow) in &others.patterns {
            let is_checked_by_pattern = patterns.iter().any(|(other, _)| other == pattern);
            if !is_checked_by_pattern && !self.includes(&[narrow], wide) {
                return false;
            }
        }
        others.are_refused || self.includes(&others.nodes, wide)
    }

    /// Returns whether the names of all members are values of a wider schema.
    fn names_fit(&mut self, case: &Case<'t>, wide: &'t Node<'t>) -> bool {
        if case.is_closed()
            && case
                .properties()
                .keys()
                .all(|name| self.wide.is_valid(wide, &Json::from(*name)) == Some(true))
        {
            return true;
        }
        let names = &case.view.other_properties().names;
        !names.is_empty() && self.includes(names, wide)
    }
}

/// Returns whether the names that a member asks for are asked for by the case too.
fn are_dependent(case: &Case<'_>, wide: &ObjectKeywords<'_>) -> bool {
    wide.dependent_names.iter().all(|asked| {
        case.nodes()
            .filter_map(|node| node.objects.as_deref())
            .any(|objects| objects.dependent_names.contains(asked))
    })
}
