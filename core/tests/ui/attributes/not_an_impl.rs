//! The attribute of an `impl` on a function, and that of a function on a struct.

#![allow(unused)]

use docent_core::{Fault, procedure, procedures};

#[procedures]
fn find() -> Result<(), Fault> {
//~^ `#[procedures]` belongs on an `impl`; a function has `#[procedure]`
    Ok(())
}

#[procedure]
struct Library;
//~^ `#[procedure]` belongs on a function

fn main() {}
