//! What a method takes as `self`.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn by_value(self) -> Result<(), Fault> {
        Ok(())
    }

    #[procedure]
    fn mutable(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    #[procedure]
    fn in_an_arc(self: std::sync::Arc<Self>) -> Result<(), Fault> {
        Ok(())
    }

    #[procedure]
    fn none(limit: u32) -> Result<u32, Fault> {
        Ok(limit)
    }
}

fn main() {
    let _ = Library.procedures::<()>();
}
