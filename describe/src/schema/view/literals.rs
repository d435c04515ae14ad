//! How programs write values: as in JSON, or as types of their own.

use std::collections::HashSet;

use super::model::View;
use crate::schema::kinds::Kinds;

/// The maximum number of schemas that are looked at. A value of more counts as one with types of its own.
const MAX_SCHEMAS: usize = 2_000;

/// The greatest integer up to which a double holds all of them exactly.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

impl View<'_> {
    /// Returns whether a program in TypeScript writes each of the values as JSON does: none is or holds bytes, or an
    /// integer whose published bounds a double cannot hold, which generated clients read as a `bigint`.
    pub fn is_json_in_typescript(&self) -> bool {
        let mut seen = HashSet::new();
        let mut pending: Vec<_> = self.nodes().collect();
        while let Some(node) = pending.pop() {
            if !seen.insert(node.id) {
                continue;
            }
            let view = self.views.view(&[node]);
            if seen.len() > MAX_SCHEMAS || view.checked_encoding().is_some() || view.is_big() {
                return false;
            }
            for node in view.nodes() {
                node.for_each_child(&mut |child| pending.push(child));
            }
        }
        true
    }

    /// Returns whether the values are integers whose bounds a double cannot hold.
    fn is_big(&self) -> bool {
        let bounds = self.numbers();
        let mut ends = bounds.least.into_iter().chain(bounds.most);
        !self.kinds.meet(Kinds::FRACTION)
            && ends.any(|end| {
                let number = end.number.parse::<f64>();
                number.is_ok_and(|number| number.abs() > MAX_SAFE_INTEGER)
            })
    }
}
