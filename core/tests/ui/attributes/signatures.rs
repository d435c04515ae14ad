//! Functions that cannot be handlers.

#![allow(unused)]

use docent_core::{Fault, procedure};

#[procedure]
fn nothing() {}
//~^ a procedure returns a `Result`: write `-> Result<(), Fault>` after `nothing(…)`

#[procedure(blocking)]
//~^ `blocking` is for a function that is not async: remove `async` or `blocking`
async fn both() -> Result<(), Fault> {
    Ok(())
}

struct Library;

impl Library {
    #[procedure]
    fn method(&self) -> Result<(), Fault> {
    //~^ a method with `#[procedure]` needs `#[procedures]` on its `impl`
        Ok(())
    }
}

fn main() {}
