// expect: `Procedure<Database>` cannot be added to a service with the state `()`
// expect: call `.state(…)` before

use docent_core::{Cx, Fault, Procedure, Service};

struct Database;

fn main() {
    let count = Procedure::new("count", |_: Cx<Database>, (): ()| async { Ok::<_, Fault>(1) });
    let _ = Service::builder("library", "urn:uuid:00000000-0000-0000-0000-000000000000")
        .procedure(count);
}
