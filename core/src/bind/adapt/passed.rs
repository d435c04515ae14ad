//! The values that a call gives, and the parameters that they are meant for.
//!
//! A query and a call of 1.1 mix names and positions. This tells them apart, but does not know
//! which of them exist: that is up to the plan.

use std::borrow::Cow;

use docent_describe::json::{Cursor, PRIVATE_PREFIX};

use crate::bind::Params;
use crate::bind::error::BindError;
use crate::bind::naming::given_twice;
use crate::bind::plan::Plan;

/// A value for a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument<'a> {
    /// Text, which is converted as the value of a query would be (JSON-RPC 1.1, section 6.3).
    Text(&'a str),
    /// A JSON value.
    Json(&'a str),
}

/// The ways in which parameters are given that have to be adapted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PassedBy {
    /// A query string.
    Query,
    /// A call of 1.1.
    Call,
    /// The arguments of a tool, as text and JSON.
    Arguments,
}

impl PassedBy {
    /// Returns the problem of a parameter that cannot be written as text.
    pub(super) fn no_text(self, name: &str) -> BindError {
        let reason = match self {
            Self::Query => "an object cannot be sent by GET: call the procedure with POST",
            Self::Call | Self::Arguments => "text cannot stand for this value: give JSON",
        };
        BindError::new(reason).for_parameter(name)
    }
}

/// The name or the position of a parameter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ParamKey<'a> {
    Name(Cow<'a, str>),
    Position(usize),
}

impl<'a> ParamKey<'a> {
    fn new(name: Cow<'a, str>) -> Self {
        // `parse` also takes a sign, which no position has.
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        match name.parse() {
            Ok(position) if is_number => Self::Position(position),
            _ => Self::Name(name),
        }
    }
}

/// A value, and the parameter that it is meant for.
#[derive(Debug)]
pub(super) struct PassedValue<'a> {
    pub(super) key: ParamKey<'a>,
    pub(super) value: Argument<'a>,
}

impl<'a> PassedValue<'a> {
    /// Creates a value with a name or, if the name consists of digits, a position. A number too
    /// large to count is not a position but the name of a parameter that cannot exist.
    pub(super) fn new(name: impl Into<Cow<'a, str>>, value: Argument<'a>) -> Self {
        Self {
            key: ParamKey::new(name.into()),
            value,
        }
    }

    /// Returns the problem with another value for the same parameter. Text may be repeated, which
    /// makes it an array.
    pub(super) fn conflict(&self, other: &Self) -> Option<fn(&str) -> BindError> {
        if self.is_by_name() != other.is_by_name() {
            return Some(by_name_and_by_position);
        }
        let is_repeated = self.key == other.key && self.is_text() && other.is_text();
        (!is_repeated).then_some(given_twice)
    }

    /// Returns whether the value is meant for the parameter with this name.
    pub(super) fn is_for(&self, plan: &Plan, name: &str) -> bool {
        let Some((index, _)) = plan.find(name) else {
            return false;
        };
        match &self.key {
            ParamKey::Position(position) => *position == index,
            ParamKey::Name(alias) => plan.find(alias).is_some_and(|(other, _)| other == index),
        }
    }

    fn is_by_name(&self) -> bool {
        matches!(self.key, ParamKey::Name(_))
    }

    /// Returns whether the value is text that has to be converted.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.value, Argument::Text(_))
    }
}

/// Returns the problem of a parameter with a value of each kind.
pub(super) fn by_name_and_by_position(name: &str) -> BindError {
    BindError::new("this parameter is given both by name and by position").for_parameter(name)
}

/// Returns the values in a call of 1.1. Null means that a parameter is not supplied, even if there
/// is no such parameter (6.2.3), but may be an element of a list.
pub(super) fn in_call(params: Params<'_>, is_list: bool) -> Vec<PassedValue<'_>> {
    let mut values = values(params);
    let is_array = params.is_some_and(|text| text.starts_with('['));
    if !(is_array && is_list) {
        values.retain(is_supplied);
    }
    values
}

/// Returns the members or elements of `params`.
pub(super) fn values(params: Params<'_>) -> Vec<PassedValue<'_>> {
    match params {
        None => Vec::new(),
        Some(text) if text.starts_with('[') => elements(text).collect(),
        Some(text) => {
            let mut cursor = Cursor::new(text);
            cursor.step();
            let mut values = Vec::new();
            while let Some(name) = cursor.next_member() {
                values.push(PassedValue::new(
                    name.unescape(),
                    Argument::Json(cursor.value()),
                ));
            }
            values
        }
    }
}

/// Returns whether a value counts. Null does not, except under a name that no call may have.
fn is_supplied(passed: &PassedValue<'_>) -> bool {
    let is_private =
        matches!(&passed.key, ParamKey::Name(name) if name.starts_with(PRIVATE_PREFIX));
    passed.value != Argument::Json("null") || is_private
}

/// Returns the elements of an array by their positions.
pub(super) fn elements(array: &str) -> impl Iterator<Item = PassedValue<'_>> {
    let mut cursor = Cursor::new(array);
    cursor.step();
    std::iter::from_fn(move || cursor.next_element().then(|| cursor.value()))
        .enumerate()
        .map(|(position, value)| PassedValue {
            key: ParamKey::Position(position),
            value: Argument::Json(value),
        })
}
