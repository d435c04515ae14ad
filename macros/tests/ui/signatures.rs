//! Functions that cannot be handlers.

#![allow(unused)]

use docent_core::{Fault, procedure};

#[procedure]
unsafe fn risky() -> Result<(), Fault> {
    Ok(())
}

#[procedure]
extern "C" fn foreign() -> Result<(), Fault> {
    Ok(())
}

#[procedure]
const fn early() -> Result<(), Fault> {
    Ok(())
}

#[procedure]
fn nothing() {}

#[procedure(blocking)]
async fn both() -> Result<(), Fault> {
    Ok(())
}

struct Library;

impl Library {
    #[procedure]
    fn method(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {}
