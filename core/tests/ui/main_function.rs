//! The attribute of the function in which a server runs, on functions that cannot be that.

#![allow(unused)]

#[docent::main]
fn synchronous() {}
//~^ `#[docent::main]` needs an `async fn`

#[docent::main]
async fn with_arguments(port: u16) {}
//~^ `#[docent::main]` needs a function without arguments

#[docent::main(threads = 2)]
//~^ `#[docent::main]` takes no options
async fn with_options() {}

fn main() {}
