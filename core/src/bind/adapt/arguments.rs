//! Parameters that are partly text and partly JSON, as tools pass them.

use std::borrow::Cow;

use super::adapter::{Adapter, by_name_and_by_position, push_name};
use super::form::{Pair, position};
use crate::bind::error::BindError;
use crate::bind::plan::{Plan, Shape};
use crate::bind::problems::Problems;
use crate::bind::refusal::given_twice;

/// A value for a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// Text, which is converted as the value of a query would be (JSON-RPC 1.1, section 6.3).
    Text(&'a str),
    /// A JSON value.
    Json(&'a str),
}

impl Adapter {
    /// Returns whether text can stand for a value of the parameter with this name or position.
    /// Returns true if there is no such parameter, because that is another problem.
    pub(crate) fn takes_text(&self, plan: &Plan, name: &str) -> bool {
        let place = position(name);
        if plan.shape() == Shape::List {
            let Some(takes) = self.0.first() else {
                return true;
            };
            return match place {
                Some(index) => takes.element(index).can_be_sent(),
                None => takes.can_be_sent_as_list(),
            };
        }
        let index = place.or_else(|| plan.find(name).map(|(index, _)| index));
        let takes = index.and_then(|index| self.0.get(index));
        takes.is_none_or(super::takes::Takes::can_be_sent)
    }

    /// Returns the parameters of a call in the form of 2.0, from arguments with well-formed JSON.
    pub(crate) fn put_together(
        &self,
        plan: &Plan,
        given: &[(&str, Argument<'_>)],
        problems: &mut Problems,
    ) -> Result<String, BindError> {
        let texts = given.iter().filter_map(|(name, argument)| match argument {
            Argument::Text(text) => Some(pair(name, text)),
            Argument::Json(_) => None,
        });
        let values: Vec<(&str, &str)> = given
            .iter()
            .filter_map(|(name, argument)| match argument {
                Argument::Json(text) => Some((*name, text.trim())),
                Argument::Text(_) => None,
            })
            .collect();
        if plan.shape() == Shape::List && !values.is_empty() {
            return self.list_from(plan, given);
        }
        let adapted = self.adapt_pairs(plan, texts.collect())?;
        let mut params = adapted.params;
        adapted
            .problems
            .into_error()
            .into_iter()
            .for_each(|it| problems.push(it));
        let is_given = |index: usize| {
            let named = given
                .iter()
                .filter(|(name, _)| self.index(plan, name) == Some(index));
            named.count()
        };
        for (name, value) in values {
            let Some(index) = self.index(plan, name) else {
                // No parameter has this name. Binding reports it, with the names that exist.
                push_last(&mut params, name, value);
                continue;
            };
            if plan.shape() == Shape::ByNameOnly && position(name).is_some() {
                return Err(crate::bind::refusal::by_name_only());
            }
            let name = &plan.parameters()[index].name;
            if is_given(index) > 1 {
                problems.push_once(name, given_twice);
                continue;
            }
            push_last(&mut params, name, value);
        }
        Ok(params)
    }

    /// Returns the list that consists of positions, or that is given by its name.
    fn list_from(&self, plan: &Plan, given: &[(&str, Argument<'_>)]) -> Result<String, BindError> {
        let list = plan.parameters().first().map_or("", |list| &*list.name);
        if let [(name, Argument::Json(value))] = given
            && position(name).is_none()
        {
            let mut params = String::from("{}");
            push_last(&mut params, name, value.trim());
            return Ok(params);
        }
        let mut places: Vec<(usize, &Argument<'_>)> = Vec::new();
        for (name, argument) in given {
            match position(name) {
                Some(index) => places.push((index, argument)),
                None if plan.find(name).is_some() => return Err(by_name_and_by_position(list)),
                None => return Err(crate::bind::refusal::unknown(plan, name)),
            }
        }
        places.sort_by_key(|(index, _)| *index);
        let mut params = String::from("[");
        for (expected, (index, argument)) in places.into_iter().enumerate() {
            if index != expected {
                let reason = "no value at this position, or two: positions must not have gaps";
                return Err(BindError::new(reason).of(list).at_position(expected));
            }
            if expected > 0 {
                params.push(',');
            }
            match argument {
                Argument::Json(value) => params.push_str(value.trim()),
                Argument::Text(text) => self.push_element(&mut params, index, text),
            }
        }
        params.push(']');
        Ok(params)
    }

    fn push_element(&self, params: &mut String, index: usize, text: &str) {
        let Some(takes) = self.0.first().map(|takes| takes.element(index)) else {
            return;
        };
        if !takes.push_scalar(params, text) {
            takes.push_misfit(params, text);
        }
    }

    fn index(&self, plan: &Plan, name: &str) -> Option<usize> {
        match position(name) {
            Some(index) => (index < self.0.len()).then_some(index),
            None => plan.find(name).map(|(index, _)| index),
        }
    }
}

fn pair<'q>(name: &'q str, value: &'q str) -> Pair<'q> {
    Pair {
        name: Cow::Borrowed(name),
        value: Cow::Borrowed(value),
    }
}

/// Appends a member to the text of an object.
fn push_last(object: &mut String, name: &str, value: &str) {
    object.pop();
    push_name(object, name);
    object.push_str(value);
    object.push('}');
}
