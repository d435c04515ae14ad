//! An `impl` that cannot have procedures.

#![allow(unused)]

use docent_core::{Cx, Fault, procedures};

struct Library;

#[procedures]
impl Library {
//~^ no method of this `impl` is a procedure: write `#[procedure]` above at least one
    fn helper(&self) {}
}

struct Shop<T>(T);

#[procedures]
impl<'a> Shop<&'a str> {
//~^ the state lives as long as its service, so it cannot borrow: own the value, or share it with an `Arc`
    #[procedure]
    fn order(&self, amount: u8) -> Result<(), Fault> {
        Ok(())
    }
}

struct Bank;

#[procedures(prefix = "bank")]
impl Bank {
    #[procedure]
    fn open(&self, cx: Cx<Bank>) -> Result<(), Fault> {
    //~^ the state is `&self`: write `cx: Cx`, and take the caller as `user: Caller<User>`
        Ok(())
    }
}

fn main() {}
