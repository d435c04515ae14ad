//! Error enums that `?` cannot fill, or could fill in two ways.

#![allow(unused)]

use docent_core::{Fault, ResultExt, RpcError};

#[derive(RpcError)]
enum Loan {
    #[rpc(code = 1404)]
    NoSuchBook,
}

fn read() -> Result<String, Loan> {
    let text = std::fs::read_to_string("shelf").internal()?;
    //~^ add the variant `Internal(Fault)`
    Ok(text)
}

#[derive(RpcError)]
enum Two {
    Internal(Fault),
    Other(Fault),
    //~^ `Internal` takes `Fault` already: `?` would have two choices
}

#[derive(RpcError)]
enum Any {
    #[rpc(from_any_error)]
    Internal(Fault),
    #[rpc(from_any_error)]
    Other(Fault),
    //~^ `Internal` takes every other error already: `?` would have two choices
}

fn main() {}
