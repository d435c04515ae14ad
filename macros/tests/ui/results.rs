//! Results that cannot be sent or described.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Plain;

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn not_a_result(&self) -> f64 {
        1.0
    }

    #[procedure]
    async fn not_a_result_either(&self) -> f64 {
        1.0
    }

    #[procedure]
    fn not_described(&self) -> Result<Plain, Fault> {
        Ok(Plain)
    }

    #[procedure]
    async fn not_an_error(&self) -> Result<(), std::io::Error> {
        Ok(())
    }
}

fn main() {
    let _ = Library.procedures::<()>();
}
