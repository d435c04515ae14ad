//! An `impl` of a trait.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Library;

trait Find {
    fn find(&self) -> Result<(), Fault>;
}

#[procedures]
impl Find for Library {
//~^ a trait decides what its methods are: write the procedures in an `impl` of the type itself, without a trait
    #[procedure]
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {}
