// expect: Result<

use docent_core::{Cx, Procedure};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    a: f64,
    b: f64,
}

fn main() {
    let _: Procedure = Procedure::new("sum", |_: Cx<()>, p: Sum| async move { p.a + p.b });
}
