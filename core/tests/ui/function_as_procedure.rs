//! A function in the place of a procedure.

#![allow(unused)]

use docent_core::{Cx, Fault, Service, procedure};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: f64,
    b: f64,
}

fn sum(_: Cx, p: Sum) -> Result<f64, Fault> {
    Ok(p.a + p.b)
}

#[procedure]
fn product(a: f64, b: f64) -> Result<f64, Fault> {
    Ok(a * b)
}

fn main() {
    let _ = Service::builder("calculator", "urn:example:calculator").procedure(sum);
    //~^ cannot be added to a service with the state `()`
    //~^^ `Procedure::new("f", f)` if not
    let _ = Service::builder("calculator", "urn:example:calculator").procedure(product);
    //~^ write `f::procedure()` if it has `#[procedure]`
    let _ = Service::builder("calculator", "urn:example:calculator").replace(sum);
    //~^ write `f::procedure()` if it has `#[procedure]`
    let _ = Service::builder("calculator", "urn:example:calculator").procedures([sum]);
    //~^ of functions: `[f::procedure()]`
}
