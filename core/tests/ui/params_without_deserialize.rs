// expect: DeserializeOwned` is not satisfied
// absent: JsonSchema` is not

use docent_core::{Cx, Fault, Procedure};

#[derive(schemars::JsonSchema)]
struct Plain {
    a: f64,
}

fn main() {
    let _: Procedure =
        Procedure::new("plain", |_: Cx<()>, p: Plain| async move { Ok::<_, Fault>(p.a) });
}
