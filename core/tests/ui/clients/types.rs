// expect: derive `RpcError`, and `serde::Deserialize` for the data of each variant, or implement
//! A client asks for types that can be sent and read, where a procedure is called.

use docent::{ErrorList, Fault, RpcError, procedure, procedures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, JsonSchema)]
struct WrittenOnly {
    n: u8,
}

#[derive(Deserialize, JsonSchema)]
struct ReadOnly {
    n: u8,
}

struct Remote;

impl RpcError for Remote {
    fn declare(_: &mut ErrorList) {}

    fn into_fault(self) -> Fault {
        Fault::internal("remote")
    }
}

#[derive(RpcError)]
enum LoanError {
    #[rpc(code = 1409)]
    AlreadyLent(WrittenOnly),
}

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn result(&self) -> Result<Vec<WrittenOnly>, Fault> {
        Ok(Vec::new())
    }

    #[procedure]
    fn argument(&self, filter: Option<ReadOnly>) -> Result<(), Fault> {
        Ok(drop(filter))
    }

    #[procedure]
    fn params(&self, #[params] filter: ReadOnly) -> Result<(), Fault> {
        Ok(drop(filter))
    }

    #[procedure]
    fn by_hand(&self) -> Result<(), Remote> {
        Err(Remote)
    }

    #[procedure]
    fn data(&self) -> Result<(), LoanError> {
        Err(LoanError::AlreadyLent(WrittenOnly { n: 1 }))
    }

    #[procedure]
    fn find(&self, words: Option<String>, limit: u32) -> Result<u32, Fault> {
        Ok(words.map_or(0, |_| limit))
    }
}

#[procedure]
fn sum(a: i64, b: i64) -> Result<i64, Fault> {
    Ok(a + b)
}

async fn calls(client: LibraryClient) {
    let _ = client.result().await;
    //~^ the trait bound `WrittenOnly: serde::Deserialize<'de>` is not satisfied
    let _ = client.argument(None).await;
    //~^ the trait bound `ReadOnly: serde::Serialize` is not satisfied
    let _ = client.params(&ReadOnly { n: 1 }).await;
    //~^ the trait bound `ReadOnly: serde::Serialize` is not satisfied
    let _ = client.by_hand().await;
    //~^ a client cannot read the error `Remote` from a response
    let _ = client.data().await;
    //~^ the trait bound `WrittenOnly: serde::Deserialize<'de>` is not satisfied
    let _ = client.find("whale", 20).await;
    //~^ try wrapping the expression in `Some`
    let _ = client.find(None).await;
    //~^ argument #2 of type `u32` is missing
    let _ = sum::call(1, 2).await;
    //~^ client::Client` is missing
}

fn main() {}
