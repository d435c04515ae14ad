//! From a failure to what a caller is told. Everything here happens after the fact.

use docent_describe::json::{unescape, unescape_lossy};

use super::de::{DecodeError, Decoder, Problem};
use super::error::BindError;
use super::locate::{Place, Step, locate, pointer};
use super::plan::{Marks, Plan, Shape};
use super::trace::trace;
use super::words;
use crate::closest::Names;

/// Explains why `text`, the container that holds the parameters, could not be bound.
#[cold]
pub(super) fn explain(plan: &Plan, text: &str, error: &DecodeError) -> BindError {
    if let Some(fault) = fault_in_names(plan, text) {
        return fault;
    }
    let offset = innermost(text, error);
    let here = offset.and_then(|offset| text.get(offset..));
    let reason = words::reason(error.problem(), here.unwrap_or_default());
    let Some(offset) = offset else {
        return of_the_whole(error.problem(), reason);
    };
    let place = locate(text, offset);
    let reason = if place.is_name && !matches!(error.problem(), Problem::UnknownField { .. }) {
        format!("in the member's name: {reason}")
    } else {
        reason
    };
    let fault = placed(plan, &place, reason);
    match error.problem() {
        Problem::Check(violation) => fault.inside(violation.pointer.clone()),
        _ => fault,
    }
}

/// The offset of the value in question, as far in as can be known.
fn innermost(text: &str, error: &DecodeError) -> Option<usize> {
    let outer = error.offset();
    let inside = text.get(outer.unwrap_or(0)..)?;
    match trace(inside, error.problem()) {
        Some(inner) => Some(outer.unwrap_or(0) + inner),
        None => outer,
    }
}

/// The parameters' type itself has refused, so no value is to blame, except where it says so.
fn of_the_whole(problem: &Problem, reason: String) -> BindError {
    match problem {
        Problem::MissingField(name) => missing(name),
        Problem::DuplicateField(name) => given_twice(name),
        _ => BindError::new(reason),
    }
}

fn placed(plan: &Plan, place: &Place<'_>, reason: String) -> BindError {
    let fault = BindError::new(reason);
    let parameters = plan.parameters();
    if plan.shape() == Shape::List {
        let name = parameters.first().map(|list| &*list.name);
        return fault
            .of(name.unwrap_or_default())
            .inside(pointer(&place.steps));
    }
    match place.steps.split_first() {
        Some((Step::Element(position), inside)) => match parameters.get(*position) {
            Some(parameter) => fault
                .of(&*parameter.name)
                .at_position(*position)
                .inside(pointer(inside)),
            None => fault.at_position(*position),
        },
        Some((Step::Member(name), inside)) => {
            let name = unescape_lossy(name);
            fault.of(&*name).inside(pointer(inside))
        }
        Some((Step::Brace, _)) | None => fault,
    }
}

/// What is wrong with the names that are given, or with how many values there are.
fn fault_in_names(plan: &Plan, text: &str) -> Option<BindError> {
    let mut decoder = Decoder::new(text);
    let by_name = decoder.next() == Some(b'{');
    decoder.step();
    match (plan.shape(), by_name) {
        (Shape::List, false) => None,
        (Shape::List, true) => Some(BindError::new(
            "the parameters of this procedure are a list: they can be given by position only",
        )),
        (Shape::Named | Shape::ByNameOnly, true) => fault_by_name(plan, &mut decoder),
        (Shape::Named | Shape::ByNameOnly, false) => fault_by_position(plan, &mut decoder),
    }
}

fn fault_by_name(plan: &Plan, decoder: &mut Decoder<'_>) -> Option<BindError> {
    let mut marks = Marks::default();
    while decoder.next_item() == Some(b'"') {
        let start = decoder.offset();
        decoder.skip_string().ok()?;
        let quoted = decoder.between(start, decoder.offset()).ok()?;
        let Ok(name) = unescape(quoted) else {
            return Some(unknown(plan, &unescape_lossy(quoted)));
        };
        let Some((index, _)) = plan.find(&name) else {
            return Some(unknown(plan, &name));
        };
        if !marks.set(index) {
            return Some(given_twice(&name));
        }
        decoder.colon().ok()?;
        decoder.skip_value().ok()?;
    }
    first_missing(plan, &marks)
}

fn fault_by_position(plan: &Plan, decoder: &mut Decoder<'_>) -> Option<BindError> {
    let mut given = 0;
    while !matches!(decoder.next_item(), Some(b']') | None) {
        decoder.skip_value().ok()?;
        given += 1;
    }
    if given > 0 && plan.shape() == Shape::ByNameOnly {
        return Some(by_name_only());
    }
    if given > plan.parameters().len() {
        return Some(too_many(plan, given));
    }
    let mut marks = Marks::default();
    for index in 0..given {
        marks.set(index);
    }
    first_missing(plan, &marks)
}

fn first_missing(plan: &Plan, given: &Marks) -> Option<BindError> {
    let mut given = given.clone();
    let parameters = plan.parameters().iter().enumerate();
    parameters
        .filter(|(_, parameter)| parameter.required)
        .find(|(index, _)| given.set(*index))
        .map(|(_, parameter)| missing(&parameter.name))
}

fn missing(name: &str) -> BindError {
    BindError::new("this parameter is required and has not been given").of(name)
}

/// The fault of a parameter that has more than one value.
pub(super) fn given_twice(name: &str) -> BindError {
    BindError::new("this parameter has been given twice").of(name)
}

pub(super) fn by_name_only() -> BindError {
    BindError::new("the parameters of this procedure can be given by name only").at_position(0)
}

/// The fault of a name that no parameter has.
pub(super) fn unknown(plan: &Plan, name: &str) -> BindError {
    let names: Vec<&str> = plan.parameters().iter().map(|it| &*it.name).collect();
    let mut reason = match *names {
        [] => "there is no such parameter: the procedure takes none".to_owned(),
        _ => format!(
            "there is no such parameter: expected {}",
            words::choices(&names)
        ),
    };
    if let Some(meant) = Names::new(names.iter().copied()).closest(name, 1).first() {
        reason.push_str("; did you mean ");
        reason.push_str(&words::quote(meant));
        reason.push('?');
    }
    BindError::new(reason).of(words::beginning(name))
}

/// The fault of a call that gives more values than there are parameters.
fn too_many(plan: &Plan, given: usize) -> BindError {
    let taken = plan.parameters().len();
    BindError::new(format!("expected {}, found {given}", at_most(taken))).at_position(taken)
}

/// The fault of a value at a position for which there is no parameter.
pub(super) fn no_position(plan: &Plan, position: usize) -> BindError {
    let expected = at_most(plan.parameters().len());
    BindError::new(format!("there is no such position: expected {expected}")).at_position(position)
}

fn at_most(parameters: usize) -> String {
    match parameters {
        0 => "no parameters".to_owned(),
        1 => "at most 1 parameter".to_owned(),
        more => format!("at most {more} parameters"),
    }
}
