//! Visits the values in a sample, each with its view.
//!
//! A value is visited once for each combination of alternatives that it may be:
//!
//! ```text
//! view    {"oneOf": [{"properties": {"a": …}}, {"properties": {"b": …}}]}
//! sample  {"a": 1}
//! visits  the sample as the first alternative, and the value 1 inside it
//!         the sample as the second alternative, which describes no `a`
//! ```
//!
//! Values are not checked against the alternatives, because samples are made to match.

use std::ops::ControlFlow;

use super::decode::Attempt;
use crate::json::de::Hint;
use crate::json::{Json, Object, Pointer};
use crate::schema::kinds::Kinds;
use crate::schema::limits::{MAX_FORMS, MAX_PROPERTIES_OF_FORMS, MAX_VISITED_FOR_TYPE};
use crate::schema::view::{OtherProperties, Property, View};

/// A value in a sample, with its view.
pub(in crate::schema) struct VisitedValue<'s, 't> {
    /// The sample.
    pub(super) sample: &'s Json,
    /// The pointer to the value in the sample.
    pub(in crate::schema) pointer: &'s Pointer,
    /// The value.
    pub(in crate::schema) value: &'s Json,
    /// The view of any value there.
    pub(in crate::schema) view: &'t View<'t>,
    /// The combination of alternatives that the value is.
    pub(super) case: &'t View<'t>,
    /// The members of the combination that have no names of their own.
    others: OtherProperties<'t>,
    /// All combinations of alternatives.
    pub(in crate::schema) cases: &'s [&'t View<'t>],
}

impl<'t> VisitedValue<'_, 't> {
    /// Returns the sample with the members of this object changed.
    pub(super) fn changed(&self, change: impl FnOnce(&mut Object)) -> Json {
        let mut sample = self.sample.clone();
        if let Some(Json::Object(members)) = self.pointer.resolve_mut(&mut sample) {
            change(members);
        }
        sample
    }

    /// Returns the sample with another member in place of its unnamed ones, because the type may
    /// refuse these.
    pub(super) fn with_key(&self, key: &str, value: &Json) -> Json {
        self.changed(|members| {
            members.retain(|name, _| self.case.describes(name.as_str()));
            members.insert(key, value.clone());
        })
    }

    /// Returns the innermost type of the value, for messages.
    pub(super) fn phrase(&self) -> String {
        match self.case.types().last() {
            Some(name) => format!("in the type `{name}`"),
            None => "inside it".to_owned(),
        }
    }

    /// Returns the names of the members that any form describes.
    pub(super) fn described_names(&self) -> Vec<&'t str> {
        self.cases
            .iter()
            .flat_map(|case| case.properties().into_keys())
            .collect()
    }

    /// Returns whether one value is all that is accepted here, as of a tag.
    pub(super) fn is_constant(&self) -> bool {
        is_constant(self.view)
    }

    /// Returns whether members without a name of their own are described.
    pub(super) fn has_open_members(&self) -> bool {
        !self.others.nodes.is_empty() || !self.others.patterns.is_empty()
    }

    /// Returns whether members that no schema mentions are allowed, with any value.
    pub(super) fn is_open(&self) -> bool {
        !self.others.are_refused
            && !self.others.is_conditional
            && !self.has_open_members()
            && self.others.names.is_empty()
    }

    /// Returns whether the type plainly accepts no other kinds of data here than the schema allows.
    pub(super) fn is_plain(&self, attempt: &Attempt) -> bool {
        if self.case.accepts_all() {
            return true;
        }
        let allowed = self.view.all_kinds();
        let mut hints = attempt.hints_at(self.pointer).peekable();
        hints.peek().is_some() && hints.all(|hint| self.allows(hint, allowed))
    }

    /// Returns whether a type that gives this hint accepts only values of the allowed kinds.
    fn allows(&self, hint: Hint, allowed: Kinds) -> bool {
        let expected = match hint {
            Hint::Any | Hint::Ignored | Hint::Bytes => return false,
            Hint::Option | Hint::Unit => Kinds::NULL,
            Hint::Bool => Kinds::BOOLEAN,
            Hint::Text => Kinds::STRING,
            Hint::Seq | Hint::Tuple => Kinds::ARRAY,
            Hint::Number(name) => {
                let format = self.case.formats().first().copied();
                // The generator writes sizes without a number.
                match (format, name) {
                    (Some("float" | "double"), _) if format == Some(name) => Kinds::NUMBER,
                    (Some("uint"), "uint64") | (Some("int"), "int64") => Kinds::INTEGER,
                    _ if format == Some(name) => Kinds::INTEGER,
                    _ => return false,
                }
            }
            Hint::Map => {
                let is_map = self.described_names().is_empty() && self.has_open_members();
                return is_map && Kinds::OBJECT.within(allowed);
            }
            Hint::Struct(_) => {
                // The content of an adjacently tagged enum is buffered if it comes before the tag.
                let has_tag = self
                    .case
                    .properties()
                    .values()
                    .any(|property| is_constant(self.case.views.view(&property.nodes())));
                return !has_tag && Kinds::OBJECT.within(allowed);
            }
            Hint::Enum(_) => return !self.is_constant(),
        };
        expected.within(allowed)
    }
}

