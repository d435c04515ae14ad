//! Alternatives, multiplied: the one place where the choices of a value are combined.

use super::model::View;
use crate::schema::limits::MAX_CHOICES;

impl<'t> View<'t> {
    /// Returns a view for each combination of alternatives, in order. None of them has unions. Returns `None` if there
    /// are more than `most`, or if it would take too many steps to tell.
    pub fn cases(&'t self, most: usize) -> Option<Vec<&'t View<'t>>> {
        let mut cases = Vec::new();
        let mut left = vec![self];
        let mut steps_left = MAX_CHOICES;
        while let Some(view) = left.pop() {
            let Some(union) = view.unions.first() else {
                cases.push(view);
                if cases.len() > most {
                    return None;
                }
                continue;
            };
            steps_left = steps_left.checked_sub(union.alternatives.len())?;
            let choices = union.alternatives.iter().rev();
            let choices = choices.map(|alternative| view.choose(alternative));
            left.extend(choices.filter(|choice| !choice.is_nothing()));
            if cases.len() + left.len() > most {
                return None;
            }
        }
        Some(cases)
    }
}
