//! Options whose features are off, in this package.

#![allow(unused)]

use docent_core::{Fault, procedure};
use docent::procedures;

#[procedure(repeatable = "24h", keys_without_caller)]
//~^ `repeatable` needs the feature `keys` of docent-core: write `features = ["keys"]` in Cargo.toml
//~^^ `keys_without_caller` needs the feature `keys` of docent-core: write `features = ["keys"]` in Cargo.toml
fn keys() -> Result<(), Fault> {
    Ok(())
}

#[procedure(rate(100, per = "60s"))]
//~^ `rate` needs the feature `rate-limits` of docent-core: write `features = ["rate-limits"]` in Cargo.toml
fn rate() -> Result<(), Fault> {
    Ok(())
}

struct Library;

#[procedures]
impl Library {
    #[procedure(tool(name = "find", destructive = false))]
    //~^ `tool` needs the feature `mcp` of docent: write `features = ["mcp"]` in Cargo.toml
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {
    let _ = keys::procedure::<()>();
}
