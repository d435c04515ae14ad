//! Makes objects.
//!
//! Members have names from the schemas first, and made-up ones only if there are too few. The value
//! of a member is made once, and used in all objects that are tried.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::every::one_of_each_kind;
use super::{Examples, FoundValues, WantedValues};
use crate::json::{Json, Object};
use crate::schema::kinds::Kinds;
use crate::schema::texts::matching_of_length;
use crate::schema::view::{Condition, Property, View};

/// The maximum number of members of an object that is made.
const MAX_MEMBERS: usize = 300;
/// The maximum length of a name that is made for a pattern.
const MAX_NAME: usize = 100;

impl<'t> Examples<'t> {
    /// Offers an object with all optional members that readers should see, one with the required members alone, and
    /// one with each of the others.
    pub(super) fn objects(&self, case: &'t View<'t>, found: &mut FoundValues<'_, 't>) {
        let wanted = found.wanted;
        let mut members = ObjectBuilder {
            examples: self,
            case,
            wanted,
            properties: case.properties(),
            dependent: dependent_names(case),
            values: HashMap::new(),
        };
        let required = members
            .properties
            .values()
            .filter(|property| property.is_required)
            .count();
        if required > MAX_MEMBERS {
            return;
        }
        let optional: Vec<&str> = members
            .properties
            .iter()
            .filter(|(_, property)| self.is_offered(case, property, wanted))
            .map(|(name, _)| *name)
            .take(MAX_MEMBERS)
            .collect();
        let mut free = Vec::new();
        if optional.is_empty() && required == 0 && self.includes_optional(wanted.depth) {
            free = self.free_names(case, wanted, 1);
        }
        let mut all = optional.clone();
        all.extend(free.iter().map(String::as_str));
        for selected in [&all[..], &[]].into_iter().chain(optional.chunks(1)) {
            if !found.is_done() {
                found.offer_all(members.object(selected).map(Json::from));
            }
        }
        if !found.is_done()
            && let Some(object) = members.object(&[])
        {
            offer_with_foreign_member(&object, found);
        }
    }

    /// Returns whether an optional member is among those that readers should see.
    fn is_offered(&self, case: &View<'t>, property: &Property<'t>, wanted: WantedValues) -> bool {
        let nodes = property.nodes();
        let is_shared = nodes.iter().any(|node| node.reference.is_some());
        let is_old = nodes.iter().any(|node| node.annotations.deprecated);
        let is_optional = !property.is_required && !property.is_refused;
        let is_hidden = wanted.side.is_some_and(|side| case.hides(property, side));
        let is_deep = wanted.depth > 0 && is_shared;
        is_optional && self.includes_optional(wanted.depth) && !is_deep && !is_old && !is_hidden
    }

    /// Returns names for further members, beyond those that schemas name.
    pub(super) fn free_names(
        &self,
        case: &'t View<'t>,
        wanted: WantedValues,
        count: usize,
    ) -> Vec<String> {
        let others = case.other_properties();
        if !others.names.is_empty() {
            let wanted = WantedValues {
                kinds: Kinds::STRING,
                ..wanted.parts(count)
            };
            return self
                .values(case.views.view(&others.names), wanted)
                .iter()
                .filter_map(Json::as_str)
                .map(str::to_owned)
                .collect();
        }
        let mut names: Vec<String> = others
            .patterns
            .iter()
            .flat_map(|(pattern, _)| matching_of_length(pattern, 0..=MAX_NAME))
            .take(count)
            .collect();
        let takes_others = others.are_mentioned && !others.are_refused;
        if takes_others || names.is_empty() && count > 1 {
            names.push("key".to_owned());
            names.extend((2..=count).map(|number| format!("key{number}")));
            names.truncate(count);
        }
        names
    }
}

/// Offers objects with a member that another alternative has, with a value that this alternative does not take. Where
/// alternatives overlap, such an object matches only one of them.
fn offer_with_foreign_member(object: &Object, found: &mut FoundValues<'_, '_>) {
    let names: Vec<&str> = found
        .view
        .alternatives()
        .flat_map(|alternative| alternative.view.properties().into_keys())
        .take(MAX_MEMBERS)
        .collect();
    for name in names {
        for value in one_of_each_kind() {
            let mut object = object.clone();
            object.insert(name, value);
            found.offer(object.into());
        }
    }
}

/// The members of the object that is being made.
struct ObjectBuilder<'m, 't> {
    examples: &'m Examples<'t>,
    case: &'t View<'t>,
    wanted: WantedValues,
    properties: IndexMap<&'t str, Property<'t>>,
    /// The members that must be present because another is, by the name of that.
    dependent: HashMap<&'t str, Vec<&'t str>>,
    /// The values of members so far; `None` for one without a value.
    values: HashMap<String, Option<Json>>,
}

impl ObjectBuilder<'_, '_> {
    /// Returns an object with the required members, and with those of `selected` that have a value.
    fn object(&mut self, selected: &[&str]) -> Option<Object> {
        let mut names = Vec::new();
        for (name, property) in &self.properties {
            if property.is_required || selected.contains(name) {
                names.push((*name).to_owned());
            }
        }
        for name in selected {
            if !self.properties.contains_key(name) {
                names.push((*name).to_owned());
            }
        }
        let mut object = Object::new();
        let mut index = 0;
        while let Some(name) = names.get(index).cloned() {
            index += 1;
            if let Some(value) = self.value(&name) {
                object.insert(name.as_str(), value);
                for other in self.dependent.get(&*name).into_iter().flatten() {
                    if !names.iter().any(|name| name == other) && names.len() < MAX_MEMBERS {
                        names.push((*other).to_owned());
                    }
                }
            } else if !selected.contains(&&*name) {
                return None;
            }
        }
        self.fill(&mut object);
        Some(object)
    }

    /// Adds members until there are enough.
    fn fill(&mut self, object: &mut Object) {
        let (least, _) = self.case.property_count().sizes();
        if object.len() >= least || least > MAX_MEMBERS {
            return;
        }
        let mut names: Vec<String> = self.properties.keys().map(|name| (*name).into()).collect();
        names.extend(self.examples.free_names(self.case, self.wanted, least));
        for name in names {
            if object.len() < least
                && !object.contains_key(&name)
                && let Some(value) = self.value(&name)
            {
                object.insert(name, value);
            }
        }
    }

    /// Returns the value of a member.
    fn value(&mut self, name: &str) -> Option<Json> {
        if let Some(value) = self.values.get(name) {
            return value.clone();
        }
        let property = match self.properties.get(name) {
            Some(property) => property.clone(),
            None => self.case.property(name),
        };
        let mut value = None;
        if !property.is_refused {
            let view = self.case.views.view(&property.nodes());
            let wanted = self.wanted.parts(1).named(name);
            value = self.examples.values(view, wanted).into_iter().next();
        }
        self.values.insert(name.to_owned(), value.clone());
        value
    }
}

/// Returns the members that must be present because another is, by the name of that.
fn dependent_names<'t>(case: &View<'t>) -> HashMap<&'t str, Vec<&'t str>> {
    let mut dependent: HashMap<_, Vec<_>> = HashMap::new();
    for condition in case.conditions() {
        if let Condition::Requires(present, others) = condition {
            dependent.entry(present).or_default().extend(others);
        }
    }
    dependent
}
