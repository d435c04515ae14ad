//! Options that are not there, or have no such value.

#![allow(unused)]

use docent_core::{Fault, procedure, procedures};

#[procedure(idempotnt)]
fn misspelled() -> Result<(), Fault> {
    Ok(())
}

#[procedure(colour = "red")]
fn unknown() -> Result<(), Fault> {
    Ok(())
}

#[procedure(idempotent, idempotent)]
fn twice() -> Result<(), Fault> {
    Ok(())
}

#[procedure(idempotent = true)]
fn flag_with_a_value() -> Result<(), Fault> {
    Ok(())
}

#[procedure(timeout)]
fn without_a_value() -> Result<(), Fault> {
    Ok(())
}

#[procedure(timeout = 60)]
fn without_a_unit() -> Result<(), Fault> {
    Ok(())
}

#[procedure(timeout = "60 parsecs")]
fn unknown_unit() -> Result<(), Fault> {
    Ok(())
}

#[procedure(rate = 100)]
fn rate_without_a_time() -> Result<(), Fault> {
    Ok(())
}

#[procedure(rate(100, "60s"))]
fn rate_without_a_name() -> Result<(), Fault> {
    Ok(())
}

#[procedure(max_concurrent)]
fn limit_without_a_number() -> Result<(), Fault> {
    Ok(())
}

#[procedure(cache_for = "60s")]
fn cached() -> Result<(), Fault> {
    Ok(())
}

#[procedure(name = NAME)]
fn computed_name() -> Result<(), Fault> {
    Ok(())
}

#[procedure(example(params = [1]))]
fn example_without_an_outcome() -> Result<(), Fault> {
    Ok(())
}

#[procedure(error(1404, "No such book"))]
fn error_without_names() -> Result<(), Fault> {
    Ok(())
}

#[procedure(error(code = 1404))]
fn error_without_a_message() -> Result<(), Fault> {
    Ok(())
}

struct Library;

#[procedures(prefx = "book")]
impl Library {
    #[procedure = "find"]
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {
    let _ = misspelled::procedure::<()>();
}
