//! The attribute of an `impl` on a function, and that of a function on a struct.

#![allow(unused)]

use docent_core::{Fault, procedure, procedures};

#[procedures]
fn find() -> Result<(), Fault> {
    Ok(())
}

#[procedure]
struct Library;

fn main() {}
