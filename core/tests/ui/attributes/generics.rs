//! Parameters and data that depend on what an `impl` or an error is generic over.

#![allow(unused)]

use docent_core::{Fault, RpcError, procedures};

struct Shop<T>(T);

#[procedures]
impl<T: Send + Sync + 'static> Shop<T> {
    #[procedure]
    fn order(&self, amount: Option<T>) -> Result<(), Fault> {
    //~^ callers send values of `T`, so it needs bounds: write `T: serde::de::DeserializeOwned + schemars::JsonSchema`
        Ok(())
    }
}

struct Store<T>(T);

#[procedures]
impl<T: serde::de::DeserializeOwned + Send + Sync + 'static> Store<T> {
    #[procedure]
    fn order(&self, amount: Option<T>) -> Result<(), Fault> {
    //~^ the trait bound `T: JsonSchema` is not satisfied
        Ok(())
    }
}

/// As the first message advises.
struct Fine<T>(T);

#[procedures]
impl<T> Fine<T>
where
    T: serde::de::DeserializeOwned + schemars::JsonSchema + Send + Sync + 'static,
{
    #[procedure]
    fn order(&self, amount: Option<T>) -> Result<(), Fault> {
        Ok(())
    }
}

#[derive(RpcError)]
//~^ the trait bound `T: serde::Serialize` is not satisfied
//~^^ the trait bound `T: JsonSchema` is not satisfied
enum Generic<T: Send + 'static> {
    #[rpc(code = 8)]
    Named { value: T },
}

fn main() {}
