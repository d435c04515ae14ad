// absent: cannot find type
//! The type of a security scheme, by the name that the compiler advises.

#![allow(unused)]

use docent_core::{CallInfo, Guard, Rejection};

struct Door;

impl Guard for Door {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn scheme(&self) -> Option<(String, String)> {
    //~^ fn scheme(&self) -> Option<(std::string::String, docent_core::Json)>
        None
    }
}

struct Gate;

impl Guard for Gate {
    fn check(&self, _: &CallInfo<'_>) -> Result<(), Rejection> {
        Ok(())
    }

    fn scheme(&self) -> Option<(std::string::String, docent_core::Json)> {
        None
    }
}

struct Fence;

impl docent::Guard for Fence {
    fn check(&self, _: &docent::CallInfo<'_>) -> Result<(), docent::Rejection> {
        Ok(())
    }

    fn scheme(&self) -> Option<(std::string::String, docent::Json)> {
        None
    }
}

fn main() {}
