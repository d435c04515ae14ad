//! The handlers of the procedures. None of these servers enforces schemas, so the handlers check what
//! Docent would check.
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "all handlers have the same form"
)]

use crate::types::{
    Fill, Find, Line, Measure, NO_SUCH_SHELF, NO_SUCH_SHELF_MESSAGE, Order, Receipt, Reserve,
    Shelf, Sum,
};

/// An error of a procedure: its code and message.
pub(crate) type Refused = (i64, &'static str);

const INVALID: Refused = (-32602, "Invalid params");

/// The names of the procedures that are never called.
pub(crate) fn more(procedures: usize) -> impl Iterator<Item = String> {
    (7..procedures).map(|number| format!("sum{number}"))
}

pub(crate) fn sum(params: Sum) -> Result<f64, Refused> {
    Ok(params.total())
}

pub(crate) fn find(params: Find) -> Result<usize, Refused> {
    Ok(params.found())
}

pub(crate) fn reserve(params: Reserve) -> Result<u32, Refused> {
    let is_code = params.code.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_code || params.code.is_empty() || !(1..=100).contains(&params.places) {
        return Err(INVALID);
    }
    Ok(params.places)
}

pub(crate) fn order(params: Order) -> Result<Receipt, Refused> {
    let zip = &params.address.zip;
    if zip.len() != 5 || !zip.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(INVALID);
    }
    let is_line = |line: &Line| (1..=1000).contains(&line.quantity) && line.price >= 0.0;
    if params.lines.is_empty() || !params.lines.iter().all(is_line) {
        return Err(INVALID);
    }
    Ok(params.receipt())
}

pub(crate) fn shelf(params: Shelf) -> Result<u32, Refused> {
    let _ = params.number;
    Err((NO_SUCH_SHELF, NO_SUCH_SHELF_MESSAGE))
}

pub(crate) fn measure(params: Measure) -> Result<usize, Refused> {
    Ok(params.text.len())
}

pub(crate) fn fill(params: Fill) -> Result<String, Refused> {
    Ok(params.text())
}
