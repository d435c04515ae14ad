//! Turns a failure into what the caller gets. Everything here runs only after a failure.
//!
//! We report all problems of an invalid call at once. If only checks have failed, they have found all
//! of them. Otherwise decoding has stopped at the first failure, which keeps valid calls cheap, so we
//! decode the parameters again, one by one, and check each of them completely; but not those that
//! stand before the failure, which have been decoded. The result for one parameter does not depend on
//! the others. Problems that concern several parameters together, such as a type that validates them
//! as a whole, are reported only if all parameters are present and each is valid on its own.

use std::sync::Arc;

use docent_describe::json::{Cursor, Pointer, unescape_lossy};

use super::again::{Decode, Decodings};
use super::de::{DecodeError, Problem};
use super::error::BindError;
use super::locate::{Place, Step, locate, pointer};
use super::names::{Given, is_by_position};
use super::plan::{Parameter, Plan, Shape};
use super::problems::{MOST, Problems};
use super::refusal::{given_twice, missing};
use super::trace::trace;
use super::words;
use crate::check::{Broken, Violation, type_first};

/// What decoding has failed with.
pub(super) struct Failure {
    pub(super) error: DecodeError,
    /// Whether a [second try](super::de::Decoder::again) would fail in the same way.
    pub(super) is_certain: bool,
}

/// Explains why `text`, the container that holds the parameters, could not be bound: because of
/// `problems` that are known already, or because of `failure`.
#[cold]
pub(super) fn explain<'de>(
    plan: &Plan,
    text: &'de str,
    mut problems: Problems,
    failure: Option<Failure>,
    decode: Decode<'_, 'de>,
) -> BindError {
    let (mut error, is_certain) = match failure {
        Some(Failure { error, is_certain }) => (Some(error), is_certain),
        None => (None, false),
    };
    let given = Given::read(plan, text, &mut problems);
    let most = problems.left();
    let broken = broken(plan, text, &given, most, error.as_mut());
    let told = |index: usize| broken.iter().any(|(other, _)| *other == index);
    let mut again = Decodings::new(plan, text, &given, decode);
    if is_certain {
        error = error.and_then(|error| again.begin_after(error).err());
    }
    again.one_by_one(most);
    let end = again.together(&told);
    let mut broken = broken.into_iter().peekable();
    for index in 0..plan.parameters().len() {
        let mut own = Vec::new();
        while let Some((_, violation)) = broken.next_if(|(other, _)| *other == index) {
            own.push(violation);
        }
        if let Some(value) = Value::of(plan, text, &given, index)
            && problems.left() > 0
        {
            value.blame(again.take_failure(index), own, &mut problems);
        }
    }
    let whole = end.as_ref().filter(|_| given.complete);
    if let Some(error) = whole.or(error.as_ref().filter(|_| problems.is_empty())) {
        let fault = of_the_whole(plan, text, error);
        let is_told = |name: &str| problems.are_about(name);
        if !fault.parameter().is_some_and(is_told) {
            problems.push(fault);
        }
    }
    problems.into_error().unwrap_or_else(misfit)
}

/// What the checks find wrong with each parameter that has been given, in the order of the plan. Those
/// that ran before decoding failed need not run again.
fn broken(
    plan: &Plan,
    text: &str,
    given: &Given,
    most: usize,
    mut error: Option<&mut DecodeError>,
) -> Vec<(usize, Violation)> {
    let found = found_by_checks(error.as_deref_mut());
    let mut found = found.into_iter().peekable();
    let mut all = Vec::new();
    for (index, (parameter, start)) in plan.parameters().iter().zip(&given.values).enumerate() {
        let Some(start) = *start else { continue };
        let before = all.len();
        while let Some(next) = found.next_if(|(other, _)| *other == index) {
            all.push(next);
        }
        let value = value_at(text, start);
        let has_passed = |error: &DecodeError| has_passed(value.offset(), error);
        if let Some(check) = &parameter.check
            && all.len() == before
            && !error.as_deref().is_some_and(has_passed)
        {
            let violations = check.violations(value, most).into_iter();
            all.extend(violations.map(|violation| (index, violation)));
        }
    }
    all
}

/// What the checks have found before decoding failed, in the order of the plan.
fn found_by_checks(error: Option<&mut DecodeError>) -> Vec<(usize, Violation)> {
    let Some(Problem::Checks { violations, .. }) = error.map(DecodeError::problem_mut) else {
        return Vec::new();
    };
    let mut found = std::mem::take(violations);
    found.sort_by_key(|(index, _)| *index);
    found
}

/// Explains why parameters were refused that can be decoded: because of checks alone.
#[cold]
pub(super) fn explain_checks(plan: &Plan, text: &str, error: DecodeError) -> BindError {
    let Problem::Checks { mut violations, .. } = error.into_problem() else {
        return misfit();
    };
    // Those of one parameter stay in their order.
    violations.sort_by_key(|(index, _)| *index);
    let by_position = is_by_position(plan, text);
    let mut problems = Problems::default();
    for (index, it) in violations.into_iter().take(MOST) {
        if let Some(parameter) = plan.parameters().get(index) {
            let position = by_position.then_some(index);
            problems.push(fault(parameter, position, it.pointer, it.reason));
        }
    }
    problems.into_error().unwrap_or_else(misfit)
}

/// What is said where nothing in particular is wrong.
fn misfit() -> BindError {
    BindError::new("the parameters do not fit together")
}

/// The value that begins at `start`.
fn value_at(text: &str, start: usize) -> Cursor<'_> {
    let mut cursor = Cursor::at(text, start);
    cursor.next_token();
    cursor
}

