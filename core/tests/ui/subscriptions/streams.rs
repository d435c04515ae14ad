//! Handlers that give no stream, or one that yields something else than items.

use docent_core::{Cx, Fault, RpcError, Subscription};
use futures_util::stream;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Loan {
    number: u64,
}

#[derive(Debug, RpcError)]
enum LoanError {
    #[rpc(code = 1404, message = "No such book")]
    NoSuchBook,
}

fn loan() -> Loan {
    Loan { number: 1 }
}

fn main() {
    let _: Subscription<_> = Subscription::new("list", |_: Cx, (): ()| async { Ok::<_, Fault>(vec![loan()]) });
    //~^ the trait `Stream` is not implemented for `Vec<Loan>`
    //~^^ // such as `stream::iter([Ok(item)])`
    let _: Subscription<_> = Subscription::new("value", |_: Cx, (): ()| async { Ok::<_, Fault>(loan()) });
    //~^ the trait bound `Loan: Stream` is not satisfied
    let _: Subscription<_> = Subscription::new("bare", |_: Cx, (): ()| async {
    //~^ expected `Result<_, _>`, found `Iter<IntoIter<Result<Loan, Fault>, 1>>`
    //~^^ gives `Ok(stream)` or an error
        stream::iter([Ok::<_, Fault>(loan())])
    });
    let _: Subscription<_> = Subscription::new("plain", |_: Cx, (): ()| async { Ok::<_, Fault>(stream::iter([loan()])) });
    //~^ expected `Result<_, Fault>`, found `Loan`
    //~^^ // such as `stream::iter([Ok(item)])`
    let _: Subscription<_> = Subscription::new("sync", |_: Cx, (): ()| Ok(stream::iter([Ok::<_, Fault>(loan())])));
    //~^ is not a future
    //~^^ // async, and gives `Ok(stream)` or an error
    let _: Subscription<_> = Subscription::new("errors", |_: Cx, (): ()| async {
    //~^ expected `Result<Loan, Fault>`, found `Result<Loan, LoanError>`
    //~^^ with the same error
        Ok::<_, Fault>(stream::iter([Err::<Loan, _>(LoanError::NoSuchBook)]))
    });
    let _: Subscription<_> = Subscription::new("no_context", |(): ()| async { Ok::<_, Fault>(stream::iter([Ok(loan())])) });
    //~^ closure is expected to take 2 distinct arguments
}
