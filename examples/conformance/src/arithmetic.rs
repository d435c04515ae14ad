//! `subtract`, `sum` and `sum3`: the calculations in the specifications' examples.

use docent::{Cx, Procedure, RpcError, json};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::number::Number;

/// The errors of a calculation.
#[derive(Debug, RpcError)]
pub(crate) enum ArithmeticError {
    /// The result is larger than any double.
    #[rpc(code = 1001, message = "The result is out of range", status = 422)]
    OutOfRange,
}

/// Subtracts one number from another.
#[derive(Deserialize, JsonSchema)]
struct Subtract {
    /// The number to subtract from.
    minuend: Number,
    /// The number to subtract.
    subtrahend: Number,
}

/// Adds three numbers.
#[derive(Deserialize, JsonSchema)]
struct Sum3 {
    /// First addend.
    a: Number,
    /// Second addend.
    b: Number,
    /// Third addend.
    c: Number,
}

pub(crate) fn procedures() -> Vec<Procedure> {
    vec![
        Procedure::sync("subtract", |_: Cx, p: Subtract| {
            finite(p.minuend.subtract(p.subtrahend))
        })
        .idempotent()
        .tag("arithmetic")
        .example(json!([42, 23]), json!(19))
        .example(json!({"subtrahend": 23, "minuend": 42}), json!(19)),
        Procedure::sync("sum", |_: Cx, values: Vec<Number>| {
            finite(values.into_iter().fold(Number::ZERO, Number::add))
        })
        .summary("Adds numbers, as many as there are.")
        .idempotent()
        .tag("arithmetic")
        .example(json!([1, 2, 4]), json!(7)),
        Procedure::sync("sum3", |_: Cx, p: Sum3| finite(p.a.add(p.b).add(p.c)))
            .idempotent()
            .tag("arithmetic")
            .example(json!({"a": 17, "b": 25, "c": 4}), json!(46)),
    ]
}

fn finite(number: Number) -> Result<Number, ArithmeticError> {
    if number.is_finite() {
        Ok(number)
    } else {
        Err(ArithmeticError::OutOfRange)
    }
}
