//! Data that cannot be described, and a held error that is none.

#![allow(unused)]

use docent_core::RpcError;

struct Plain;

#[derive(RpcError)]
enum Loan {
    #[rpc(code = 1)]
    Held(Plain),
    #[rpc(code = 2)]
    Named { plain: Plain },
    #[rpc(transparent)]
    Other(std::io::Error),
}

fn main() {}
