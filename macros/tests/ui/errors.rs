//! Errors that cannot be declared.

#![allow(unused)]

use docent_core::{Fault, RpcError};

#[derive(RpcError)]
enum Loan {
    NoSuchBook,
    #[rpc]
    Bare,
    #[rpc(message = "No code")]
    NoCode,
    #[rpc(code = -32002)]
    Reserved,
    #[rpc(code = 1, status = 200)]
    Success,
    #[rpc(code = 2, retry = "never")]
    Retry,
    #[rpc(code = 3, colour = "red")]
    Unknown,
    #[rpc(code = 4)]
    Two(u8, u8),
    #[rpc(code = 5)]
    First,
    #[rpc(code = 5)]
    Second,
    #[rpc(transparent)]
    Nothing,
    #[rpc(from_any_error)]
    Text(String),
}

#[derive(RpcError)]
#[rpc(code = 6)]
enum OnTheEnum {
    #[rpc(code = 7)]
    Variant,
}

#[derive(RpcError)]
enum Generic<T> {
    #[rpc(code = 8)]
    Named { value: T },
}

fn main() {
    let _ = Loan::NoSuchBook.into_fault();
}
