//! JSON-RPC 1.1's call approximation (section 6.6.1): names and positions in any mix, null for
//! parameters that are not supplied, and conversions that lose nothing.
//!
//! The result is the text of parameters by name, or of a list.

use std::borrow::Cow;
use std::iter;

use docent_describe::json::{Cursor, Json, push_quoted, unescape_lossy};
use docent_describe::schema::Kinds;

use super::adapter::{Adapted, Adapter, by_name_and_by_position, push_name};
use super::form::position;
use super::takes::{Takes, spelled};
use crate::bind::error::BindError;
use crate::bind::names::Strangers;
use crate::bind::plan::{Plan, Shape};
use crate::bind::problems::Problems;
use crate::bind::refusal::given_twice;
use crate::bind::{Params, refusal};

/// The text of a parameter's value, and true if it is given by position.
type Given<'a> = Option<(&'a str, bool)>;

impl Adapter {
    /// Converts the parameters of a 1.1 call to those of a 2.0 call.
    ///
    /// # Errors
    /// Returns an error if they are given in a way that cannot be interpreted.
    pub(crate) fn adapt_call(&self, plan: &Plan, params: Params<'_>) -> Result<Adapted, BindError> {
        let mut problems = Problems::default();
        let params = match (plan.shape(), params) {
            (Shape::List, Params::Array(text)) => self.adapted_list(text),
            (Shape::List, Params::Object(text)) => {
                self.list_from_object(plan, text, &mut problems)?
            }
            (_, Params::Array(text)) => {
                self.adapted_object(plan, &by_position(plan, text, &mut problems)?)
            }
            (_, Params::Object(text)) => {
                self.adapted_object(plan, &in_any_mix(plan, text, &mut problems)?)
            }
            (Shape::List, Params::Absent) => "[]".to_owned(),
            (_, Params::Absent) => self.adapted_object(plan, &vec![None; plan.parameters().len()]),
        };
        Ok(Adapted { params, problems })
    }

    fn adapted_object(&self, plan: &Plan, given: &[Given<'_>]) -> String {
        let mut params = String::from("{");
        for ((parameter, takes), given) in plan.parameters().iter().zip(&self.0).zip(given) {
            // A missing parameter becomes null if it accepts null.
            let value = match given {
                Some((value, _)) => value,
                None if parameter.required && takes.has(&Json::Null) => "null",
                None => continue,
            };
            push_name(&mut params, &parameter.name);
            push_converted(&mut params, takes, value);
        }
        params.push('}');
        params
    }

    fn adapted_list(&self, text: &str) -> String {
        let mut cursor = Cursor::new(text);
        cursor.step();
        let values = iter::from_fn(|| cursor.next_element().then(|| cursor.value()));
        self.list_of(values)
    }

    fn list_of<'a>(&self, values: impl Iterator<Item = &'a str>) -> String {
        let mut params = String::from("[");
        for (index, value) in values.enumerate() {
            if index > 0 {
                params.push(',');
            }
            match self.0.first() {
                Some(takes) => push_converted(&mut params, takes.element(index), value),
                None => params.push_str(value),
            }
        }
        params.push(']');
        params
    }

    /// Returns a list from its positions, which must have no gaps, or from its name.
    fn list_from_object(
        &self,
        plan: &Plan,
        text: &str,
        problems: &mut Problems,
    ) -> Result<String, BindError> {
        let mut positions = Vec::new();
        let mut whole = None;
        let mut strangers = Strangers::default();
        for (name, value) in supplied_members(text) {
            match (position(&name), plan.find(&name)) {
                (Some(position), _) => positions.push((position, value)),
                (None, Some((_, list))) => {
                    if whole.is_some() {
                        problems.push_once(&list.name, given_twice);
                    }
                    whole.get_or_insert((list, value));
                }
                (None, None) => strangers.meet(plan, &name, problems),
            }
        }
        match whole {
            None => self.list_from_positions(positions),
            Some((list, _)) if !positions.is_empty() => Err(by_name_and_by_position(&list.name)),
            Some((_, value)) if value.starts_with('[') => Ok(self.adapted_list(value)),
            // Binding reports what is wrong with it.
            Some((list, value)) => {
                let mut params = String::from("{");
                push_name(&mut params, &list.name);
                params.push_str(value);
                params.push('}');
                Ok(params)
            }
        }
    }

