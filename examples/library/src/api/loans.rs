//! `loan.…`: lend books, take them back, and follow both.
//!
//! Both writes are repeatable with a key, because a second loan by mistake would keep a book from others.

use std::convert::Infallible;

use docent::{Cx, Procedure, RpcError, Subscription};
use docent_keys::Event;

use super::KEEP_TIME;
use super::error::{answer, converts_library_errors};
use crate::model::{
    AlreadyLent, AlreadyReturned, DueOutOfRange, EndLoan, ListLoans, LoanEvent, NoSuchBook,
    NoSuchLoan, NoSuchMember, StartLoan, TooManyLoans, WatchLoans,
};
use crate::store::Store;

/// The errors of lending a book.
#[derive(Debug, RpcError)]
enum StartLoanError {
    /// The catalogue has no book with that number. `book.find` lists the books.
    #[rpc(code = 1404, message = "No such book", status = 404)]
    NoSuchBook(NoSuchBook),
    /// There is no member with that card.
    #[rpc(code = 1406, message = "No such member", status = 404)]
    NoSuchMember(NoSuchMember),
    /// Every copy of the book is lent. `data` says when the first of them is due back.
    #[rpc(code = 1409, message = "Already lent", status = 409, retry = true)]
    AlreadyLent(AlreadyLent),
    /// The member has borrowed as many books as allowed, and must return one first.
    #[rpc(code = 1411, message = "Too many loans", status = 409, retry = true)]
    TooManyLoans(TooManyLoans),
    /// `due` is in the past or too far in the future. `data` gives the first and the last possible
    /// day.
    #[rpc(code = 1422, message = "Due date out of range", status = 422)]
    DueOutOfRange(DueOutOfRange),
}
converts_library_errors!(
    StartLoanError: NoSuchBook, NoSuchMember, AlreadyLent, TooManyLoans, DueOutOfRange
);

/// The errors of taking a book back.
#[derive(Debug, RpcError)]
enum EndLoanError {
    /// There is no loan with that number. `loan.list` lists the loans.
    #[rpc(code = 1407, message = "No such loan", status = 404)]
    NoSuchLoan(NoSuchLoan),
    /// The loan has already ended. `data` says when.
    #[rpc(code = 1412, message = "Already returned", status = 409, retry = false)]
    AlreadyReturned(AlreadyReturned),
}
converts_library_errors!(EndLoanError: NoSuchLoan, AlreadyReturned);

pub(super) fn procedures() -> Vec<Procedure<Store>> {
    vec![
        Procedure::blocking("loan.list", |cx: Cx<Store>, p: ListLoans| {
            answer::<Infallible, _>(cx.state().list_loans(&p))
        })
        .idempotent()
        .tag("lending"),
        Procedure::blocking("loan.start", |cx: Cx<Store>, p: StartLoan| {
            answer::<StartLoanError, _>(cx.state().once(&cx, |write| write.start_loan(&p)))
        })
        .repeatable(KEEP_TIME)
        .keys_without_caller()
        .tag("lending"),
        Procedure::blocking("loan.end", |cx: Cx<Store>, p: EndLoan| {
            answer::<EndLoanError, _>(cx.state().once(&cx, |write| write.end_loan(&p)))
        })
        .repeatable(KEEP_TIME)
        .keys_without_caller()
        .tag("lending"),
    ]
}

pub(super) fn watch() -> Subscription<Event<LoanEvent>, Store> {
    Subscription::new("loan.watch", async |cx: Cx<Store>, p: WatchLoans| {
        cx.state().watch_loans(&p).await
    })
    .resume_by("after", |event| event.cursor.clone())
    .idempotent()
    .tag("lending")
}
