//! A query string, as the `params` that a POST would contain (JSON-RPC 1.1, section 6.3).
//!
//! A query contains only text, so the description decides what each value is: `limit=5` is a number
//! if the parameter accepts numbers, and a string if it accepts strings.

use std::borrow::Cow;

use super::adapter::{Adapted, Adapter, by_name_and_by_position, push_name};
use super::form::{self, Pair};
use super::takes::Takes;
use crate::bind::error::BindError;
use crate::bind::names::Strangers;
use crate::bind::plan::{Plan, Shape};
use crate::bind::problems::Problems;
use crate::bind::refusal::{self, given_twice};

impl Adapter {
    /// Returns the parameters of a raw query string, without its question mark.
    ///
    /// # Errors
    /// Returns an error if the query is not form-encoded UTF-8, or if its parameters are given in a
    /// way that cannot be interpreted.
    pub(crate) fn adapt_query(&self, plan: &Plan, query: &str) -> Result<Adapted, BindError> {
        if let Some(params) = self.adapt_plain_query(plan, query) {
            let problems = Problems::default();
            return Ok(Adapted { params, problems });
        }
        self.adapt_any_query(plan, query)
    }

    /// Does the same for any query, in the general way.
    pub(in crate::bind) fn adapt_any_query(
        &self,
        plan: &Plan,
        query: &str,
    ) -> Result<Adapted, BindError> {
        self.adapt_pairs(plan, form::pairs(query)?)
    }

    /// Returns the parameters of the pairs of a query.
    pub(super) fn adapt_pairs(
        &self,
        plan: &Plan,
        pairs: Vec<Pair<'_>>,
    ) -> Result<Adapted, BindError> {
        match plan.shape() {
            Shape::List => self.list(plan, pairs),
            Shape::Named | Shape::ByNameOnly => self.object(plan, pairs),
        }
    }

    fn object(&self, plan: &Plan, pairs: Vec<Pair<'_>>) -> Result<Adapted, BindError> {
        let mut params = String::from("{");
        let mut problems = Problems::default();
        let given = group(plan, pairs, &mut problems)?;
        for ((parameter, takes), given) in plan.parameters().iter().zip(&self.0).zip(given) {
            let left_out = match &*given.values {
                [] => true,
                [value] => value.is_empty() && takes.takes_empty_for_nothing(parameter.required),
                _ => false,
            };
            if left_out && !parameter.required {
                continue;
            }
            if !takes.can_be_sent() {
                problems.push(cannot_be_sent(&parameter.name));
                continue;
            }
            if left_out {
                continue;
            }
            let end = params.len();
            push_name(&mut params, &parameter.name);
            if let Err(TakesOne) = push_values(&mut params, takes, &given.values) {
                params.truncate(end);
                problems.push(takes_one(&parameter.name, given.values.len()));
            }
        }
        params.push('}');
        Ok(Adapted { params, problems })
    }

    fn list(&self, plan: &Plan, pairs: Vec<Pair<'_>>) -> Result<Adapted, BindError> {
        let (Some(list), Some(takes)) = (plan.parameters().first(), self.0.first()) else {
            return Ok(Adapted::default());
        };
        let mut problems = Problems::default();
        let mut strangers = Strangers::default();
        let mut positions: Vec<(usize, Cow<'_, str>)> = Vec::new();
        let mut values = Vec::new();
        let mut called = None;
        for pair in pairs {
            match pair.position() {
                Some(position) => positions.push((position, pair.value)),
                None if plan.find(&pair.name).is_some() => {
                    if *called.get_or_insert_with(|| pair.name.clone()) != pair.name {
                        problems.push_once(&list.name, given_twice);
                    }
                    values.push(pair.value);
                }
                None => strangers.meet(plan, &pair.name, &mut problems),
            }
        }
        if !positions.is_empty() && !values.is_empty() {
            return Err(by_name_and_by_position(&list.name));
        }
        if !(positions.is_empty() && values.is_empty() || takes.can_be_sent_as_list()) {
            return Err(cannot_be_sent(&list.name));
        }
        if let [value] = &*values
            && value.is_empty()
            && takes.takes_empty_for_nothing(false)
        {
            values.clear();
        }
        if positions.is_empty() {
            let mut params = String::new();
            takes.push_array(&mut params, &values);
            return Ok(Adapted { params, problems });
        }
        positions.sort_by_key(|(position, _)| *position);
        let params = push_positions(&list.name, takes, positions)?;
        Ok(Adapted { params, problems })
    }
}

/// The values that a query gives for one parameter.
#[derive(Default)]
struct Given<'q> {
    values: Vec<Cow<'q, str>>,
    by_position: bool,
    /// The name that the query uses: the parameter's own, or an alias.
    name: Cow<'q, str>,
}

