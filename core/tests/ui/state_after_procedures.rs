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

#[procedures]
impl Database {
    #[procedure]
    fn size(&self) -> Result<u8, Fault> {
        Ok(1)
    }
}

fn main() {
    let _ = Service::builder("library", "urn:example:library")
        .procedure(Procedure::sync("count", count))
        //~^ `Procedure<Database>` cannot be added to a service with the state `()`
        //~^^ call `.state(…)` before
        .state(Database)
        .build();
    let _ = Service::builder("library", "urn:example:library").procedures(Library);
    //~^ // of a type: `value.procedures()`
    let _ = std::sync::Arc::new(Database).procedures::<()>();
    //~^ `procedures()` takes the state itself, and this is an `Arc`
    //~^^ write `state.shared_procedures()`
}
