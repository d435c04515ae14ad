//! Parameters and data that depend on what an `impl` or an error is generic over.

#![allow(unused)]

use docent_core::{Fault, RpcError, procedures};

struct Shop<T>(T);

#[procedures]
impl<T: Send + Sync + 'static> Shop<T> {
    #[procedure]
    fn order(&self, amount: Option<T>) -> Result<(), Fault> {
    //~^ can't use generic parameters from outer item
        Ok(())
    }
}

#[derive(RpcError)]
enum Generic<T: Send + 'static> {
    #[rpc(code = 8)]
    Named { value: T },
    //~^ cannot find type `T` in this scope
}

fn main() {}