/// Returns the values of each parameter, in the order of the plan.
fn group<'q>(
    plan: &Plan,
    pairs: Vec<Pair<'q>>,
    problems: &mut Problems,
) -> Result<Vec<Given<'q>>, BindError> {
    let mut strangers = Strangers::default();
    let mut given = Vec::new();
    given.resize_with(plan.parameters().len(), Given::default);
    for pair in pairs {
        let position = pair.position();
        let index = match position {
            Some(_) if plan.shape() == Shape::ByNameOnly => return Err(refusal::by_name_only()),
            Some(position) => position,
            None => {
                let Some((index, _)) = plan.find(&pair.name) else {
                    strangers.meet(plan, &pair.name, problems);
                    continue;
                };
                index
            }
        };
        let Some(of) = given.get_mut(index) else {
            problems.push_with(|| refusal::no_position(plan, index));
            continue;
        };
        let by_position = position.is_some();
        if !of.values.is_empty() && of.by_position != by_position {
            problems.push_once(&plan.parameters()[index].name, by_name_and_by_position);
            continue;
        }
        if !of.values.is_empty() && !by_position && of.name != pair.name {
            problems.push_once(&plan.parameters()[index].name, given_twice);
            continue;
        }
        of.name = pair.name;
        of.by_position = by_position;
        of.values.push(pair.value);
    }
    Ok(given)
}

/// The error for several values of a parameter that takes one.
struct TakesOne;

/// Writes the values that a query gives for a parameter.
fn push_values(
    params: &mut String,
    takes: &Takes,
    values: &[Cow<'_, str>],
) -> Result<(), TakesOne> {
    match values {
        [value] if takes.push_scalar(params, value) => {}
        _ if takes.has_arrays() => takes.push_array(params, values),
        [value] => takes.push_misfit(params, value),
        _ => return Err(TakesOne),
    }
    Ok(())
}

/// Returns the list of the values at these positions, which are sorted.
fn push_positions(
    list: &str,
    takes: &Takes,
    positions: Vec<(usize, Cow<'_, str>)>,
) -> Result<String, BindError> {
    let mut params = String::from("[");
    let mut positions = positions.into_iter().peekable();
    let mut values = Vec::new();
    let mut expected = 0;
    while let Some((position, value)) = positions.next() {
        if position != expected {
            let reason = "no value at this position: positions must not have gaps";
            return Err(BindError::new(reason).of(list).at_position(expected));
        }
        values.clear();
        values.push(value);
        while let Some((_, value)) = positions.next_if(|(next, _)| *next == position) {
            values.push(value);
        }
        if expected > 0 {
            params.push(',');
        }
        push_values(&mut params, takes.element(expected), &values)
            .map_err(|TakesOne| takes_one(list, values.len()).at_position(expected))?;
        expected += 1;
    }
    params.push(']');
    Ok(params)
}

fn cannot_be_sent(name: &str) -> BindError {
    BindError::new("an object cannot be sent by GET: call the procedure with POST").of(name)
}

fn takes_one(name: &str, found: usize) -> BindError {
    BindError::new(format!("expected one value, found {found}")).of(name)
}
