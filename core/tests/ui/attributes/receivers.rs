//! The receivers of methods.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn by_value(self) -> Result<(), Fault> {
    //~^ all calls share the state: take `&self`, and keep what changes in a `Mutex` or an atomic
        Ok(())
    }

    #[procedure]
    fn mutable(&mut self) -> Result<(), Fault> {
    //~^ all calls share the state: take `&self`, and keep what changes in a `Mutex` or an atomic
        Ok(())
    }

    #[procedure]
    fn in_an_arc(self: std::sync::Arc<Self>) -> Result<(), Fault> {
    //~^ all calls share the state: take `&self`, and keep what changes in a `Mutex` or an atomic
        Ok(())
    }

    #[procedure]
    fn none(limit: u32) -> Result<u32, Fault> {
    //~^ a procedure of an `impl` takes `&self`, the state of the service; without a state, write a function outside of the `impl` and give it `#[procedure]`
        Ok(limit)
    }
}

fn main() {
    let _ = Library.procedures::<()>();
}
