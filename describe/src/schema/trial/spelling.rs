//! Texts in notations of their own, which a schema mostly does not tell from any other text.
//!
//! A socket address is a string to its schema, and a type that wants one refuses every sample that
//! knows no better. Nothing else of the value around it could then be tried.

use std::collections::HashMap;

use super::decode::{Asks, Refusal};
use crate::json::Json;
use crate::schema::form::Form;

/// A text in each of the notations that types of common crates decode.
pub(super) const NOTATIONS: [&str; 16] = [
    "127.0.0.1:80",
    "[::1]:80",
    "192.0.2.1",
    "2001:db8::1",
    "192.0.2.0/24",
    "1.5",
    "PT1H",
    "1h",
    "1.2.3",
    "2024-02-29",
    "2024-02-29T12:34:56Z",
    "UTC",
    "en",
    "text/plain",
    "https://example.com/",
    "41544946-415a-495a-9645-454441534646",
];

/// The text to begin with, for each schema where one was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Spellings(HashMap<*const Json, &'static str>);

impl Spellings {
    pub(super) fn of(&self, form: &Form<'_>) -> Option<&'static str> {
        self.0.get(&key(form)).copied()
    }

    /// Finds the texts with which a value is taken. `attempt` decodes a value that is made with the
    /// texts found so far.
    pub(super) fn learn<'j>(
        &mut self,
        mut attempt: impl FnMut(&Self) -> (Asks<'j>, Result<(), Refusal>),
    ) {
        let mut refused = refused_text(attempt(self));
        while let Some(form) = refused.filter(|form| !self.0.contains_key(form)) {
            let next = NOTATIONS.iter().find_map(|notation| {
                self.0.insert(form, notation);
                let next = refused_text(attempt(self));
                (next != Some(form)).then_some(next)
            });
            refused = next.unwrap_or_else(|| {
                self.0.remove(&form);
                None
            });
        }
    }
}

/// The text that a type refused: what it asked for last, where that is one that could be another.
fn refused_text((asks, outcome): (Asks<'_>, Result<(), Refusal>)) -> Option<*const Json> {
    outcome.err()?;
    let (form, _) = asks.last()?;
    form.is_free_text().then(|| key(form))
}

fn key(form: &Form<'_>) -> *const Json {
    let innermost = form.schemas.last();
    innermost.map_or(std::ptr::null(), |schema| std::ptr::from_ref(*schema))
}
