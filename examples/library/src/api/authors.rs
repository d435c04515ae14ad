//! `author.…`: list authors, get an author.

use std::convert::Infallible;

use docent::{Cx, Procedure, RpcError};

use super::RARELY_CHANGES;
use super::error::{answer, converts_library_errors};
use crate::model::{GetAuthor, ListAuthors, NoSuchAuthor};
use crate::store::Store;

/// The errors of showing an author.
#[derive(Debug, RpcError)]
enum GetAuthorError {
    /// The catalogue has no author with that number. `author.list` lists the authors.
    #[rpc(code = 1405, message = "No such author", status = 404)]
    NoSuchAuthor(NoSuchAuthor),
}
converts_library_errors!(GetAuthorError: NoSuchAuthor);

pub(super) fn procedures() -> Vec<Procedure<Store>> {
    vec![
        Procedure::blocking("author.list", |cx: Cx<Store>, p: ListAuthors| {
            answer::<Infallible, _>(cx.state().list_authors(&p))
        })
        .idempotent()
        .cache_for(RARELY_CHANGES)
        .tag("catalogue"),
        Procedure::blocking("author.get", |cx: Cx<Store>, p: GetAuthor| {
            answer::<GetAuthorError, _>(cx.state().author(p.author))
        })
        .idempotent()
        .cache_for(RARELY_CHANGES)
        .tag("catalogue"),
    ]
}
