//! `?` on an error that callers should not see, where the handler returns an error enum.

#![allow(unused)]

use docent_core::{Fault, RpcError};

#[derive(RpcError)]
enum Loan {
    #[rpc(code = 1404)]
    NoSuchBook,
    Internal(Fault),
}

#[derive(RpcError)]
enum Shelf {
    #[rpc(code = 1404)]
    NoSuchShelf,
}

#[derive(RpcError)]
enum Combined {
    #[rpc(code = 1404)]
    NoSuchRoom,
    #[rpc(transparent)]
    Shelf(Shelf),
    Internal(Fault),
}

fn loan() -> Result<String, Loan> {
    let text = std::fs::read_to_string("shelf")?;
    //~^ `?` couldn't convert the error to `Loan`
    Ok(text)
}

fn shelf() -> Result<String, Shelf> {
    let text = std::fs::read_to_string("shelf")?;
    //~^ `?` couldn't convert the error to `Shelf`
    Ok(text)
}

fn combined() -> Result<String, Combined> {
    let text = std::fs::read_to_string("shelf")?;
    //~^ `?` couldn't convert the error to `Combined`
    Ok(text)
}

fn main() {}
