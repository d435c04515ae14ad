//! Makes values of every form that a schema allows.
//!
//! Trials and tests need them, because a type treats all values of a form alike. Forms
//! do not multiply: each value differs from a small one in a single part.

use std::collections::HashSet;

use indexmap::IndexSet;

use super::{Examples, FoundValues, WantedValues, kinds_of_case};
use crate::json::{Json, Object};
use crate::schema::kinds::Kinds;
use crate::schema::limits::{
    MAX_DEPTH_OF_OPTIONAL, MAX_EXAMPLES_FOR_EVERY, MAX_FORMS, MAX_LISTED_OF_EVERY, MAX_SCALARS,
    MAX_VALUES_OF_EVERY,
};
use crate::schema::texts::text_matching;
use crate::schema::view::{Property, View};

/// Texts that a schema may allow and a type may refuse.
const UNUSUAL_TEXTS: [&str; 3] = ["", "ä😀", "0"];

/// Values of every form that a schema allows.
pub(in crate::schema) struct ValuesOfForms {
    pub(in crate::schema) values: Vec<Json>,
    /// True if there is a value of each form.
    pub(in crate::schema) are_all: bool,
}

/// The search for values of every form.
struct EachForm<'e, 't> {
    examples: &'e Examples<'t>,
    /// The named types whose forms have been made.
    made: HashSet<&'t str>,
    /// False if there is a form without a value.
    is_complete: bool,
}

impl<'t> Examples<'t> {
    /// Returns a value for each form that the schemas allow, the simplest first: each differs in a single part from
    /// a small one.
    ///
    /// Each part is valid by itself. The entire value may be invalid, if some of its members exclude one
    /// another.
    pub fn of_each_form(&self, view: &'t View<'t>) -> Vec<Json> {
        self.each_form(view).values
    }

    /// Returns values of every form, as far as they can be made.
    pub(in crate::schema) fn each_form(&self, view: &'t View<'t>) -> ValuesOfForms {
        self.start(MAX_EXAMPLES_FOR_EVERY);
        let mut each = EachForm {
            examples: self,
            made: HashSet::new(),
            is_complete: true,
        };
        let mut values = each.values(view);
        let are_all = each.is_complete && values.len() <= MAX_VALUES_OF_EVERY && self.has_time();
        values.truncate(MAX_VALUES_OF_EVERY);
        ValuesOfForms { values, are_all }
    }
}

