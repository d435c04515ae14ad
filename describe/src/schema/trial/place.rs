//! Places in a sample.

use std::collections::HashSet;
use std::rc::Rc;

use super::addresses::Addresses;
use super::sample::{Sample, Value};
use crate::json::Json;
use crate::schema::form::Form;

/// A way into a sample: the index of an element or a member at each level.
pub(super) type Place = Vec<usize>;

/// What has been visited.
#[derive(Default)]
pub(super) struct Known<'j> {
    forms: HashSet<(*const Json, Vec<usize>, &'static str)>,
    /// Samples, by address: what several have in common is visited once.
    samples: Addresses<Sample<'j>>,
}

/// Visits each form in a sample that is not in `known` yet, and where it stands. The sample has to
/// live as long as `known`.
pub(super) fn each_form<'j>(
    sample: &Rc<Sample<'j>>,
    known: &mut Known<'j>,
    visit: &mut dyn FnMut(&Rc<Form<'j>>, &Place),
) {
    let mut place = Vec::new();
    walk(sample, known, &mut place, visit);
}

fn walk<'j>(
    sample: &Rc<Sample<'j>>,
    known: &mut Known<'j>,
    place: &mut Place,
    visit: &mut dyn FnMut(&Rc<Form<'j>>, &Place),
) {
    if !known.samples.insert(Rc::as_ptr(sample)) {
        return;
    }
    if let Some(form) = &sample.form {
        let all = form
            .schemas
            .iter()
            .map(|schema| std::ptr::from_ref(*schema).addr());
        let outer = form
            .schemas
            .first()
            .map_or(std::ptr::null(), |schema| std::ptr::from_ref(*schema));
        if known.forms.insert((outer, all.collect(), sample.kind())) {
            visit(form, place);
        }
    }
    for index in 0..sample.len() {
        place.push(index);
        if let Some(inner) = sample.inner(index) {
            walk(inner, known, place, visit);
        }
        place.pop();
    }
}

impl Sample<'_> {
    fn kind(&self) -> &'static str {
        match &self.value {
            Value::Scalar(scalar) => scalar.kind(),
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    fn len(&self) -> usize {
        match &self.value {
            Value::Scalar(_) => 0,
            Value::Array(elements) => elements.len(),
            Value::Object(members) => members.len(),
        }
    }

    pub(super) fn inner(&self, index: usize) -> Option<&Rc<Self>> {
        match &self.value {
            Value::Scalar(_) => None,
            Value::Array(elements) => elements.get(index),
            Value::Object(members) => members.get(index).map(|(_, value)| value),
        }
    }

    /// The sample with what stands at a place changed.
    pub(super) fn changed(
        self: &Rc<Self>,
        place: &[usize],
        change: &dyn Fn(&mut Self),
    ) -> Rc<Self> {
        let mut sample = Rc::clone(self);
        let mut at = Rc::make_mut(&mut sample);
        for &index in place {
            let inner = match &mut at.value {
                Value::Scalar(_) => None,
                Value::Array(elements) => elements.get_mut(index),
                Value::Object(members) => members.get_mut(index).map(|(_, value)| value),
            };
            match inner {
                Some(inner) => at = Rc::make_mut(inner),
                None => return Rc::clone(self),
            }
        }
        change(at);
        sample
    }
}
