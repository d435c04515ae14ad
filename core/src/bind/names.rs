//! Problems with the names of parameters or the number of values, and the positions of the other
//! values.

use docent_describe::json::Cursor;
use smallvec::{SmallVec, smallvec};

use super::naming::{by_name_only, given_twice, missing, too_many, unknown};
use super::plan::{ParamStructure, Plan};
use super::problems::Problems;

/// The unknown names so far. Comparing one with all parameters takes time, so each is reported
/// once.
#[derive(Default)]
pub(super) struct UnknownNames(SmallVec<[String; 1]>);

impl UnknownNames {
    /// Reports an unknown name, unless such names are ignored.
    pub(super) fn report(&mut self, plan: &Plan, name: &str, problems: &mut Problems) {
        if plan.ignores_unknown {
            return;
        }
        if problems.left() > 0 && !self.0.iter().any(|other| other == name) {
            self.0.push(name.to_owned());
            problems.push(unknown(plan, name));
        }
    }
}

/// Cursors at values. Those of small procedures need no allocation.
pub(super) type ValueCursors<'t> = SmallVec<[Option<Cursor<'t>>; 8]>;

/// The values that a call passes, each with its parameter.
pub(super) struct PassedValues<'t> {
    /// Each parameter's value, in the order of the plan. If a parameter has several, it is the first.
    pub(super) values: ValueCursors<'t>,
    pub(super) by_position: bool,
}

impl<'t> PassedValues<'t> {
    /// Reads a container of parameters and reports problems with names and numbers.
    pub(super) fn read(plan: &Plan, text: &'t str, problems: &mut Problems) -> Self {
        let mut cursor = Cursor::new(text);
        let by_name = cursor.peek() == b'{';
        let mut passed = Self {
            values: smallvec![None; plan.parameters.len()],
            by_position: plan.passing != ParamStructure::List && !by_name,
        };
        if plan.passing == ParamStructure::List && !by_name {
            passed.values.fill(Some(cursor));
            return passed;
        }
        cursor.step();
        if by_name {
            passed.by_name(plan, cursor, problems);
        } else {
            let count = passed.by_position(cursor);
            if count > 0 && plan.passing == ParamStructure::ByNameOnly {
                problems.push(by_name_only());
                passed.values.fill(None);
                // It is unknown which parameters the values are meant for.
                return passed;
            }
            if count > plan.parameters.len() {
                problems.push(too_many(plan, count));
            }
        }
        passed.note_missing(plan, problems);
        passed
    }

    /// Returns the index of the parameter whose value contains an offset.
    pub(super) fn index_at(&self, offset: usize) -> Option<usize> {
        // The value that begins last before the offset: values do not overlap.
        self.values
            .iter()
            .enumerate()
            .filter_map(|(index, value)| Some((value.as_ref()?.offset(), index)))
            .filter(|(start, _)| *start <= offset)
            .max()
            .map(|(_, index)| index)
    }

    /// Records the values of an object, and reports names that are unknown or occur twice.
    fn by_name(&mut self, plan: &Plan, mut cursor: Cursor<'t>, problems: &mut Problems) {
        let mut unknown_names = UnknownNames::default();
        while let Some(name) = cursor.next_member() {
            let value = cursor;
            cursor.value();
            // A name with an unpaired surrogate is unknown.
            let parameter = match name.try_unescape() {
                Ok(name) => plan.find(&name),
                Err(_) => None,
            };
            match parameter {
                Some((index, _)) if self.values[index].is_none() => {
                    self.values[index] = Some(value);
                }
                Some((_, parameter)) => problems.push_once(&parameter.name, given_twice),
                None => unknown_names.report(plan, &name.unescape(), problems),
            }
            if problems.left() == 0 {
                return;
            }
        }
    }

    /// Records the positions of values, and returns how many there are.
    fn by_position(&mut self, mut cursor: Cursor<'t>) -> usize {
        let mut count = 0;
        while cursor.next_element() {
            if let Some(value) = self.values.get_mut(count) {
                *value = Some(cursor);
            }
            cursor.value();
            count += 1;
        }
        count
    }

    /// Reports required parameters without a value.
    fn note_missing(&mut self, plan: &Plan, problems: &mut Problems) {
        for (parameter, value) in plan.parameters.iter().zip(&self.values) {
            if parameter.required && value.is_none() {
                // If the parameter has another problem, it was passed after all.
                problems.push_once(&parameter.name, missing);
            }
        }
    }
}
