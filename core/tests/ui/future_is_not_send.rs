// expect: future cannot be sent between threads safely

use std::rc::Rc;

use docent_core::{Cx, Fault, Procedure};

fn main() {
    let _: Procedure = Procedure::new("wait", |_: Cx<()>, (): ()| async {
        let kept = Rc::new(1);
        std::future::ready(()).await;
        Ok::<_, Fault>(*kept)
    });
}
