//! An `impl` that cannot have procedures.

#![allow(unused)]

use docent_core::{Cx, Fault, procedures};

struct Library;

#[procedures]
impl Library {
//~^ no method of this `impl` is a procedure: give it `#[procedure]`
    fn helper(&self) {}
}

struct Shop<T>(T);

#[procedures]
impl<'a, T> Shop<&'a T> {
//~^ the state lives as long as its service, so it cannot borrow: own the value, or share it with an `Arc`
    #[procedure]
    fn order(&self, amount: Option<T>) -> Result<(), Fault> {
    //~^ a parameter has one type, which decides how it is decoded and described: it cannot use `T`, which the `impl` is generic over
        Ok(())
    }
}

struct Bank;

#[procedures(prefix = "bank")]
impl Bank {
    #[procedure]
    fn open(&self, cx: Cx<Bank>) -> Result<(), Fault> {
    //~^ the state is `&self` already: write `cx: Cx`
        Ok(())
    }

    #[procedure(name = "open")]
    //~^ the procedure "bank.open" is there already: the function `open`
    fn close(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {}