/// Whether the value that begins at `start` has passed its check when decoding failed: values are
/// checked and decoded in the order in which they stand.
fn has_passed(start: usize, error: &DecodeError) -> bool {
    error.offset().is_some_and(|offset| match error.problem() {
        Problem::Checks { .. } => start < offset,
        _ => start <= offset,
    })
}

/// A parameter that has been given.
struct Value<'a> {
    parameter: &'a Parameter,
    /// The container.
    text: &'a str,
    /// Where the value begins in it.
    start: usize,
    position: Option<usize>,
}

impl<'a> Value<'a> {
    /// The value of a parameter; none where it has not been given.
    fn of(plan: &'a Plan, text: &'a str, given: &Given, index: usize) -> Option<Self> {
        Some(Self {
            parameter: &plan.parameters()[index],
            text,
            start: given.values[index]?,
            position: given.by_position.then_some(index),
        })
    }

    /// Notes what is wrong with the parameter: the first value of a wrong type, then what breaks a
    /// rule.
    fn blame(
        &self,
        failure: Option<DecodeError>,
        mut broken: Vec<Violation>,
        problems: &mut Problems,
    ) {
        if let Some(explained) = failure.map(|error| self.explain(&error)) {
            // Where the check found fault with the same, it says so in better words.
            if !broken.iter().any(|other| is_same(&explained, other)) {
                let Explained {
                    pointer, reason, ..
                } = explained;
                problems.push(self.fault(pointer, reason));
                broken.retain(|other| other.broken != Broken::Type);
            }
        }
        for violation in type_first(broken) {
            problems.push(self.fault(violation.pointer, violation.reason));
        }
    }

    /// Where in the parameter the trouble is, and why.
    fn explain(&self, error: &DecodeError) -> Explained {
        let offset = error.offset().unwrap_or_default();
        let inside = offset.saturating_sub(self.start);
        let text = value_at(self.text, self.start).value();
        let (place, reason) = explained(text, inside, error.problem());
        Explained {
            pointer: pointer(&place.steps),
            reason,
            may_be_inside: matches!(
                error.problem(),
                Problem::Type { .. }
                    | Problem::Value { .. }
                    | Problem::UnknownVariant { .. }
                    | Problem::Custom(_)
            ),
        }
    }

    fn fault(&self, pointer: Pointer, reason: String) -> BindError {
        fault(self.parameter, self.position, pointer, reason)
    }
}

fn fault(
    parameter: &Parameter,
    position: Option<usize>,
    pointer: Pointer,
    reason: String,
) -> BindError {
    let fault = BindError::new(reason)
        .of(Arc::clone(&parameter.name))
        .inside(pointer);
    match position {
        Some(position) => fault.at_position(position),
        None => fault,
    }
}

/// Why a parameter cannot be decoded, and where that was noticed.
struct Explained {
    pointer: Pointer,
    reason: String,
    /// Whether a value inside of the one in question may be the reason.
    may_be_inside: bool,
}

/// Whether a check has found the same: the same value; something inside it, where that may be why
/// it was refused; or that none of the alternatives fits what is around it.
fn is_same(failure: &Explained, found: &Violation) -> bool {
    failure.pointer == found.pointer
        || failure.may_be_inside && leads_into(&failure.pointer, &found.pointer)
        || found.broken != Broken::Rule && leads_into(&found.pointer, &failure.pointer)
}

/// Whether the second place is inside of the first.
fn leads_into(outer: &Pointer, inner: &Pointer) -> bool {
    let rest = inner.as_str().strip_prefix(outer.as_str());
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// The place of a problem with what stands at `offset`, as far in as can be known, and the reason.
fn explained<'t>(text: &'t str, offset: usize, problem: &Problem) -> (Place<'t>, String) {
    let rest = text.get(offset..).unwrap_or_default();
    let offset = offset + trace(rest, problem).unwrap_or(0);
    let here = text.get(offset..).unwrap_or_default();
    let reason = words::reason(problem, here);
    let place = locate(text, offset);
    if place.is_name && !matches!(problem, Problem::UnknownField { .. }) {
        (place, format!("in the member's name: {reason}"))
    } else {
        (place, reason)
    }
}

/// The parameters' type itself has refused, so no value is to blame, except where it says so, or
/// where there is only one that it can mean.
fn of_the_whole(plan: &Plan, text: &str, error: &DecodeError) -> BindError {
    let problem = error.problem();
    let Some(offset) = error.offset().or_else(|| trace(text, problem)) else {
        return match problem {
            Problem::MissingField(name) => missing(name),
            Problem::DuplicateField(name) => given_twice(name),
            _ => BindError::new(words::reason(problem, text)),
        };
    };
    let (place, reason) = explained(text, offset, problem);
    placed(plan, &place, reason)
}

fn placed(plan: &Plan, place: &Place<'_>, reason: String) -> BindError {
    let fault = BindError::new(reason);
    if plan.shape() == Shape::List {
        let name = plan.parameters().first().map(|list| Arc::clone(&list.name));
        return fault
            .of(name.unwrap_or_default())
            .inside(pointer(&place.steps));
    }
    match place.steps.split_first() {
        Some((Step::Element(position), inside)) => {
            let fault = fault.at_position(*position);
            match plan.parameters().get(*position) {
                Some(parameter) => fault
                    .of(Arc::clone(&parameter.name))
                    .inside(pointer(inside)),
                None => fault,
            }
        }
        Some((Step::Member(name), inside)) => {
            let name = unescape_lossy(name);
            fault.of(words::name(&name)).inside(pointer(inside))
        }
        Some((Step::Brace, _)) | None => fault,
    }
}
