//! Functions that cannot be handlers.

#![allow(unused)]

use docent_core::{Fault, procedure};

#[procedure]
fn nothing() {}
//~^ a procedure returns a `Result`: write `-> Result<(), Fault>` after `nothing(…)`

#[procedure(blocking)]
//~^ `blocking` is for a function that is not async: leave out `async`, or `blocking`
async fn both() -> Result<(), Fault> {
    Ok(())
}

struct Library;

impl Library {
    #[procedure]
    fn method(&self) -> Result<(), Fault> {
    //~^ the `impl` of a method with `#[procedure]` needs `#[procedures]`
        Ok(())
    }
}

fn main() {}
