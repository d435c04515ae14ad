//! A function that needs another state than the service has.

#![allow(unused)]

use docent_core::{Cx, Fault, Service, procedure};

#[procedure]
fn count(cx: Cx<u64>) -> Result<u64, Fault> {
    Ok(*cx.state())
}

fn main() {
    let _ = Service::builder("counter", "urn:example:counter").procedure(count::procedure());
    //~^ `Procedure<u64>` cannot be added to a service with the state `()`
    //~^^ call `.state(…)` before
}
