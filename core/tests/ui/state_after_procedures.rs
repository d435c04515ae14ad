#![allow(unused)]

use docent_core::{Cx, Fault, Procedure, Service, procedures};

struct Database;

fn count(cx: Cx<Database>, _: ()) -> Result<u8, Fault> {
    Ok(1)
}

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn count(&self) -> Result<u8, Fault> {
        Ok(1)
    }
}

fn main() {
    let _ = Service::builder("library", "urn:example:library")
        .procedure(Procedure::sync("count", count))
        //~^ expected `Procedure`, found `Procedure<Database>`
        //~^^ another state: `.state(…)` before
        .state(Database)
        .build();
    let _ = Service::builder("library", "urn:example:library").procedures(Library);
    //~^ // of a type: `value.procedures()`
}
