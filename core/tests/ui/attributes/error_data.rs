//! Data that cannot be described, and a held error that is none.

#![allow(unused)]

use docent_core::RpcError;

struct Plain;

#[derive(RpcError)]
enum Loan {
    #[rpc(code = 1)]
    Held(Plain),
    //~^ `Plain: docent_core::__private::schemars::JsonSchema`
    #[rpc(code = 2)]
    Named { plain: Plain },
    #[rpc(transparent)]
    Other(std::io::Error),
    //~^ `std::io::Error` is not an error that a procedure can return
}

fn main() {}
