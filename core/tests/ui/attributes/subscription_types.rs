//! Functions with `#[subscription]` whose types are not those of a subscription.

#![allow(unused)]

use std::rc::Rc;

use docent_core::{Fault, RpcError, procedures, subscription};
use futures_util::{Stream, StreamExt, stream};

struct Plain;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Loan {
    number: u64,
}

#[derive(Debug, RpcError)]
enum LoanError {
    #[rpc(code = 1404, message = "No such book")]
    NoSuchBook,
}

#[subscription]
fn list() -> Result<Vec<Loan>, Fault> {
//~^ the trait `Stream` is not implemented for `Vec<Loan>`
//~^^ // such as `stream::iter([Ok(item)])`, with the same error
    Ok(Vec::new())
}

#[subscription]
async fn bare() -> impl Stream<Item = Result<Loan, Fault>> {
//~^ expected `Result<_, _>`, found
    stream::empty()
}

#[subscription]
fn plain() -> Result<impl Stream<Item = Loan>, Fault> {
//~^ expected `Result<_, Fault>`, found `Loan`
    Ok(stream::empty())
}

#[subscription]
fn errors() -> Result<impl Stream<Item = Result<Loan, LoanError>>, Fault> {
//~^ expected `Result<Loan, Fault>`, found `Result<Loan, LoanError>`
    Ok(stream::empty())
}

#[subscription]
fn not_serialised() -> Result<impl Stream<Item = Result<Plain, Fault>>, Fault> {
//~^ `Plain` cannot be an item of a subscription
    Ok(stream::empty())
}

#[subscription]
fn not_an_error() -> Result<impl Stream<Item = Result<Loan, std::io::Error>>, std::io::Error> {
//~^ `std::io::Error` is not an error that a procedure can return
    Ok(stream::empty())
}

#[subscription]
fn not_a_parameter(plain: Plain) -> Result<impl Stream<Item = Result<Loan, Fault>>, Fault> {
//~^ `Plain` cannot be a parameter
    Ok(stream::empty())
}

#[subscription(resume_by("after", |loan| loan.id))]
//~^ no field `id` on type `&Loan`
fn cursor(after: Option<u64>) -> Result<impl Stream<Item = Result<Loan, Fault>>, Fault> {
    Ok(stream::empty())
}

struct Library;

#[procedures]
impl Library {
    #[subscription]
    async fn not_a_stream(&self) -> Result<Loan, Fault> {
    //~^ the trait bound `Loan: Stream` is not satisfied
        Ok(Loan { number: 1 })
    }
}

fn main() {}
