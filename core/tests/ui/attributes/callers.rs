//! A caller that is not identified.

#![allow(unused)]

use docent_core::{Caller, Cx, Fault, procedures};

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

struct Shop;

#[procedures]
impl Shop {
    #[procedure]
    fn in_the_context(&self, cx: Cx<Self, User>) -> Result<(), Fault> {
    //~^ the caller is a separate argument: write `cx: Cx` and `user: Caller<User>`
    //~^^ the state is `&self`: write `cx: Cx`, and take the caller as `user: Caller<User>`
        Ok(())
    }
}

fn main() {
    let _ = Library.procedures::<()>();
}
