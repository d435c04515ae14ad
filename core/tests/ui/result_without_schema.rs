// expect: JsonSchema` is not satisfied
// expect: is not implemented for `Plain`

use docent_core::{Cx, Fault, Procedure};

#[derive(serde::Serialize)]
struct Plain {
    a: f64,
}

fn main() {
    let _: Procedure =
        Procedure::new("plain", |_: Cx<()>, (): ()| async { Ok::<_, Fault>(Plain { a: 1.0 }) });
}
