//! An `impl` of a trait.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Library;

trait Find {
    fn find(&self) -> Result<(), Fault>;
}

#[procedures]
impl Find for Library {
    #[procedure]
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {}