impl<'t> EachForm<'_, 't> {
    /// Returns values of every form, except those of types that have been made elsewhere.
    fn values(&mut self, view: &'t View<'t>) -> Vec<Json> {
        let cases = view.first_cases(MAX_FORMS);
        let takes_null = view.takes_null != Some(false);
        self.is_complete &= cases.are_all && (takes_null || !cases.views.is_empty());
        let mut new_cases = cases.views.clone();
        new_cases.retain(|case| !case.types().any(|name| self.made.contains(name)));
        self.made
            .extend(cases.views.iter().flat_map(|case| case.types()));
        let mut values = Vec::new();
        if new_cases.len() < cases.views.len() {
            // A type takes the same values inside another as everywhere.
            values.extend(self.small(view));
        }
        for case in new_cases {
            if values.len() <= MAX_VALUES_OF_EVERY {
                self.add_case(view, case, &mut values);
            }
        }
        if takes_null && !values.contains(&Json::Null) {
            values.push(Json::Null);
        }
        values
    }

    /// Returns a small value.
    fn small(&mut self, view: &'t View<'t>) -> Option<Json> {
        let value = self.examples.small(view);
        self.is_complete &= value.is_some();
        value
    }

    /// Adds values of one combination of alternatives.
    fn add_case(&mut self, view: &'t View<'t>, case: &'t View<'t>, values: &mut Vec<Json>) {
        if let Some(listed) = &case.listed {
            for listed in listed.iter().take(MAX_LISTED_OF_EVERY) {
                values.push(listed.value.clone());
            }
            return;
        }
        let is_free = case.accepts_all();
        for kind in kinds_of_case(case) {
            let before = values.len();
            match kind {
                Kinds::OBJECT | Kinds::ARRAY if is_free => {
                    let mut all = Vec::from(one_of_each_kind());
                    all.retain(|value| Kinds::of_value(value) == kind);
                    values.append(&mut all);
                }
                Kinds::OBJECT => self.add_objects(case, values),
                Kinds::ARRAY => self.add_arrays(case, values),
                scalar => values.append(&mut self.scalars(view, case, scalar)),
            }
            self.is_complete &= values.len() > before;
        }
    }

    /// Returns values without parts.
    fn scalars(&self, view: &'t View<'t>, case: &'t View<'t>, kind: Kinds) -> Vec<Json> {
        let wanted = WantedValues {
            count: MAX_SCALARS,
            ..WantedValues::one(0)
        };
        let mut found = FoundValues::new(self.examples, view, wanted);
        found.offer_scalars(case, kind);
        if kind == Kinds::STRING {
            found.wanted.count += UNUSUAL_TEXTS.len();
            found.offer_all(UNUSUAL_TEXTS.map(Json::from));
        }
        found.values
    }

    /// Adds objects: without optional members, with all of them, and with each value of one.
    fn add_objects(&mut self, case: &'t View<'t>, values: &mut Vec<Json>) {
        let mut properties = case.properties();
        let mut base = Object::new();
        for (name, property) in &properties {
            if property.is_required {
                let Some(value) = self.small(view_of_property(case, property)) else {
                    return;
                };
                base.insert(*name, value);
            }
        }
        values.push(Json::Object(base.clone()));
        properties.retain(|_, property| !property.is_refused);
        let mut complete = base.clone();
        for (name, property) in &properties {
            if !complete.contains_key(name)
                && let Some(value) = self.small(view_of_property(case, property))
            {
                complete.insert(*name, value);
            }
        }
        // The order of members must not matter.
        values.push(Json::Object(complete.clone().into_iter().rev().collect()));
        values.push(Json::Object(complete));
        let mut names: Vec<String> = properties.keys().map(|name| (*name).to_owned()).collect();
        names.extend(self.open_names(case));
        for name in names {
            for value in self.values(view_of_property(case, &case.property(&name))) {
                let mut members = base.clone();
                members.insert(name.as_str(), value);
                values.push(Json::Object(members));
            }
        }
    }

    /// Returns names for members that no schema names: some that match each pattern, and some that match none.
    fn open_names(&self, case: &'t View<'t>) -> IndexSet<String> {
        let wanted = WantedValues::one(MAX_DEPTH_OF_OPTIONAL);
        case.other_properties()
            .patterns
            .into_iter()
            .filter_map(|(pattern, _)| text_matching(pattern))
            .chain(self.examples.free_names(case, wanted, 2))
            .filter(|name| !case.property(name).is_refused)
            .collect()
    }

    /// Adds arrays: the shortest, and with each value of an element.
    fn add_arrays(&mut self, case: &'t View<'t>, values: &mut Vec<Json>) {
        let described = case.elements();
        let (least, most) = described.length.sizes();
        let length = least.max(described.prefix.len()).min(most);
        let Some(base) =
            self.examples
                .elements(case, length, WantedValues::one(MAX_DEPTH_OF_OPTIONAL))
        else {
            return;
        };
        values.push(Json::Array(base.clone()));
        for (index, nodes) in described.prefix.iter().enumerate() {
            for value in self.values(case.views.view(nodes)) {
                let mut elements = base.clone();
                elements[index] = value;
                values.push(Json::Array(elements));
            }
        }
        if described.is_closed() || described.rest.is_empty() {
            return;
        }
        for value in self.values(case.views.view(&described.rest)) {
            let mut elements = base.clone();
            if elements.len() >= most {
                elements.pop();
            }
            elements.push(value);
            values.push(Json::Array(elements));
        }
    }
}

/// Returns the view of a property's value.
fn view_of_property<'t>(case: &View<'t>, property: &Property<'t>) -> &'t View<'t> {
    case.views.view(&property.nodes())
}

/// Returns a value of each kind.
pub(in crate::schema) fn one_of_each_kind() -> [Json; 7] {
    [
        Json::Null,
        Json::Bool(true),
        Json::from(1),
        Json::Number("0.5".into()),
        Json::from("a"),
        Json::Array(vec![Json::from(1)]),
        Json::Object(Object::from([("a", Json::Null)])),
    ]
}
