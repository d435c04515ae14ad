//! Combinations of the alternatives of a value's unions.
//!
//! Their number is the product of all choices, so they are made one after the other, and only as many as are asked
//! for. A reader that can look at each union by itself does that instead.

use super::model::{Alternative, View};
use crate::schema::limits::{MAX_CHOICES, MAX_NESTED_UNIONS, STEPS_OF_NESTED};

/// The combinations of a value's alternatives.
#[derive(Debug)]
pub struct Cases<'t> {
    /// A view for each combination, in order. None of them has unions.
    pub views: Vec<&'t View<'t>>,
    /// True if these are all combinations.
    pub are_all: bool,
}

impl<'t> View<'t> {
    /// Returns a view for each combination of alternatives, in order. None of them has unions. Returns `None`
    /// if there are more than `most`, or if finding them takes too many steps.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{SchemaContext, SchemaViews};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext::new(&components, Some(&[]));
    /// let schema: Json = r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#.parse()?;
    ///
    /// let views = SchemaViews::new(context);
    /// let view = views.view_of_schema(&schema);
    /// assert_eq!(view.cases(10).map(|cases| cases.len()), Some(2));
    /// assert!(view.cases(1).is_none());
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn cases(&'t self, most: usize) -> Option<Vec<&'t View<'t>>> {
        // Then not all of them can be found, and the first few would be made in vain for each link of a long chain.
        if self.alternatives().any(Alternative::is_too_deep) {
            return None;
        }
        let cases = self.first_cases(most);
        cases.are_all.then_some(cases.views)
    }

    /// Returns the first combinations of alternatives, at most `most`.
    pub fn first_cases(&'t self, most: usize) -> Cases<'t> {
        let mut cases = Cases {
            views: Vec::new(),
            are_all: true,
        };
        let mut steps_left = MAX_CHOICES;
        // The choices under way, each with the alternatives that are still to be tried.
        let mut pending = Vec::new();
        let mut next = Some(self);
        loop {
            if let Some(view) = next.take() {
                match view.unions.first() {
                    None => cases.views.push(view),
                    Some(_) if view.chosen.len() >= MAX_NESTED_UNIONS => {
                        cases.are_all = false;
                        // Others that are nested as deep are unlikely to lead anywhere.
                        steps_left = steps_left.saturating_sub(STEPS_OF_NESTED);
                    }
                    Some(union) => pending.push((view, union.alternatives.iter())),
                }
            }
            let Some((view, alternatives)) = pending.last_mut() else {
                return cases;
            };
            let Some(alternative) = alternatives.next() else {
                pending.pop();
                continue;
            };
            if steps_left == 0 || cases.views.len() == most {
                cases.are_all = false;
                return cases;
            }
            steps_left -= 1;
            let choice = view.choose(alternative);
            if !choice.is_nothing() {
                next = Some(choice);
            }
        }
    }
}
