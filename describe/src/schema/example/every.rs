//! Makes values of every form that a schema allows.

use std::collections::HashSet;

use super::{DEEPEST_OPTIONAL, Examples, Wanted, counts, kinds};
use crate::json::{Json, Object};
use crate::schema::form::{Form, forms};
use crate::schema::kinds::Kinds;

/// The maximum number of forms of one schema.
const FORMS: usize = 1000;
/// The maximum number of values in an `enum`, and of values of one kind.
const LISTED: usize = 40;
const SCALARS: usize = 3;
/// Texts that a schema may allow and a type may refuse.
const UNUSUAL: [&str; 3] = ["", "ä😀", "0"];
/// The maximum number of values.
const MOST_FORMS: usize = 1_200;

/// The search for values of every form.
struct EachForm<'e, 'd> {
    examples: &'e Examples<'d>,
    /// The named types whose forms have been made.
    made: HashSet<&'d str>,
    /// False if there is a form without a value.
    is_complete: bool,
}

impl<'d> Examples<'d> {
    /// Returns values of every form that a schema allows, the simplest first: each differs in one
    /// place from a small one.
    ///
    /// They are valid in their parts. As a whole, members that exclude one another may rule one out.
    pub fn of_each_form(&self, schema: &'d Json) -> Vec<Json> {
        self.each_form(schema).0
    }

    /// Returns values of every form that a schema allows, and whether there is one of each.
    pub(in crate::schema) fn each_form(&self, schema: &'d Json) -> (Vec<Json>, bool) {
        self.start(10);
        let mut each = EachForm {
            examples: self,
            made: HashSet::new(),
            is_complete: true,
        };
        let mut values = each.values(schema);
        each.is_complete &= values.len() <= MOST_FORMS && self.has_time();
        values.truncate(MOST_FORMS);
        (values, each.is_complete)
    }
}

impl<'d> EachForm<'_, 'd> {
    fn values(&mut self, schema: &'d Json) -> Vec<Json> {
        let forms = forms(schema, self.examples.definitions, FORMS);
        self.is_complete &= !forms.is_empty() && forms.len() < FORMS;
        let is_made = |form: &Form<'d>| form.types.iter().any(|name| self.made.contains(name));
        let known: Vec<bool> = forms.iter().map(is_made).collect();
        self.made.extend(forms.iter().flat_map(|form| &form.types));
        let mut values = Vec::new();
        if known.contains(&true) {
            // What a type takes inside another, it takes everywhere.
            values.extend(self.small(schema));
        }
        for (form, _) in forms.iter().zip(known).filter(|(_, known)| !known) {
            if values.len() > MOST_FORMS {
                break;
            }
            self.of_form(schema, form, &mut values);
        }
        values
    }

    fn small(&mut self, schema: &Json) -> Option<Json> {
        let value = self.examples.small(schema);
        self.is_complete &= value.is_some();
        value
    }

    fn of_form(&mut self, schema: &'d Json, form: &Form<'d>, values: &mut Vec<Json>) {
        if let Some(listed) = form.listed() {
            self.is_complete &= !listed.is_empty();
            values.extend(listed.into_iter().take(LISTED).cloned());
            return;
        }
        let kinds = kinds(form);
        for kind in kinds {
            let before = values.len();
            match kind {
                Kinds::OBJECT if !form.is_free() => self.objects(form, values),
                Kinds::ARRAY if !form.is_free() => self.arrays(form, values),
                Kinds::OBJECT => values.push(Json::Object(Object::from([("a", Json::Null)]))),
                Kinds::ARRAY => values.push(Json::Array(vec![Json::from(1)])),
                scalar => {
                    let mut found = self.examples.found(schema, SCALARS);
                    found.offer_scalars(form, scalar);
                    if scalar == Kinds::STRING {
                        found.count += UNUSUAL.len();
                        for text in UNUSUAL {
                            found.offer(text.into());
                        }
                    }
                    values.append(&mut found.values);
                }
            }
            self.is_complete &= values.len() > before;
        }
    }

    /// Makes objects: without optional members, with all of them, and with each value of one.
    fn objects(&mut self, form: &Form<'d>, values: &mut Vec<Json>) {
        let mut base = Object::new();
        for name in form.required() {
            let value = match form.property(name) {
                Some(schema) => self.small(schema),
                None => Some(Json::Null),
            };
            let Some(value) = value else { return };
            base.insert(name, value);
        }
        values.push(Json::Object(base.clone()));
        let with = |name: &str, value: Json| {
            let mut members = base.clone();
            members.insert(name, value);
            Json::Object(members)
        };
        let mut properties = form.properties();
        properties.retain(|(_, schema)| **schema != Json::Bool(false));
        let mut whole = base.clone();
        for (name, schema) in &properties {
            if !whole.contains_key(name)
                && let Some(value) = self.small(schema)
            {
                whole.insert(*name, value);
            }
        }
        // The order of members must not matter.
        values.push(Json::Object(whole.clone().into_iter().rev().collect()));
        values.push(Json::Object(whole));
        let named = properties
            .into_iter()
            .map(|(name, it)| (name.to_owned(), it));
        for (name, schema) in named.chain(form.open_members()) {
            let each = self.values(schema).into_iter();
            values.extend(each.map(|value| with(&name, value)));
        }
        if form.is_open() {
            values.push(with("unknown member", Json::from(1)));
        }
    }

    /// Makes arrays: the shortest, and with each value of an element.
    fn arrays(&mut self, form: &Form<'d>, values: &mut Vec<Json>) {
        let (least, most) = counts(form, "minItems", "maxItems");
        let length = least.max(form.prefix().len()).min(most);
        let wanted = Wanted::one(DEEPEST_OPTIONAL);
        let Some(base) = self.examples.elements(form, length, wanted) else {
            return;
        };
        values.push(Json::Array(base.clone()));
        for (index, schema) in form.prefix().iter().enumerate().take(length) {
            for value in self.values(schema) {
                let mut elements = base.clone();
                elements[index] = value;
                values.push(Json::Array(elements));
            }
        }
        let Some(items) = form.items() else { return };
        for value in self.values(items) {
            let mut elements = base.clone();
            if elements.len() >= most {
                elements.pop();
            }
            elements.push(value);
            values.push(Json::Array(elements));
        }
    }
}
