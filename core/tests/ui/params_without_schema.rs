// expect: JsonSchema` is not satisfied
// expect: is not implemented for `Plain`
// absent: DeserializeOwned` is not satisfied

use docent_core::{Cx, Fault, Procedure};

#[derive(serde::Deserialize)]
struct Plain {
    a: f64,
}

fn main() {
    let _: Procedure =
        Procedure::new("plain", |_: Cx<()>, p: Plain| async move { Ok::<_, Fault>(p.a) });
}
