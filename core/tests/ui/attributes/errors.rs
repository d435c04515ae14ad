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
    //~^ unknown `colour`; expected one of `code`, `message`, `status`, `retry`
    Unknown,
    #[rpc(code = 4)]
    Two(u8, u8),
    //~^ the data of an error is one value: give the fields names, or make a struct of them
    #[rpc(code = 9, message = "No book {0:?}")]
    //~^ a message is sent as it is written, and nothing replaces `{0:?}`: remove it, and send values in the data of the error
    Placeholder(u8),
    #[rpc(code = 10, message = "The set {\"a\"} is not {open")]
    Braces,
    #[rpc(transparent)]
    Nothing,
    //~^ `Nothing` has to hold the other error: write `Nothing(OtherError)`
    #[rpc(from_any_error)]
    Text(String),
    //~^ an internal error is held as a `Fault`: write `Fault` here
}

#[derive(RpcError)]
#[rpc(code = 6)]
//~^ `#[rpc(…)]` belongs on each variant, not on the enum
enum OnTheEnum {
    #[rpc(code = 7)]
    Variant,
}

mod codes {
    pub const GONE: i64 = 1410;
    pub const OURS: i64 = -32001;
    pub const FINE: u16 = 200;
}

fn computed() -> i64 {
    1410
}

#[derive(RpcError)]
enum Codes {
    #[rpc(code = -32768)]
    //~^ the error code -32768 is reserved for the protocol (-32768…-32000): choose one outside of this range
    First,
    #[rpc(code = -32_000)]
    //~^ the error code -32000 is reserved for the protocol (-32768…-32000): choose one outside of this range
    Last,
    #[rpc(code = -32769)]
    Before,
    #[rpc(code = -31999)]
    After,
    #[rpc(code = -31999, message = "After")]
    //~^ the error code -31999 is declared twice: `After` has it too; choose another, because callers tell errors apart by their codes
    Again,
    #[rpc(code = 1, status = 200)]
    //~^ the status 200 is not an error status: choose one from 400 to 599
    Status,
    #[rpc(code = 2, status = 600)]
    //~^ the status 600 is not an error status: choose one from 400 to 599
    NoStatus,
    #[rpc(code = 3, colour = "red", size = 1, message)]
    //~^ unknown `colour`
    //~^^ unknown `size`
    //~^^^ `message` needs a value
    AllAtOnce,
}

#[derive(RpcError)]
enum Constants {
    #[rpc(code = codes::GONE)]
    Gone,
    #[rpc(code = codes::OURS)]
    //~^ this error code is reserved for the protocol (-32768…-32000): choose one outside of this range
    Ours,
    #[rpc(code = 1409 + 1)]
    //~^ this error code is declared twice: `Gone` has it too; choose another, because callers tell errors apart by their codes
    Sum,
    #[rpc(code = 1410)]
    //~^ this error code is declared twice: `Gone` has it too; choose another, because callers tell errors apart by their codes
    Literal,
    #[rpc(code = 4, status = codes::FINE)]
    //~^ this status is not an error status: choose one from 400 to 599
    Status,
    #[rpc(code = computed())]
    Computed,
}

/// Two types may have one code.
#[derive(RpcError)]
enum Other {
    #[rpc(code = codes::GONE)]
    Gone,
    #[rpc(code = codes::GONE + 1)]
    Sum,
    #[rpc(transparent)]
    Constants(Constants),
}

fn main() {
    let _ = Loan::NoSuchBook.into_fault();
}
