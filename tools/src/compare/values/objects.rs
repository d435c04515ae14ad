//! Compares members of objects and elements of arrays.
//!
//! A name is not enough to tell whether a member is new or gone: a schema may accept members that it does not describe,
//! or describe them in one alternative only.

use indexmap::{IndexMap, IndexSet};

use super::super::phrase::phrase;
use super::super::rule::Rule;
use super::difference::Effect;
use super::{ValuePair, Walk};
use docent_describe::schema::{Node, OtherProperties, Property, View};

/// The properties of the objects that a value can be.
struct ObjectProperties<'t> {
    view: &'t View<'t>,
    /// The properties that have a name in every case, by name.
    named: IndexMap<&'t str, Property<'t>>,
    /// The rules for all properties without a name.
    others: OtherProperties<'t>,
}

impl<'t> ObjectProperties<'t> {
    fn new(view: &'t View<'t>) -> Self {
        Self {
            view,
            named: view.common_properties(),
            others: view.other_properties(),
        }
    }

    /// Returns what is said of a member.
    fn get(&self, name: &str) -> ObjectProperty<'t> {
        let (property, has_name) = match self.named.get(name) {
            Some(named) => (named.clone(), !named.layers.is_empty()),
            None => (self.view.property(name), false),
        };
        ObjectProperty {
            is_described: has_name
                || property
                    .layers
                    .iter()
                    .any(|layer| !layer.node.accepts_all()),
            property,
        }
    }

    /// Returns whether any further members are accepted.
    fn are_open(&self) -> bool {
        let others = &self.others;
        !others.are_refused
            && !others.is_conditional
            && others.nodes.is_empty()
            && others.names.is_empty()
            && self.view.property_count().most.is_none()
    }

    /// Returns whether an alternative describes a member.
    fn have_in_alternative(&self, name: &str) -> bool {
        self.view
            .alternatives()
            .any(|alternative| alternative.view.properties().contains_key(name))
    }
}

/// A property of the objects, and whether the schema describes it.
struct ObjectProperty<'t> {
    property: Property<'t>,
    is_described: bool,
}

impl ObjectProperty<'_> {
    /// Returns whether the schema describes the member, and allows it.
    fn is_possible(&self) -> bool {
        self.is_described && !self.property.is_refused
    }

    /// Returns whether nothing is asked of the member.
    fn accepts_all(&self) -> bool {
        self.property
            .layers
            .iter()
            .all(|layer| layer.node.accepts_all())
    }
}

