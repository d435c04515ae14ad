#![allow(unused)]

use docent_core::{Cx, Fault, Procedure};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: f64,
    b: f64,
}

async fn waits(_: Cx, p: Sum) -> Result<f64, Fault> {
    Ok(p.a)
}

fn computes(_: Cx, p: Sum) -> Result<f64, Fault> {
    Ok(p.a)
}

fn main() {
    let _: Procedure = Procedure::sync("waits", waits);
    //~^ // async: `Procedure::new`
    let _: Procedure = Procedure::blocking("waits", waits);
    //~^ // async: `Procedure::new`
    let _: Procedure = Procedure::new("computes", computes);
    //~^ // not async: `Procedure::sync`
}
