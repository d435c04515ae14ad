//! Values that are wrong in one place, and what a type makes of them.
//!
//! They look for where a type and its schema differ, and each says what to change in the schema if the
//! type takes it. [Variations](crate::schema::variations) look for where a service and its description
//! differ, and need not know why.

use std::rc::Rc;

use super::digits::INTEGERS;
use super::place::Place;
use super::sample::{Sample, Value, forms};
use super::{Trial, keys};
use crate::json::{Decimal, Json, Name, Object};
use crate::schema::form::Form;
use crate::schema::{Kinds, ShapeProblem};

/// A member that no type has.
pub(super) const UNKNOWN_MEMBER: &str = "no type has this member";

impl<'j> Trial<'_, 'j> {
    /// Finds out what else the type takes, and what it does not take, in place of a value of some
    /// form.
    pub(super) fn learn(&mut self, sample: &Rc<Sample<'j>>, form: &Rc<Form<'j>>, place: &Place) {
        if form.is_free() || !self.is_taken(sample) {
            return;
        }
        self.learn_kinds(sample, place);
        self.learn_width(sample, form, place);
        let mut at = sample;
        for &index in place {
            match at.inner(index) {
                Some(inner) => at = inner,
                None => return,
            }
        }
        if let Value::Object(members) = &at.value {
            let names: Vec<Name> = members.iter().map(|(name, _)| name.clone()).collect();
            self.learn_tag(sample, form, place);
            self.learn_map(sample, form, place);
            self.learn_required(sample, form, place, &names);
            self.learn_open(sample, form, place);
            self.learn_siblings(sample, form, place, &names);
            keys::learn(self, sample, form, place, &names);
        }
    }

    /// Puts a value of another kind into the place.
    fn learn_kinds(&mut self, sample: &Rc<Sample<'j>>, place: &Place) {
        if self.verdict.loose {
            return;
        }
        let allowed = |at: &Sample<'j>| match &at.form {
            // All forms of the outermost schema are allowed in the place of one of them.
            Some(form) => form
                .schemas
                .first()
                .map(|schema| forms(schema, self.definitions))
                .unwrap_or_default(),
            None => Vec::new(),
        };
        let mut at = sample;
        for &index in place {
            match at.inner(index) {
                Some(inner) => at = inner,
                None => return,
            }
        }
        let forms = allowed(at);
        let others = [
            Json::Null,
            Json::Bool(true),
            Json::from(0),
            Json::from(1),
            Json::Number("0.5".into()),
            Json::from(""),
            Json::from("a"),
            Json::from("1"),
            Json::Array(Vec::new()),
            Json::Array(vec![Json::from(1), Json::from("a")]),
            Json::Object(Object::new()),
        ];
        for value in others {
            let kind = Kinds::of(&value);
            if forms.iter().any(|form| form.is(kind) || form.is_free()) {
                continue;
            }
            let wrong = sample.changed(place, &|at| at.value = Sample::free(&value).value.clone());
            if self.is_taken(&wrong) {
                self.verdict.loose = true;
                return;
            }
        }
    }

    /// Goes one beyond the bounds that look like those of a type of numbers. That type need not be
    /// the one that decodes them; any other bounds are checked as they are.
    fn learn_width(&mut self, sample: &Rc<Sample<'j>>, form: &Form<'j>, place: &Place) {
        let (Some(Json::Number(least)), Some(Json::Number(greatest))) =
            (form.word("minimum"), form.word("maximum"))
        else {
            return;
        };
        let is = |bound: &str, text: &str| Decimal::new(bound) == Decimal::new(text);
        let mut beyond = Vec::new();
        for (low, high) in INTEGERS {
            if is(least, &low.to_string()) && is(greatest, &high.to_string()) {
                beyond.extend(low.checked_sub(1).map(|below| below.to_string()));
                beyond.extend(high.checked_add(1).map(|above| above.to_string()));
            }
        }
        if is(greatest, "3.4028235e38") {
            beyond.extend(["1e39", "-1e39"].map(str::to_owned));
        }
        for text in beyond {
            let wide = sample.changed(place, &|at| {
                at.value = Value::Scalar(Json::Number(text.as_str().into()));
            });
            self.verdict.loose = self.verdict.loose || self.is_taken(&wide);
        }
    }

    /// Omits a required member.
    fn learn_required(
        &mut self,
        sample: &Rc<Sample<'j>>,
        form: &Form<'j>,
        place: &Place,
        names: &[Name],
    ) {
        let required = form.required();
        for name in names
            .iter()
            .filter(|name| required.contains(&name.as_str()))
        {
            let without = sample.changed(place, &|at| {
                if let Value::Object(members) = &mut at.value {
                    members.retain(|(other, _)| other != name);
                }
            });
            self.verdict.loose = self.verdict.loose || self.is_taken(&without);
        }
    }

    /// Adds an unknown member.
    fn learn_open(&mut self, sample: &Rc<Sample<'j>>, form: &Form<'j>, place: &Place) {
        if !form.open_members().is_empty() {
            return;
        }
        let taken = self.takes_member(sample, place, UNKNOWN_MEMBER);
        if form.is_open() && taken.is_empty() {
            self.verdict.edits.close(form);
        } else if !form.is_open() && !taken.is_empty() {
            self.verdict.loose = true;
            if form.word("unevaluatedProperties") == Some(&Json::Bool(false)) {
                self.problem(form, UNKNOWN_MEMBER, |parameter, _, place| {
                    ShapeProblem::OpenInside { parameter, place }
                });
            }
        }
    }

    /// Adds members that belong to other alternatives.
    fn learn_siblings(
        &mut self,
        sample: &Rc<Sample<'j>>,
        form: &Form<'j>,
        place: &Place,
        names: &[Name],
    ) {
        if !form.is_open() || !form.open_members().is_empty() {
            return;
        }
        let mut others: Vec<&str> = Vec::new();
        for other in form
            .others
            .iter()
            .flat_map(|other| forms(other, self.definitions))
        {
            others.extend(other.properties().into_iter().map(|(name, _)| name));
        }
        others.retain(|name| form.property(name).is_none());
        others.retain(|name| !names.iter().any(|own| *own == **name));
        for name in others {
            let taken = self.takes_member(sample, place, name);
            if taken == [Json::Null] {
                self.verdict.edits.only_null(form, name);
            }
        }
    }

    /// The values with which a member may be added, of one of each kind.
    fn takes_member(&self, sample: &Rc<Sample<'j>>, place: &Place, name: &str) -> Vec<Json> {
        let mut values = super::text::anything();
        values.retain(|value| {
            let added = sample.changed(place, &|at| {
                if let Value::Object(members) = &mut at.value {
                    members.push((name.into(), Sample::free(value)));
                }
            });
            self.is_taken(&added)
        });
        values
    }
}

impl<'j> Trial<'_, 'j> {
    /// The choices that a type says it has where it refuses a member's name.
    pub(super) fn choices(
        &self,
        sample: &Rc<Sample<'j>>,
        place: &Place,
        value: &Rc<Sample<'j>>,
    ) -> &'static [&'static str] {
        let with = sample.changed(place, &|at| {
            if let Value::Object(members) = &mut at.value {
                members.push((UNKNOWN_MEMBER.into(), Rc::clone(value)));
            }
        });
        self.attempt(&with)
            .1
            .err()
            .map_or(&[], |refusal| refusal.choices)
    }
}
