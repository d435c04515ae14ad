//! `loan.…`: lend books and take them back.

use std::convert::Infallible;

use docent_server::{Cx, Procedure, errors};

use super::error::{answer, refuses};
use crate::model::{
    AlreadyLent, AlreadyReturned, DueOutOfRange, EndLoan, ListLoans, NoSuchBook, NoSuchLoan,
    NoSuchMember, RequestIdReused, StartLoan, TooManyLoans,
};
use crate::store::Store;

errors! {
    /// Why a book is not lent.
    #[derive(Debug)]
    enum StartLoanError {
        /// The catalogue has no book of that number. `book.find` knows those that there are.
        NoSuchBook(NoSuchBook) = 1404, "No such book", status 404;
        /// There is no member with that card.
        NoSuchMember(NoSuchMember) = 1406, "No such member", status 404;
        /// Every copy of the book is lent. `data` says when the first of them is due back.
        AlreadyLent(AlreadyLent) = 1409, "Already lent", status 409, retry true;
        /// The member has as many books as a member may have. One has to come back first.
        TooManyLoans(TooManyLoans) = 1411, "Too many loans", status 409, retry true;
        /// The `request_id` was used before, for a different request. Take another one.
        RequestIdReused(RequestIdReused) = 1413, "Request id reused", status 409, retry false;
        /// The day in `due` lies in the past or too far in the future. `data` says which days are
        /// possible.
        DueOutOfRange(DueOutOfRange) = 1422, "Due date out of range", status 422;
    }
}
refuses!(
    StartLoanError: NoSuchBook, NoSuchMember, AlreadyLent, TooManyLoans, RequestIdReused,
    DueOutOfRange
);

errors! {
    /// Why a book is not taken back.
    #[derive(Debug)]
    enum EndLoanError {
        /// There is no loan of that number. `loan.list` knows those that there are.
        NoSuchLoan(NoSuchLoan) = 1407, "No such loan", status 404;
        /// The loan has ended before. `data` says when.
        AlreadyReturned(AlreadyReturned) = 1412, "Already returned", status 409, retry false;
        /// The `request_id` was used before, for a different request. Take another one.
        RequestIdReused(RequestIdReused) = 1413, "Request id reused", status 409, retry false;
    }
}
refuses!(EndLoanError: NoSuchLoan, AlreadyReturned, RequestIdReused);

pub(super) fn procedures() -> Vec<Procedure<Store>> {
    vec![
        Procedure::blocking("loan.list", |cx: Cx<Store>, p: ListLoans| {
            answer::<Infallible, _>(cx.state().list_loans(&p))
        })
        .idempotent()
        .tag("lending"),
        Procedure::blocking("loan.start", |cx: Cx<Store>, p: StartLoan| {
            answer::<StartLoanError, _>(cx.state().start_loan(&p))
        })
        .tag("lending"),
        Procedure::blocking("loan.end", |cx: Cx<Store>, p: EndLoan| {
            answer::<EndLoanError, _>(cx.state().end_loan(&p))
        })
        .tag("lending"),
    ]
}
