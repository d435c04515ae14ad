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
    //~^ `?` couldn't convert the error
    Ok(text)
}

#[derive(RpcError)]
enum Two {
    Internal(Fault),
    Other(Fault),
    //~^ conflicting implementations of trait `From<docent_core::Fault>` for type `Two`
}

#[derive(RpcError)]
enum Any {
    #[rpc(from_any_error)]
    Internal(Fault),
    #[rpc(from_any_error)]
    Other(Fault),
    //~^ conflicting implementations of trait `From<_>` for type `Any`
}

fn main() {}
