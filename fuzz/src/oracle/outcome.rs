//! Predicts the outcome of a call of each procedure of the service under test.
//!
//! It repeats in a few lines what each handler does. Where `serde_json` cannot tell, it says which codes are
//! possible.

use std::any::type_name;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::code::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND};
use super::value::{BoundParams, NumberReading, RequestParams, by_name, list, named, renamed};
use crate::params::{
    Amount, Anything, Chain, Checked, Choices, Flat, Nested, Optional, Promises, Renamed, Scalars,
    Subtract, Text, Widths, sum,
};

/// The expected outcome of a call.
#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    /// This result, byte for byte.
    Result(String),
    /// This error of the protocol.
    Error(i64),
    /// An error that the procedure declares: code, message and the text of its data.
    Declared(i64, &'static str, String),
    /// A result or one of these errors. The oracle cannot tell which.
    Undecided(&'static [i64]),
}

/// The code of the procedure that fails on purpose.
pub(crate) const ON_PURPOSE: i64 = 417;

pub(crate) const RESERVED: [&str; 7] = [
    "rpc.describe",
    "rpc.discover",
    "rpc.openapi",
    "system.describe",
    "system.listMethods",
    "system.version",
    "system.about",
];

/// Returns the outcome of a 2.0 call.
pub(crate) fn strict(procedure: &str, params: &RequestParams<'_>) -> Outcome {
    if !params.has_private_name() {
        return predicted(procedure, params);
    }
    match predicted(procedure, &RequestParams::Nothing) {
        Outcome::Error(METHOD_NOT_FOUND) => Outcome::Error(METHOD_NOT_FOUND),
        _ => Outcome::Error(INVALID_PARAMS),
    }
}

/// Returns the outcome of a 2.0 call whose parameters `serde_json` decodes as they are written.
fn predicted(procedure: &str, params: &RequestParams<'_>) -> Outcome {
    use NumberReading::{Typed, Untyped};
    match procedure {
        "none" | "count" => ends(nothing(params), echoed),
        "values" => ends(list::<Value>(params, Untyped), echoed),
        "integers" => ends(list::<i64>(params, Typed), echoed),
        "scalars" => echo::<Scalars>(&["flag", "number", "text"], params),
        "text" | "blocking" => echo::<Text>(&["text"], params),
        "anything" => ends(named::<Anything>(&["value"], params, Untyped), echoed),
        "widths" => {
            let names = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
            echo::<Widths>(&names, params)
        }
        "optional" => echo::<Optional>(&["required", "count", "maybe", "list"], params),
        "nested" => echo::<Nested>(&["outer", "by_name"], params),
        "choices" => echo::<Choices>(&["colour", "outside", "inside", "either"], params),
        "checked" => echo::<Checked>(&["code", "percent", "set", "fives"], params),
        "chain" => echo::<Chain>(&["link", "name"], params),
        "renamed" => {
            let names = [("new", &["before"][..]), ("required", &["prior", "first"])];
            ends(renamed::<Renamed>(&names, params), echoed)
        }
        "flat" => echo::<Flat>(&["flag", "text"], params),
        "verbatim" => verbatim(params),
        "slow" => echo::<Amount>(&["amount"], params),
        "large" => ends(named::<Amount>(&["amount"], params, Typed), |p| {
            echoed("é".repeat(p.amount.into()))
        }),
        "fails" => ends(named::<Text>(&["text"], params, Typed), |p| {
            Outcome::Declared(ON_PURPOSE, "Failed on purpose", written(&p.text))
        }),
        "subtract" => ends(
            named::<Subtract>(&["minuend", "subtrahend"], params, Typed),
            |p| echoed(p.difference()),
        ),
        "sum" => ends(list::<i32>(params, Typed), |values| echoed(sum(&values))),
        "update" | "notify_hello" => ends(list::<i64>(params, Typed), |_| echoed(())),
        "get_data" => ends(nothing(params), |()| echoed(("hello", 5))),
        "undeclared" | "panics" | "panics_later" | "infinite" => {
            ends(nothing(params), |()| Outcome::Error(INTERNAL_ERROR))
        }
        reserved if RESERVED.contains(&reserved) => Outcome::Undecided(&[INVALID_PARAMS]),
        _ => Outcome::Error(METHOD_NOT_FOUND),
    }
}

/// Returns the outcome of a 1.1 call. 1.1 adapts parameters if nothing is lost, so it may accept
/// what 2.0 rejects. Whatever 2.0 accepts has the same outcome in 1.1.
pub(crate) fn lenient(procedure: &str, params: &RequestParams<'_>) -> Outcome {
    match strict(procedure, params) {
        Outcome::Error(INVALID_PARAMS) if !params.has_private_name() => {
            Outcome::Undecided(&[INVALID_PARAMS, INTERNAL_ERROR, ON_PURPOSE])
        }
        predicted => predicted,
    }
}

/// Returns whether GET may call the procedure, or `None` if there is no such procedure.
pub(crate) fn is_idempotent(procedure: &str) -> Option<bool> {
    let changes = [
        "count",
        "undeclared",
        "panics_later",
        "subtract",
        "sum",
        "update",
        "notify_hello",
        "get_data",
    ]
    .contains(&procedure);
    let unknown = Outcome::Error(METHOD_NOT_FOUND);
    (strict(procedure, &RequestParams::Nothing) != unknown).then_some(!changes)
}

fn echo<P: DeserializeOwned + Serialize + Promises>(
    names: &[&str],
    params: &RequestParams<'_>,
) -> Outcome {
    ends(named::<P>(names, params, NumberReading::Typed), echoed)
}

fn nothing(params: &RequestParams<'_>) -> BoundParams<()> {
    by_name(&[], params).and_then(|_| BoundParams::Taken(()))
}

/// Returns the parameter as it is written. Nothing decodes it, so any value is accepted.
fn verbatim(params: &RequestParams<'_>) -> Outcome {
    let bound = by_name(&["value"], params).and_then(|pairs| match pairs.first() {
        Some((_, value)) => BoundParams::Taken(value.get().to_owned()),
        None => BoundParams::Refused,
    });
    ends(bound, |value| {
        Outcome::Result(format!("{{\"value\":{value}}}"))
    })
}

fn ends<P>(bound: BoundParams<P>, end: impl FnOnce(P) -> Outcome) -> Outcome {
    match bound {
        BoundParams::Taken(params) => end(params),
        BoundParams::Refused => Outcome::Error(INVALID_PARAMS),
        BoundParams::Undecided => Outcome::Undecided(&[INVALID_PARAMS, ON_PURPOSE]),
    }
}

fn echoed<P: Serialize>(params: P) -> Outcome {
    Outcome::Result(written(&params))
}

fn written<P: Serialize>(params: &P) -> String {
    serde_json::to_string(params)
        .unwrap_or_else(|error| panic!("cannot serialize {}: {error}", type_name::<P>()))
}
