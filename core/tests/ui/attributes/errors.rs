//! Errors that cannot be declared.

#![allow(unused)]

use docent_core::{Fault, RpcError};

#[derive(RpcError)]
enum Loan {
    NoSuchBook,
    //~^ `NoSuchBook` has no code: write `#[rpc(code = 1404, message = "…")]` above it, or `#[rpc(transparent)]` if it holds another error
    #[rpc]
    //~^ attribute arguments in parentheses
    Bare,
    #[rpc(message = "No code")]
    NoCode,
    //~^ `NoCode` has no code: write `#[rpc(code = 1404, message = "…")]` above it
    #[rpc(code = 2, retry = "never")]
    //~^ expected `bool`, found `&str`
    Retry,
    #[rpc(code = 3, colour = "red")]
    //~^ unknown `colour`; there are `code`, `message`, `status`, `retry`
    Unknown,
    #[rpc(code = 4)]
    Two(u8, u8),
    //~^ the data of an error is one value: give the fields names, or make a struct of them
    #[rpc(code = 9, message = "No book {0:?}")]
    //~^ the message is the same for every call, and nothing replaces `{0:?}`: leave it out; callers read values from the data
    Placeholder(u8),
    #[rpc(code = 10, message = "The set {\"a\"} is not {open")]
    Braces,
    #[rpc(transparent)]
    Nothing,
    //~^ `Nothing` has to hold the other error: write `Nothing(OtherError)`
    #[rpc(from_any_error)]
    Text(String),
    //~^ internal errors are kept as a `Fault`: write `Fault` here
}

#[derive(RpcError)]
#[rpc(code = 6)]
//~^ each variant has its own `#[rpc(…)]`; the enum has none
enum OnTheEnum {
    #[rpc(code = 7)]
    Variant,
}

fn main() {
    let _ = Loan::NoSuchBook.into_fault();
}
