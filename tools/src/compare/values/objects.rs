//! Compares members of objects and elements of arrays.
//!
//! A name is not enough to tell whether a member is new or gone: a schema may accept members that it does not describe,
//! or describe them in one alternative only.

use indexmap::{IndexMap, IndexSet};

use super::super::phrase::phrase;
use super::super::rule::Rule;
use super::found::Effect;
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
        let named = self.named.get(name).cloned();
        let has_name = named.as_ref().is_some_and(|named| !named.layers.is_empty());
        let property = named.unwrap_or_else(|| self.view.property(name));
        let mut layers = property.layers.iter();
        ObjectProperty {
            is_described: has_name || layers.any(|layer| !layer.node.accepts_all()),
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
        let before = ObjectProperties::new(old);
        let after = ObjectProperties::new(new);
        let names: IndexSet<&str> = before
            .named
            .keys()
            .chain(after.named.keys())
            .copied()
            .collect();
        for name in names {
            let was = before.get(name);
            let is = after.get(name);
            match (was.is_possible(), is.is_possible()) {
                (true, true) => {
                    let path = format!(".{name}");
                    self.compare_inner(pair, was.property.nodes(), is.property.nodes(), &path);
                }
                (true, false) if !after.have_in_alternative(name) => {
                    self.add_removed_member(pair, name, &was, &is);
                }
                (false, true) if !before.have_in_alternative(name) => {
                    self.add_new_member(pair, name, &was, &is);
                }
                _ => {}
            }
            self.compare_required(pair, name, &was, &is, new);
        }
        match (before.others.are_refused, after.others.are_refused) {
            (true, false) if after.are_open() => {
                self.add(pair, Effect::Opened, "change.value.open");
            }
            (false, true) if before.are_open() => {
                self.add(pair, Effect::Lost, "change.value.open.not");
            }
            _ => {}
        }
        self.compare_other_members(pair, &before.others, &after.others);
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
        for (pattern, was) in &old.patterns {
            let mut patterns = new.patterns.iter();
            if let Some((_, is)) = patterns.find(|(other, _)| other == pattern) {
                self.compare_inner(pair, vec![was], vec![is], &format!(".{pattern}"));
            }
        }
    }

    /// Adds the difference for a member that is no longer described.
    fn add_removed_member(
        &mut self,
        pair: &ValuePair<'t>,
        name: &str,
        was: &ObjectProperty<'t>,
        is: &ObjectProperty<'t>,
    ) {
        if !was.accepts_all() && self.is_rewritten(pair) {
            return;
        }
        let is_optional_now = was.property.is_required && !is.property.is_required;
        let (effect, key) = match (self.is_input, is.property.is_refused) {
            (true, true) => (Effect::Lost, "change.value.member.rejected"),
            (false, _) if is_optional_now => (Effect::MemberOptional, "change.value.member.gone"),
            (false, true) => (Effect::Lost, "change.value.member.gone"),
            _ => (Effect::MemberDropped, "change.value.member.dropped"),
        };
        self.add_in_old(pair, &was.property.nodes(), effect, phrase(key, &[&name]));
    }

    /// Adds the difference for a member that was not described before.
    fn add_new_member(
        &mut self,
        pair: &ValuePair<'t>,
        name: &str,
        was: &ObjectProperty<'t>,
        is: &ObjectProperty<'t>,
    ) {
        let effect = match (self.is_input, was.property.is_refused) {
            (true, _) if is.property.is_required => return,
            (true, true) => Effect::Gained,
            (false, true) => Effect::Opened,
            (true, false) if is.accepts_all() => Effect::Rule(Rule::WordsChanged),
            _ => Effect::MemberAdded,
        };
        let detail = phrase("change.value.member.added", &[&name]);
        self.add_in_new(pair, &is.property.nodes(), "", effect, detail);
    }

    /// Compares whether a member is required. `new` shows the member, or the keyword that requires it if that stands
    /// elsewhere.
    fn compare_required(
        &mut self,
        pair: &ValuePair<'t>,
        name: &str,
        was: &ObjectProperty<'t>,
        is: &ObjectProperty<'t>,
        new: &View<'t>,
    ) {
        match (was.property.is_required, is.property.is_required) {
            (false, true) => {
                // The effect of a new member of a result has been reported.
                let key = match was.is_described {
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
            (true, false) if !was.is_described || is.is_possible() => {
                let detail = phrase("change.value.member.optional", &[&name]);
                let member = pair.new.iter().find_map(|node| member(node, name));
                let place = Vec::from_iter(member);
                self.add_in_new(pair, &place, "", Effect::MemberOptional, detail);
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
        for (at, (was, is)) in before.places.iter().zip(&after.places).enumerate() {
            self.compare_inner(pair, was.clone(), is.clone(), &format!("[{at}]"));
        }
        // With different numbers of positions, the rest is of different elements.
        let have_same_places = before.places.len() == after.places.len();
        if have_same_places && !before.rest.is_empty() && !after.rest.is_empty() {
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
