//! What accepted samples have shown already. They have much in common, so most of what one shows has
//! been shown by another.

use std::rc::Rc;

use super::addresses::{Addresses, ByAddress};
use super::decode::Ask;
use super::sample::{Sample, Value};
use crate::json::Json;
use crate::schema::form::Form;

/// What has been seen in the samples of one parameter. The samples have to live as long as this does,
/// since they are identified by their addresses.
#[derive(Default)]
pub(super) struct Seen<'j> {
    /// The schemas of which a sample has been taken.
    schemas: Addresses<Json>,
    samples: Addresses<Sample<'j>>,
    /// What was asked for at each form.
    asks: ByAddress<Form<'j>, Vec<Ask>>,
}

impl<'j> Seen<'j> {
    /// Notes which schemas a sample that was taken stands for.
    pub(super) fn cover(&mut self, sample: &Rc<Sample<'j>>) {
        if !self.samples.insert(Rc::as_ptr(sample)) {
            return;
        }
        if let Some(form) = &sample.form {
            let schemas = form.schemas.iter();
            self.schemas
                .extend(schemas.map(|schema| std::ptr::from_ref(*schema)));
        }
        match &sample.value {
            Value::Scalar(_) => {}
            Value::Array(elements) => elements.iter().for_each(|element| self.cover(element)),
            Value::Object(members) => members.iter().for_each(|(_, value)| self.cover(value)),
        }
    }

    /// Whether a sample of a schema has been taken.
    pub(super) fn has(&self, schema: &Json) -> bool {
        self.schemas.contains(&std::ptr::from_ref(schema))
    }

    /// Whether a type asks for this at a form for the first time.
    pub(super) fn asks_first(&mut self, form: &Rc<Form<'j>>, ask: Ask) -> bool {
        let asks = self.asks.entry(Rc::as_ptr(form)).or_default();
        let is_new = !asks.contains(&ask);
        if is_new {
            asks.push(ask);
        }
        is_new
    }
}
