//! An `impl` of a trait.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Library;

trait Find {
    fn find(&self) -> Result<(), Fault>;
}

#[procedures]
impl Find for Library {
//~^ the `impl` of a trait cannot have procedures: write them in an `impl` of the type itself
    #[procedure]
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {}