impl<'t> Walk<'_, 't> {
    /// Compares the members by name, and whether there may be others. A member that only an alternative describes is
    /// compared with the alternative.
    pub(super) fn compare_members(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) {
        let old_properties = ObjectProperties::new(old);
        let new_properties = ObjectProperties::new(new);
        let names: IndexSet<&str> = old_properties
            .named
            .keys()
            .chain(new_properties.named.keys())
            .copied()
            .collect();
        for name in names {
            let before = old_properties.get(name);
            let after = new_properties.get(name);
            match (before.is_possible(), after.is_possible()) {
                (true, true) => {
                    let old_nodes = before.property.nodes();
                    let new_nodes = after.property.nodes();
                    self.compare_inner(pair, old_nodes, new_nodes, &format!(".{name}"));
                }
                (true, false) if !new_properties.have_in_alternative(name) => {
                    self.add_removed_member(pair, name, &before, &after);
                }
                (false, true) if !old_properties.have_in_alternative(name) => {
                    self.add_new_member(pair, name, &before, &after);
                }
                _ => {}
            }
            self.compare_required(pair, name, &before, &after, new);
        }
        let old_others = &old_properties.others;
        let new_others = &new_properties.others;
        match (old_others.are_refused, new_others.are_refused) {
            (true, false) if new_properties.are_open() => {
                self.add(pair, Effect::Opened, "change.value.open");
            }
            (false, true) if old_properties.are_open() => {
                self.add(pair, Effect::Lost, "change.value.open.not");
            }
            _ => {}
        }
        self.compare_other_members(pair, old_others, new_others);
    }

    /// Compares the members whose names are not known, and their names.
    fn compare_other_members(
        &mut self,
        pair: &ValuePair<'t>,
        old: &OtherProperties<'t>,
        new: &OtherProperties<'t>,
    ) {
        if !old.nodes.is_empty() && !new.nodes.is_empty() {
            self.compare_inner(pair, old.nodes.clone(), new.nodes.clone(), ".*");
        }
        if !old.names.is_empty() && !new.names.is_empty() {
            self.compare_inner(pair, old.names.clone(), new.names.clone(), ".* (name)");
        }
        for (pattern, before) in &old.patterns {
            for (new_pattern, after) in &new.patterns {
                if new_pattern == pattern {
                    self.compare_inner(pair, vec![before], vec![after], &format!(".{pattern}"));
                    break;
                }
            }
        }
    }

    /// Adds the difference for a member that is no longer described.
    fn add_removed_member(
        &mut self,
        pair: &ValuePair<'t>,
        name: &str,
        before: &ObjectProperty<'t>,
        after: &ObjectProperty<'t>,
    ) {
        if !before.accepts_all() && self.is_rewritten(pair) {
            return;
        }
        let is_optional_now = before.property.is_required && !after.property.is_required;
        let (effect, key) = match (self.is_input, after.property.is_refused) {
            (true, true) => (Effect::Lost, "change.value.member.rejected"),
            (false, _) if is_optional_now => (Effect::MemberOptional, "change.value.member.gone"),
            (false, true) => (Effect::Lost, "change.value.member.gone"),
            _ => (Effect::MemberDropped, "change.value.member.dropped"),
        };
        self.add_in_old(
            pair,
            &before.property.nodes(),
            effect,
            phrase(key, &[&name]),
        );
    }

    /// Adds the difference for a member that was not described before.
    fn add_new_member(
        &mut self,
        pair: &ValuePair<'t>,
        name: &str,
        before: &ObjectProperty<'t>,
        after: &ObjectProperty<'t>,
    ) {
        let effect = match (self.is_input, before.property.is_refused) {
            (true, _) if after.property.is_required => return,
            (true, true) => Effect::Gained,
            (false, true) => Effect::Opened,
            (true, false) if after.accepts_all() => Effect::Rule(Rule::WordsChanged),
            _ => Effect::MemberAdded,
        };
        let detail = phrase("change.value.member.added", &[&name]);
        self.add_in_new(pair, &after.property.nodes(), "", effect, detail);
    }

    /// Compares whether a member is required. The difference points to the member in the new description, or to the
    /// keyword that requires it if that stands elsewhere.
    fn compare_required(
        &mut self,
        pair: &ValuePair<'t>,
        name: &str,
        before: &ObjectProperty<'t>,
        after: &ObjectProperty<'t>,
        new: &View<'t>,
    ) {
        match (before.property.is_required, after.property.is_required) {
            (false, true) => {
                // The effect of a new member of a result has been reported.
                let key = match before.is_described {
                    true => "change.value.member.required",
                    false if self.is_input => "change.value.member.added.required",
                    false => return,
                };
                let detail = phrase(key, &[&name]);
                let nodes: Vec<_> = new.nodes().filter(|node| requires(node, name)).collect();
                match nodes.iter().find_map(|node| member(node, name)) {
                    Some(member) => self.add_in_new(pair, &[member], "", Effect::Lost, detail),
                    None => self.add_in_new(pair, &nodes, "required", Effect::Lost, detail),
                }
            }
            // The effect of a removed member has been reported.
            (true, false) if !before.is_described || after.is_possible() => {
                let detail = phrase("change.value.member.optional", &[&name]);
                let member = pair.new.iter().find_map(|node| member(node, name));
                let nodes = Vec::from_iter(member);
                self.add_in_new(pair, &nodes, "", Effect::MemberOptional, detail);
            }
            _ => {}
        }
    }

    /// Compares the elements of arrays, first those at positions of their own.
    pub(super) fn compare_elements(
        &mut self,
        pair: &ValuePair<'t>,
        old: &'t View<'t>,
        new: &'t View<'t>,
    ) {
        let before = old.elements();
        let after = new.elements();
        for (at, (before, after)) in before.prefix.iter().zip(&after.prefix).enumerate() {
            self.compare_inner(pair, before.clone(), after.clone(), &format!("[{at}]"));
        }
        // With different numbers of positions, the rest describes different elements.
        if before.prefix.len() == after.prefix.len()
            && !before.rest.is_empty()
            && !after.rest.is_empty()
        {
            self.compare_inner(pair, before.rest, after.rest, "[]");
        }
    }
}

/// Returns what a node says of a member.
fn member<'t>(node: &'t Node<'t>, name: &str) -> Option<&'t Node<'t>> {
    node.objects.as_deref()?.properties.get(name)
}

/// Returns whether a node requires a member.
fn requires(node: &Node<'_>, name: &str) -> bool {
    node.objects
        .as_deref()
        .is_some_and(|objects| objects.required.contains(&name))
}
