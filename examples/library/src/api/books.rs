//! `book.…`: find books, get a book, add a book.
//!
//! Checks and storage are in [`crate::store`]; here are the names, examples and errors of the
//! procedures.

use std::convert::Infallible;

use docent::{Cx, Procedure, RpcError};

use super::error::{answer, converts_library_errors};
use super::{KEEP_TIME, OFTEN_CHANGES};
use crate::model::{
    AddBook, DuplicateBook, FindBooks, GetBook, ImpossibleLife, NoSuchAuthor, NoSuchBook,
};
use crate::store::Store;

/// The errors of showing a book.
#[derive(Debug, RpcError)]
enum GetBookError {
    /// The catalogue has no book with that number. `book.find` lists the books.
    #[rpc(code = 1404, message = "No such book", status = 404)]
    NoSuchBook(NoSuchBook),
}
converts_library_errors!(GetBookError: NoSuchBook);

/// The errors of adding a book.
#[derive(Debug, RpcError)]
enum AddBookError {
    /// The catalogue has no author with that number. `author.list` lists the authors.
    #[rpc(code = 1405, message = "No such author", status = 404)]
    NoSuchAuthor(NoSuchAuthor),
    /// The catalogue has this title in this language by one of these authors. `data` says
    /// under which number.
    #[rpc(code = 1410, message = "Duplicate book", status = 409, retry = false)]
    DuplicateBook(DuplicateBook),
    /// A new author would have died before being born. One of the two years is wrong.
    #[rpc(code = 1423, message = "Impossible life", status = 422, retry = false)]
    ImpossibleLife(ImpossibleLife),
}
converts_library_errors!(AddBookError: NoSuchAuthor, DuplicateBook, ImpossibleLife);

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
            answer::<AddBookError, _>(cx.state().once(&cx, |write| write.add_book(&p)))
        })
        .repeatable(KEEP_TIME)
        .keys_without_caller()
        .tag("catalogue"),
    ]
}