    fn list_from_positions(&self, mut given: Vec<(usize, &str)>) -> Result<String, BindError> {
        given.sort_by_key(|(position, _)| *position);
        let mut places = (0..).zip(&given);
        if let Some((gap, _)) = places.find(|(index, (position, _))| index != position) {
            let reason = "positions have no gaps, and each is given once";
            return Err(BindError::new(reason).at_position(gap));
        }
        Ok(self.list_of(given.into_iter().map(|(_, value)| value)))
    }
}

fn by_position<'a>(
    plan: &Plan,
    text: &'a str,
    problems: &mut Problems,
) -> Result<Vec<Given<'a>>, BindError> {
    let mut given = vec![None; plan.parameters().len()];
    let mut cursor = Cursor::new(text);
    cursor.step();
    let mut index = 0;
    while cursor.next_element() {
        let value = cursor.value();
        if !is_not_supplied(value) {
            place(plan, &mut given, index, (value, true), problems)?;
        }
        index += 1;
    }
    Ok(given)
}

fn in_any_mix<'a>(
    plan: &Plan,
    text: &'a str,
    problems: &mut Problems,
) -> Result<Vec<Given<'a>>, BindError> {
    let mut strangers = Strangers::default();
    let mut given = vec![None; plan.parameters().len()];
    for (name, value) in supplied_members(text) {
        let position = position(&name);
        let index = position.or_else(|| Some(plan.find(&name)?.0));
        match index {
            Some(index) => {
                let value = (value, position.is_some());
                place(plan, &mut given, index, value, problems)?;
            }
            None => strangers.meet(plan, &name, problems),
        }
    }
    Ok(given)
}

/// Returns the members of an object that supply a parameter: the name, unescaped, and the text of
/// the value.
fn supplied_members(text: &str) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
    let mut cursor = Cursor::new(text);
    cursor.step();
    let members = iter::from_fn(move || Some((cursor.next_member()?.unescape(), cursor.value())));
    members.filter(|(_, value)| !is_not_supplied(value))
}

/// Returns whether a value means that its parameter is not supplied, even if there is no such
/// parameter (6.2.3).
fn is_not_supplied(value: &str) -> bool {
    value == "null"
}

/// Records the first value of a parameter.
fn place<'a>(
    plan: &Plan,
    given: &mut [Given<'a>],
    index: usize,
    value: (&'a str, bool),
    problems: &mut Problems,
) -> Result<(), BindError> {
    if value.1 && plan.shape() == Shape::ByNameOnly {
        return Err(refusal::by_name_only());
    }
    let Some(slot) = given.get_mut(index) else {
        problems.push_with(|| refusal::no_position(plan, index));
        return Ok(());
    };
    if let Some((_, by_position)) = *slot {
        let fault = if by_position == value.1 {
            given_twice
        } else {
            by_name_and_by_position
        };
        problems.push_once(&plan.parameters()[index].name, fault);
    }
    slot.get_or_insert(value);
    Ok(())
}

/// Writes a value as what the parameter accepts, if that loses nothing: a string as the number or
/// Boolean that it spells, a number or Boolean as a string with the same text.
fn push_converted(params: &mut String, takes: &Takes, value: &str) {
    let takes_strings = takes.has_unlisted(Kinds::STRING);
    let misfits = |value: Json| !takes.has(&value);
    if value.starts_with('"') {
        if takes_strings || !takes.push_scalar(params, &unescape_lossy(value)) {
            params.push_str(value);
        }
    } else if takes_strings && spelled(value).is_some_and(misfits) {
        push_quoted(params, value);
    } else {
        params.push_str(value);
    }
}
