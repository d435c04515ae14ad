//! The rules for arrays: how many elements there are, and which.
//!
//! A length without a maximum stands for any number of elements, so the rest is compared once.

use super::case::Case;
use super::checker::InclusionChecker;
use docent_describe::schema::{ArrayKeywords, Node};

impl<'t> InclusionChecker<'t> {
    /// Returns whether arrays have the right elements, and as many.
    pub(super) fn arrays_fit(&mut self, case: &Case<'t>, wide: &'t ArrayKeywords<'t>) -> bool {
        let elements = case.view.elements();
        let most = elements.length.most.unwrap_or(u64::MAX);
        // The elements after the first positions are all alike, so one stands for them.
        let mut positions = elements.prefix.len().max(wide.prefix.len());
        if let Ok(most) = usize::try_from(most) {
            positions = positions.min(most.saturating_sub(1));
        }
        elements.length.is_within(wide.length)
            && (!wide.are_unique || elements.are_unique || most <= 1)
            && wide.unevaluated.as_deref().is_none_or(Node::accepts_all)
            && (most == 0
                || (0..=positions).all(|index| {
                    match wide.prefix.get(index).or(wide.rest.as_deref()) {
                        Some(asked) => self.includes(elements.nodes_at(index), asked),
                        None => true,
                    }
                }))
    }
}
