//! `book.…`: find books, get a book, add a book.

use std::convert::Infallible;

use docent_server::{Cx, Procedure, errors};

use super::OFTEN_CHANGES;
use super::error::{answer, refuses};
use crate::model::{
    AddBook, DuplicateBook, FindBooks, GetBook, ImpossibleLife, NoSuchAuthor, NoSuchBook,
    RequestIdReused,
};
use crate::store::Store;

errors! {
    /// Why a book is not shown.
    #[derive(Debug)]
    enum GetBookError {
        /// The catalogue has no book of that number. `book.find` knows those that there are.
        NoSuchBook(NoSuchBook) = 1404, "No such book", status 404;
    }
}
refuses!(GetBookError: NoSuchBook);

errors! {
    /// Why a book is not added.
    #[derive(Debug)]
    enum AddBookError {
        /// The catalogue has no author of that number. `author.list` knows those that there are.
        NoSuchAuthor(NoSuchAuthor) = 1405, "No such author", status 404;
        /// The catalogue has this title in this language by one of these authors. `data` says
        /// under which number.
        DuplicateBook(DuplicateBook) = 1410, "Duplicate book", status 409, retry false;
        /// The `request_id` was used before, for a different request. Take another one.
        RequestIdReused(RequestIdReused) = 1413, "Request id reused", status 409, retry false;
        /// A new author would have died before being born. One of the two years is wrong.
        ImpossibleLife(ImpossibleLife) = 1423, "Impossible life", status 422, retry false;
    }
}
refuses!(AddBookError: NoSuchAuthor, DuplicateBook, RequestIdReused, ImpossibleLife);

pub(super) fn procedures() -> Vec<Procedure<Store>> {
    vec![
        Procedure::blocking("book.find", |cx: Cx<Store>, p: FindBooks| {
            answer::<Infallible, _>(cx.state().find_books(&p))
        })
        .idempotent()
        .cache_for(OFTEN_CHANGES)
        .tag("catalogue"),
        Procedure::blocking("book.get", |cx: Cx<Store>, p: GetBook| {
            answer::<GetBookError, _>(cx.state().book(p.book))
        })
        .idempotent()
        .cache_for(OFTEN_CHANGES)
        .tag("catalogue"),
        Procedure::blocking("book.add", |cx: Cx<Store>, p: AddBook| {
            answer::<AddBookError, _>(cx.state().add_book(&p))
        })
        .tag("catalogue"),
    ]
}
