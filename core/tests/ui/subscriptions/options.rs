//! Cursors and examples that are none, and options that only results have.

use std::time::Duration;

use docent_core::{Cx, Fault, Subscription};
use futures_util::stream;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Loan {
    number: u64,
}

fn loans() -> Subscription<Loan> {
    Subscription::new("loans", |_: Cx, (): ()| async {
        Ok::<_, Fault>(stream::iter([Ok(Loan { number: 1 })]))
    })
}

fn main() {
    let _ = loans().resume_by("after", |loan| loan);
    //~^ `Loan` doesn't implement `std::fmt::Display`
    //~^^ // a number or a text
    let _ = loans().resume_by("after", |loan| Some(loan.number));
    //~^ `std::option::Option<u64>` doesn't implement `std::fmt::Display`
    //~^^ // a number or a text
    let _ = loans().resume_by("after", |loan| loan.id);
    //~^ no field `id` on type `&Loan`
    let _ = loans().resume_by("after", |loan: Loan| loan.number);
    //~^ consider adjusting the signature so it borrows its argument
    let _ = loans().resume_by("after", "number");
    //~^ expected a `Fn(&Loan)` closure, found `str`
    //~^^ // `|item| item.number`
    let _ = loans().example((), Loan { number: 1 });
    //~^ `Loan` is not an iterator
    //~^^ // `[item]`
    let _ = loans().cache_for(Duration::from_secs(1));
    //~^ no method named `cache_for` found for struct `Subscription<T, S>`
}
