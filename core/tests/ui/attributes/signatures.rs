//! Functions that cannot be handlers.

#![allow(unused)]

use docent_core::{Fault, procedure};

#[procedure]
unsafe fn risky() -> Result<(), Fault> {
//~^ callers decide about the arguments, so a handler cannot be `unsafe`
    Ok(())
}

#[procedure]
extern "C" fn foreign() -> Result<(), Fault> {
//~^ a handler is a Rust function: leave out `extern`
    Ok(())
}

#[procedure]
const fn early() -> Result<(), Fault> {
//~^ a handler runs when a call comes in: leave out `const`
    Ok(())
}

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
    //~^ the `impl` of a method with `#[procedure]` needs `#[docent_core::procedures]`
        Ok(())
    }
}

fn main() {}
