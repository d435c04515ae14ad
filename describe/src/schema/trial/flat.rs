//! How what is flattened is decoded, which a schema does not show.

use std::rc::Rc;

use super::Trial;
use super::place::Place;
use super::sample::{Sample, Value};
use super::sampler::Sampler;
use super::wrong::UNKNOWN_MEMBER;
use crate::json::{Json, Object};
use crate::schema::form::Form;
use crate::schema::recursion;

impl<'j> Trial<'_, 'j> {
    /// Tells adjacently tagged enums from internally tagged ones, which look the same where all
    /// variants have one field of one name. Only the former decode their tag as an enum, and so take
    /// it as the name of a member too.
    pub(super) fn learn_tag(
        &mut self,
        sample: &Rc<Sample<'j>>,
        form: &Rc<Form<'j>>,
        place: &Place,
    ) {
        for &schema in &form.schemas {
            let Some((tag, Json::String(variant))) = recursion::tag(schema) else {
                continue;
            };
            let mut named = Object::new();
            named.insert(variant.clone(), Json::Null);
            let named = Sample::free(&Json::Object(named));
            let changed = sample.changed(place, &|at| {
                if let Value::Object(members) = &mut at.value
                    && let Some((_, value)) = members.iter_mut().find(|(name, _)| name == tag)
                {
                    Rc::make_mut(value).value = named.value.clone();
                }
            });
            if self.is_taken(&changed) {
                self.verdict.copies.moved(schema);
            }
        }
    }

    /// Tells a flattened map from a map. The former reads everything before it decodes anything, so
    /// that it sees the second member even where the first one is wrong.
    pub(super) fn learn_map(
        &mut self,
        sample: &Rc<Sample<'j>>,
        form: &Rc<Form<'j>>,
        place: &Place,
    ) {
        let [.., schema] = *form.schemas else {
            return;
        };
        let members = form.open_members();
        let ([(name, values)], true) = (&*members, form.properties().is_empty()) else {
            return;
        };
        let Some(simplest) = Sampler::new(self.definitions).simplest(values) else {
            return;
        };
        let Some(inner) = &simplest.form else {
            return;
        };
        let marked = Rc::new(Form::clone(inner));
        for wrong in super::text::anything() {
            let two = sample.changed(place, &|at| {
                let second = Sample {
                    form: Some(Rc::clone(&marked)),
                    value: simplest.value.clone(),
                };
                at.value = Value::Object(vec![
                    (UNKNOWN_MEMBER.into(), Sample::free(&wrong)),
                    (name.into(), Rc::new(second)),
                ]);
            });
            let (asks, outcome) = self.attempt(&two);
            if outcome.is_err() {
                if asks.iter().any(|(form, _)| Rc::ptr_eq(form, &marked)) {
                    self.verdict.copies.copied(schema);
                }
                return;
            }
        }
    }
}
