//! How programs write values: as in JSON, or as types of their own.

use std::collections::HashSet;

use super::model::View;
use crate::json::{Decimal, Json};
use crate::schema::kinds::Kinds;

/// The maximum number of schemas that are looked at. A value of more counts as one with types of its own.
const MAX_SCHEMAS: usize = 500;

/// The maximum length of an integer of which a double holds every one.
const MAX_EXACT_DIGITS: usize = 15;

impl View<'_> {
    /// Returns whether a TypeScript program writes each of the values as JSON does. A value that contains bytes
    /// is written in another way, and so is an integer that the schema does not limit to those a double holds,
    /// since generated clients read it as a `bigint`.
    pub fn is_json_in_typescript(&self) -> bool {
        let mut seen = HashSet::new();
        let mut pending: Vec<_> = self.nodes().collect();
        while let Some(node) = pending.pop() {
            if !seen.insert(node.id) {
                continue;
            }
            let view = self.views.view(&[node]);
            if seen.len() > MAX_SCHEMAS
                || view.checked_encoding().is_some()
                || view.has_wide_integers()
            {
                return false;
            }
            for node in view.nodes() {
                node.for_each_child(&mut |child| pending.push(child));
            }
        }
        true
    }

    /// Returns whether the values are integers that a double may not hold, by their range or because one that
    /// is listed has many digits.
    pub fn has_wide_integers(&self) -> bool {
        let Some(listed) = &self.listed else {
            return !self.kinds.meet(Kinds::FRACTION) && self.integers().exceeds_doubles();
        };
        let mut has_wide = false;
        for listed in listed {
            let Some(digits) = integer(listed.value) else {
                return false;
            };
            has_wide |= digits.len() > MAX_EXACT_DIGITS;
        }
        has_wide
    }
}

/// Returns the digits of an integer of at most 127 bits, or `None` for any other value.
fn integer(value: &Json) -> Option<&str> {
    let number = value.as_number()?;
    Decimal::new(number).to_i128().map(|_| number)
}
