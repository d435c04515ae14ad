//! Results that cannot be sent or described.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Plain;

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn not_a_result(&self) -> f64 {
    //~^ expected `Result<_, _>`, found `f64`
        1.0
    }

    #[procedure]
    async fn not_a_result_either(&self) -> Option<Vec<u8>> {
    //~^ expected `Result<_, _>`, found `Option<Vec<u8>>`
        None
    }

    #[procedure]
    fn nothing(&self) -> () {}
    //~^ expected `Result<_, _>`, found `()`

    #[procedure]
    fn future(&self) -> impl Future<Output = Result<u8, Fault>> {
    //~^ expected `Result<_, _>`, found future
        async { Ok(1) }
    }
}

struct Shop;

#[procedures]
impl Shop {
    #[procedure]
    fn not_described(&self) -> Result<Plain, Fault> {
    //~^ `Plain: serde::Serialize`
        Ok(Plain)
    }

    #[procedure]
    async fn not_an_error(&self) -> Result<(), std::io::Error> {
    //~^ `std::io::Error` is not an error that a procedure can return
        Ok(())
    }
}

fn main() {
    let _ = Library.procedures::<()>();
    let _ = Shop.procedures::<()>();
}
