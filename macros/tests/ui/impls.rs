//! An `impl` that cannot have procedures.

#![allow(unused)]

use docent_core::{Cx, Fault, procedures};

struct Library;

#[procedures]
impl Library {
    fn helper(&self) {}
}

struct Shop<T>(T);

#[procedures]
impl<'a, T> Shop<&'a T> {
    #[procedure]
    fn order(&self, amount: Option<T>, sort: Self::Sort) -> Result<(), Fault> {
        Ok(())
    }
}

struct Bank;

#[procedures(prefix = "bank")]
impl Bank {
    #[procedure]
    fn open(&self, cx: Cx<Bank>) -> Result<(), Fault> {
        Ok(())
    }

    #[procedure(name = "open")]
    fn close(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {}
