//! A state and a future that stay on one thread.

#![allow(unused)]

use std::rc::Rc;

use docent_core::{Fault, procedure, procedures};

struct Library(Rc<u8>);

#[procedures]
impl Library {
//~^ `Rc<u8>` cannot be shared between threads safely
    #[procedure]
    fn count(&self) -> Result<u8, Fault> {
        Ok(*self.0)
    }
}

#[procedure]
async fn wait() -> Result<u8, Fault> {
//~^ future cannot be sent between threads safely
    let held = Rc::new(1);
    std::future::ready(()).await;
    Ok(*held)
}

fn main() {}
