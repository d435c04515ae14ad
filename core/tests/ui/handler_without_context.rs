#![allow(unused)]

use docent_core::{Cx, Fault, Procedure};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: f64,
    b: f64,
}

fn sum(p: Sum) -> Result<f64, Fault> {
    Ok(p.a + p.b)
}

async fn wait(a: f64, b: f64, cx: Cx) -> Result<f64, Fault> {
    Ok(a + b)
}

fn main() {
    let _: Procedure = Procedure::sync("sum", sum);
    //~^ F: Fn(Cx<S, U>, P) -> Result<R, E>
    let _: Procedure = Procedure::new("wait", wait);
    //~^ // `async fn(Cx, Params)`
}
