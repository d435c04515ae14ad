//! A caller that is not identified.

#![allow(unused)]

use docent_core::{Caller, Fault, procedures};

struct User;

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn whoami(&self, user: Caller<User>) -> Result<(), Fault> {
    //~^ `User` does not say who is calling
        Ok(())
    }
}

fn main() {
    let _ = Library.procedures::<()>();
}
