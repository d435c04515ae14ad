//! What is wrong with the names that are given, or with how many values there are; and where the
//! values of the others stand.

use docent_describe::json::{unescape, unescape_lossy};

use super::blame::{by_name_only, given_twice, missing, too_many, unknown};
use super::de::Decoder;
use super::plan::{Marks, Plan, Shape};
use super::problems::Problems;

/// The names that no parameter has. Comparing one with all there are takes its time, so each is told
/// once.
#[derive(Default)]
pub(super) struct Strangers(Vec<String>);

impl Strangers {
    /// Notes a name that no parameter has.
    pub(super) fn meet(&mut self, plan: &Plan, name: &str, problems: &mut Problems) {
        if problems.left() > 0 && !self.0.iter().any(|other| other == name) {
            self.0.push(name.to_owned());
            problems.push(unknown(plan, name));
        }
    }
}

/// The values that a call gives.
pub(super) struct Given {
    /// Where the value of each parameter begins, in the plan's order; the first, where there are
    /// several.
    pub(super) values: Vec<Option<usize>>,
    pub(super) by_position: bool,
    /// Whether everything that is required has been given.
    pub(super) complete: bool,
}

impl Given {
    /// Reads a container of parameters and notes what is wrong with it.
    pub(super) fn read(plan: &Plan, text: &str, problems: &mut Problems) -> Self {
        let mut decoder = Decoder::new(text);
        let by_name = decoder.next() == Some(b'{');
        let mut given = Self {
            values: vec![None; plan.parameters().len()],
            by_position: !by_name && plan.shape() != Shape::List,
            complete: true,
        };
        if plan.shape() == Shape::List && !by_name {
            given.values.fill(Some(decoder.offset()));
            return given;
        }
        decoder.step();
        if by_name {
            given.by_name(plan, &mut decoder, problems);
        } else {
            let count = given.by_position(&mut decoder);
            if count > 0 && plan.shape() == Shape::ByNameOnly {
                problems.push(by_name_only());
                given.values.fill(None);
                given.complete = false;
                // Which parameters the values are meant for is not known.
                return given;
            }
            if count > plan.parameters().len() {
                problems.push(too_many(plan, count));
            }
        }
        given.note_missing(plan, problems);
        given
    }

    fn by_name(&mut self, plan: &Plan, decoder: &mut Decoder<'_>, problems: &mut Problems) {
        let mut twice = Marks::default();
        let mut strangers = Strangers::default();
        while decoder.next_item() == Some(b'"') {
            let start = decoder.offset();
            if decoder.skip_string().is_err() {
                return;
            }
            let quoted = decoder.between(start, decoder.offset()).unwrap_or_default();
            let name = unescape(quoted);
            let known = name.as_ref().ok().and_then(|name| plan.find(name));
            let passed = decoder.colon().is_ok();
            decoder.next();
            let value = decoder.offset();
            if !passed || decoder.skip_value().is_err() {
                return;
            }
            match known {
                Some((index, parameter)) => {
                    if *self.values[index].get_or_insert(value) != value && twice.set(index) {
                        problems.push(given_twice(&parameter.name));
                    }
                }
                None => strangers.meet(plan, &unescape_lossy(quoted), problems),
            }
            if problems.left() == 0 {
                return;
            }
        }
    }

    /// Notes values by position, and says how many there are.
    fn by_position(&mut self, decoder: &mut Decoder<'_>) -> usize {
        let mut count = 0;
        while !matches!(decoder.next_item(), Some(b']') | None) {
            if let Some(value) = self.values.get_mut(count) {
                *value = Some(decoder.offset());
            }
            if decoder.skip_value().is_err() {
                break;
            }
            count += 1;
        }
        count
    }

    fn note_missing(&mut self, plan: &Plan, problems: &mut Problems) {
        for (parameter, value) in plan.parameters().iter().zip(&self.values) {
            if parameter.required && value.is_none() {
                self.complete = false;
                // It has been given after all where something else is wrong with it.
                if !problems.are_about(&parameter.name) {
                    problems.push(missing(&parameter.name));
                }
            }
        }
    }
}
