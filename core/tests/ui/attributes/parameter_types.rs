//! Parameters that cannot be decoded or described, and defaults of another type.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Plain;

struct Library;

#[procedures]
impl Library {
    #[procedure]
    async fn find(&self, words: String, plain: Plain) -> Result<(), Fault> {
    //~^ `Plain`
        Ok(())
    }

    #[procedure]
    fn list(&self, #[procedure(default = "ten")] limit: u32) -> Result<(), Fault> {
    //~^ u32
        Ok(())
    }
}

fn main() {
    let _ = Library.procedures::<()>();
}
