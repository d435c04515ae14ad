#![allow(unused)]

use docent_core::{Cx, Fault, Procedure};

struct User;

async fn whoami(cx: Cx<(), User>, _: ()) -> Result<u8, Fault> {
    //~^ `User` does not say who is calling
    //~^^ write `impl Identity for User`
    Ok(1)
}

fn main() {
    let _: Procedure = Procedure::new("whoami", whoami);
}