/// Returns whether a value is written as a constant, as a tag is. A list of one value may have
/// other names.
fn is_constant(view: &View<'_>) -> bool {
    view.roots.iter().any(|node| node.is_constant())
}

/// Returns the first value in a sample that the shared schema of this name describes, if few values come before it.
pub fn value_of_type<'t>(view: &'t View<'t>, sample: &Json, name: &str) -> Option<Json> {
    let mut found = None;
    let mut visited_values = 0;
    let _ = visit_values(sample, &mut Pointer::root(), view, &mut |visited| {
        visited_values += 1;
        if *visited.value != Json::Null && visited.case.types().any(|own| own == name) {
            found = Some(visited.value.clone());
            return ControlFlow::Break(());
        }
        if visited_values == MAX_VISITED_FOR_TYPE {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// Visits every value in a sample that a schema describes, until `visit` breaks.
pub(in crate::schema) fn visit_values<'t>(
    sample: &Json,
    pointer: &mut Pointer,
    view: &'t View<'t>,
    visit: &mut dyn FnMut(&VisitedValue<'_, 't>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(value) = Pointer::resolve(pointer.as_str(), sample) else {
        return ControlFlow::Continue(());
    };
    let own_properties: usize = view
        .objects()
        .map(|(_, objects)| objects.properties.len())
        .sum();
    let max_cases = MAX_FORMS.min(MAX_PROPERTIES_OF_FORMS / own_properties.max(1));
    let cases = view.first_cases(max_cases).views;
    for case in cases.iter().filter(|case| may_be(case, value)) {
        visit(&VisitedValue {
            sample,
            pointer,
            value,
            view,
            case,
            others: case.other_properties(),
            cases: &cases,
        })?;
        match value {
            Json::Object(members) => {
                for name in members.keys() {
                    let described = case.property(name.as_str()).nodes();
                    if !described.is_empty() {
                        let inner = case.views.view(&described);
                        visit_values(sample, &mut pointer.join(name), inner, visit)?;
                    }
                }
            }
            Json::Array(elements) => {
                let described = case.elements();
                for index in 0..elements.len() {
                    let inner = case.views.view(described.nodes_at(index));
                    visit_values(sample, &mut pointer.join(index), inner, visit)?;
                }
            }
            _ => {}
        }
    }
    ControlFlow::Continue(())
}

/// Returns whether a value may be one of a combination of alternatives, by its kind, its constants
/// and the names of its members.
fn may_be(case: &View<'_>, value: &Json) -> bool {
    if *value == Json::Null {
        return case.takes_null != Some(false);
    }
    if !case.kinds.meet(Kinds::of_value(value)) || !is_listed(case, value) {
        return false;
    }
    let Json::Object(members) = value else {
        return true;
    };
    for (name, property) in case.properties() {
        if !may_have(case, &property, members.get(name)) {
            return false;
        }
    }
    members
        .keys()
        .all(|name| !case.property(name.as_str()).is_refused)
}

/// Returns whether an object may have this member for a property, or be without one.
fn may_have<'t>(case: &View<'t>, property: &Property<'t>, member: Option<&Json>) -> bool {
    match member {
        None => !property.is_required,
        Some(_) if property.is_refused => false,
        Some(Json::Null) => true,
        Some(member) => is_listed(case.views.view(&property.nodes()), member),
    }
}

/// Returns whether a value is among those that are listed, if any are.
fn is_listed(view: &View<'_>, value: &Json) -> bool {
    match &view.listed {
        Some(listed) => listed.iter().any(|listed| listed.value == value),
        None => true,
    }
}
