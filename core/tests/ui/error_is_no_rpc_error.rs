// expect: String` is not an error that a procedure can return
// expect: does not implement `RpcError`
// expect: derive it for an error enum

use docent_core::{Cx, Procedure};

fn main() {
    let _: Procedure =
        Procedure::new("fail", |_: Cx<()>, (): ()| async { Err::<(), _>("no".to_owned()) });
}
