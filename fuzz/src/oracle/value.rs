//! Decodes parameters from their text by way of `serde_json::Value`.
//!
//! A `Value` is another path to the same types. It cannot hold all that JSON can, and then nothing is checked.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::number::{Number, number};
use crate::json::{self, Members};
use crate::params::Promises;

/// The `params` of a call.
pub(crate) enum RequestParams<'a> {
    Nothing,
    Array(Vec<&'a RawValue>),
    Object(Members<'a>),
}

/// The beginning of the names that `serde_json` keeps for itself: it decodes an object with such a name
/// as something else, so its tree is no second opinion on one.
const PRIVATE_PREFIX: &str = "$serde_json::private::";

impl RequestParams<'_> {
    /// Returns whether a value, at any depth, has a member that no parameters may have.
    pub(crate) fn has_private_name(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Array(values) => values.iter().any(|value| has_private_name(value)),
            Self::Object(members) => members.iter().any(|(_, value)| has_private_name(value)),
        }
    }
}

fn has_private_name(value: &RawValue) -> bool {
    json::has_name(value.get(), PRIVATE_PREFIX)
}

/// The outcome of binding parameters.
pub(crate) enum BoundParams<P> {
    /// The parameters fit the procedure.
    Taken(P),
    /// The parameters do not fit.
    Refused,
    /// `serde_json` cannot tell: a parameter contains a lone surrogate, a number too large for a
    /// double, a negative zero, or a duplicate name.
    Undecided,
}

impl<P> BoundParams<P> {
    pub(crate) fn and_then<R>(self, next: impl FnOnce(P) -> BoundParams<R>) -> BoundParams<R> {
        match self {
            Self::Taken(taken) => next(taken),
            Self::Refused => BoundParams::Refused,
            Self::Undecided => BoundParams::Undecided,
        }
    }
}

/// The way in which numbers are read.
#[derive(Clone, Copy)]
pub(crate) enum NumberReading {
    /// Reading by type: a number with an integral value is an integer, however it is written.
    Typed,
    /// Reading as a `Value`: only a number written as an integer is one.
    Untyped,
}

/// Binds parameters to a struct with fields of these names.
pub(crate) fn named<P: DeserializeOwned + Serialize + Promises>(
    names: &[&str],
    params: &RequestParams<'_>,
    numbers: NumberReading,
) -> BoundParams<P> {
    by_name(names, params).and_then(|pairs| of_pairs(pairs, numbers))
}

/// Binds parameters that are taken by name only, each with its aliases.
pub(crate) fn renamed<P: DeserializeOwned + Serialize + Promises>(
    names: &[(&'static str, &[&'static str])],
    params: &RequestParams<'_>,
) -> BoundParams<P> {
    if matches!(params, RequestParams::Array(values) if !values.is_empty()) {
        return BoundParams::Refused;
    }
    let all: Vec<&str> = names
        .iter()
        .flat_map(|(own, others)| others.iter().chain([own]))
        .copied()
        .collect();
    let nothing = RequestParams::Nothing;
    let params = if matches!(params, RequestParams::Object(_)) {
        params
    } else {
        &nothing
    };
    by_name(&all, params).and_then(|pairs| {
        let mut by_own_name: Vec<(&str, &RawValue)> = Vec::new();
        for (name, value) in pairs {
            let Some((own, _)) = names
                .iter()
                .find(|(own, others)| *own == name || others.contains(&name))
            else {
                continue;
            };
            if by_own_name.iter().any(|(other, _)| other == own) {
                return BoundParams::Refused;
            }
            by_own_name.push((*own, value));
        }
        of_pairs(by_own_name, NumberReading::Typed)
    })
}

fn of_pairs<P: DeserializeOwned + Serialize + Promises>(
    pairs: Vec<(&str, &RawValue)>,
    numbers: NumberReading,
) -> BoundParams<P> {
    let mut object = Map::new();
    for (name, raw) in pairs {
        match value(raw, numbers) {
            Ok(value) => object.insert(name.to_owned(), value),
            Err(NoValue) => return unknown(numbers),
        };
    }
    typed(&Value::Object(object))
}

/// Binds parameters to a list of any length.
pub(crate) fn list<T: DeserializeOwned + Serialize>(
    params: &RequestParams<'_>,
    numbers: NumberReading,
) -> BoundParams<Vec<T>> {
    let elements = match params {
        RequestParams::Nothing => &[][..],
        RequestParams::Array(elements) => elements,
        RequestParams::Object(members) if members.len() == 0 => &[],
        RequestParams::Object(members) => {
            let only = members.get("values").filter(|_| members.len() == 1);
            match only.and_then(json::elements) {
                Some(values) => &values.clone(),
                None => return BoundParams::Refused,
            }
        }
    };
    let values: Result<Vec<_>, _> = elements.iter().map(|raw| value(raw, numbers)).collect();
    match values {
        Ok(values) => typed(&Value::Array(values)),
        Err(NoValue) => unknown(numbers),
    }
}

