//! The same calls written by hand, as a lower bound: serde, plain checks and a table of functions, for
//! nothing but these procedures.

use std::collections::HashMap;
use std::hint::black_box;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::types::{
    Fill, Find, Measure, NO_SUCH_SHELF, NO_SUCH_SHELF_MESSAGE, Order, Reserve, Shelf, Sum,
};

#[derive(Deserialize)]
struct Request<'a> {
    jsonrpc: &'a str,
    method: &'a str,
    #[serde(borrow)]
    params: &'a RawValue,
    #[serde(borrow)]
    id: &'a RawValue,
}

#[derive(Serialize)]
struct Success<'a, R> {
    jsonrpc: &'a str,
    result: R,
    id: &'a RawValue,
}

#[derive(Serialize)]
struct ErrorResponse<'a> {
    jsonrpc: &'a str,
    error: Error<'a>,
    id: &'a RawValue,
}

#[derive(Serialize)]
struct Error<'a> {
    code: i64,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<InvalidParam<'a>>,
}

/// The data of an error about a parameter.
#[derive(Serialize)]
struct InvalidParam<'a> {
    parameter: &'a str,
    pointer: &'a str,
    reason: String,
}

type Handler = fn(&str, &RawValue, &mut Vec<u8>) -> Option<()>;

/// Procedures by name.
pub type Table = HashMap<String, Handler>;

/// A table with as many procedures, at least those that are called.
pub fn table(procedures: usize) -> Table {
    let called: [(&str, Handler); 7] = [
        ("sum", sum),
        ("find", find),
        ("reserve", reserve),
        ("order", order),
        ("shelf", shelf),
        ("measure", measure),
        ("fill", fill),
    ];
    let more = (called.len()..procedures).map(|n| (format!("sum{n}"), sum as Handler));
    called
        .into_iter()
        .map(|(name, handler)| (name.to_owned(), handler))
        .chain(more)
        .collect()
}

/// Makes a number of calls, and returns the bytes of the responses.
pub fn run(table: &Table, body: &[u8], calls: usize) -> usize {
    (0..calls)
        .map(|_| answer(table, black_box(body)).map_or(0, |response| response.len()))
        .sum()
}

/// Answers a body; `None` where it is not one of those that are measured.
pub fn answer(table: &Table, body: &[u8]) -> Option<Vec<u8>> {
    let mut response = Vec::with_capacity(128);
    if body.first() == Some(&b'[') {
        let requests: Vec<Request<'_>> = serde_json::from_slice(body).ok()?;
        response.push(b'[');
        for request in &requests {
            if response.len() > 1 {
                response.push(b',');
            }
            single(table, request, &mut response)?;
        }
        response.push(b']');
    } else {
        single(table, &serde_json::from_slice(body).ok()?, &mut response)?;
    }
    Some(response)
}

fn single(table: &Table, request: &Request<'_>, response: &mut Vec<u8>) -> Option<()> {
    if request.jsonrpc != "2.0" {
        return None;
    }
    table.get(request.method)?(request.params.get(), request.id, response)
}

fn succeed(result: impl Serialize, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let jsonrpc = "2.0";
    serde_json::to_writer(
        response,
        &Success {
            jsonrpc,
            result,
            id,
        },
    )
    .ok()
}

fn fail(error: Error<'_>, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let jsonrpc = "2.0";
    serde_json::to_writer(response, &ErrorResponse { jsonrpc, error, id }).ok()
}

fn fail_params(data: InvalidParam<'_>, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let error = Error {
        code: -32602,
        message: "Invalid params",
        data: Some(data),
    };
    fail(error, id, response)
}

fn sum(params: &str, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let params: Sum = match serde_json::from_str(params) {
        Ok(params) => params,
        Err(error) => {
            let data = InvalidParam {
                parameter: "a",
                pointer: "",
                reason: error.to_string(),
            };
            return fail_params(data, id, response);
        }
    };
    succeed(params.total(), id, response)
}

fn find(params: &str, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let params: Find = match serde_json::from_str(params) {
        Ok(params) => params,
        Err(error) => {
            let data = InvalidParam {
                parameter: "limits",
                pointer: "",
                reason: error.to_string(),
            };
            return fail_params(data, id, response);
        }
    };
    succeed(params.found(), id, response)
}

fn reserve(params: &str, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let params: Reserve = serde_json::from_str(params).ok()?;
    let is_code = params.code.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_code || params.code.is_empty() || !(1..=100).contains(&params.places) {
        let data = InvalidParam {
            parameter: "places",
            pointer: "",
            reason: format!("expected an integer from 1 to 100, found {}", params.places),
        };
        return fail_params(data, id, response);
    }
    succeed(params.places, id, response)
}

fn order(params: &str, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let params: Order = serde_json::from_str(params).ok()?;
    let zip = &params.address.zip;
    if zip.len() != 5 || !zip.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if params.lines.is_empty() {
        return None;
    }
    for line in &params.lines {
        if !(1..=1000).contains(&line.quantity) || line.price < 0.0 {
            return None;
        }
    }
    succeed(params.receipt(), id, response)
}

fn shelf(params: &str, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let _: Shelf = serde_json::from_str(params).ok()?;
    let error = Error {
        code: NO_SUCH_SHELF,
        message: NO_SUCH_SHELF_MESSAGE,
        data: None,
    };
    fail(error, id, response)
}

fn measure(params: &str, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let params: Measure = serde_json::from_str(params).ok()?;
    succeed(params.text.len(), id, response)
}

fn fill(params: &str, id: &RawValue, response: &mut Vec<u8>) -> Option<()> {
    let params: Fill = serde_json::from_str(params).ok()?;
    succeed(params.text(), id, response)
}