/// Returns the parameters by name. Each may occur once, and unknown names are rejected. The type
/// decides whether a missing parameter is an error.
pub(crate) fn by_name<'g>(
    names: &[&'g str],
    params: &RequestParams<'g>,
) -> BoundParams<Vec<(&'g str, &'g RawValue)>> {
    match params {
        RequestParams::Nothing => BoundParams::Taken(Vec::new()),
        RequestParams::Array(values) if values.len() > names.len() => BoundParams::Refused,
        RequestParams::Array(values) => {
            let pairs = names.iter().copied().zip(values.iter().copied());
            BoundParams::Taken(pairs.collect())
        }
        RequestParams::Object(members) => {
            let mut pairs = Vec::new();
            for (name, value) in members.iter() {
                let known = names.iter().find(|known| name.as_deref() == Some(**known));
                match known {
                    Some(known) if members.count(known) == 1 => pairs.push((*known, *value)),
                    _ => return BoundParams::Refused,
                }
            }
            BoundParams::Taken(pairs)
        }
    }
}

fn typed<P: DeserializeOwned + Serialize + Promises>(value: &Value) -> BoundParams<P> {
    match serde_json::from_value::<P>(value.clone()) {
        Ok(params) if params.hold() && is_written_so(value, &params) => BoundParams::Taken(params),
        _ => BoundParams::Refused,
    }
}

/// Returns whether a value has the form in which its type is serialised. serde also accepts an
/// array for a struct and an object for a unit variant, which no schema allows.
fn is_written_so(value: &Value, decoded: &impl Serialize) -> bool {
    serde_json::to_value(decoded).is_ok_and(|written| same_form(value, &written))
}

/// Returns whether a value has the same form when it is written again.
fn same_form(value: &Value, written: &Value) -> bool {
    match (value, written) {
        (Value::Object(members), Value::Object(written)) => {
            members.iter().all(|(name, value)| match written.get(name) {
                Some(written) => same_form(value, written),
                // The type ignores this member, so it may have any form.
                None => true,
            })
        }
        (Value::Array(elements), Value::Array(written)) => elements
            .iter()
            .zip(written)
            .all(|(value, written)| same_form(value, written)),
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        _ => true,
    }
}

/// Returns the outcome for a value that `serde_json` cannot hold. A type may ignore such a value, and
/// then accepts it; a `Value` never does.
fn unknown<P>(numbers: NumberReading) -> BoundParams<P> {
    match numbers {
        NumberReading::Typed => BoundParams::Undecided,
        NumberReading::Untyped => BoundParams::Refused,
    }
}

/// The error for a text that has no value in `serde_json`.
struct NoValue;

fn value(raw: &RawValue, numbers: NumberReading) -> Result<Value, NoValue> {
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'n') => Value::Null,
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'"') => Value::String(json::text(raw).ok_or(NoValue)?),
        Some(b'[') => {
            let elements = json::elements(raw).ok_or(NoValue)?;
            let mut values = Vec::new();
            for element in elements {
                values.push(value(element, numbers)?);
            }
            Value::Array(values)
        }
        Some(b'{') => object(raw, numbers)?,
        _ => real(text, numbers)?,
    })
}

fn object(raw: &RawValue, numbers: NumberReading) -> Result<Value, NoValue> {
    let members = json::members(raw).ok_or(NoValue)?;
    let mut object = Map::new();
    for (name, raw) in members.iter() {
        let name = name.clone().ok_or(NoValue)?;
        if object.insert(name, value(raw, numbers)?).is_some() {
            return Err(NoValue);
        }
    }
    Ok(Value::Object(object))
}

fn real(text: &str, numbers: NumberReading) -> Result<Value, NoValue> {
    let written_whole = !text.contains(['.', 'e', 'E']);
    match (number(text), numbers) {
        (Number::Beyond, _) | (Number::MinusZero, NumberReading::Typed) => Err(NoValue),
        (Number::MinusZero, NumberReading::Untyped) => Ok(Value::from(-0.0)),
        (Number::Real(value), _) => Ok(Value::from(value)),
        (Number::Whole(value), NumberReading::Typed) => Ok(integer(value)),
        (Number::Whole(value), NumberReading::Untyped) if written_whole => Ok(integer(value)),
        (Number::Whole(_), NumberReading::Untyped) => {
            text.parse().map(f64::into).map_err(|_| NoValue)
        }
    }
}

fn integer(value: i128) -> Value {
    match (u64::try_from(value), i64::try_from(value)) {
        (Ok(value), _) => Value::from(value),
        (_, Ok(value)) => Value::from(value),
        _ => Value::Null,
    }
}
