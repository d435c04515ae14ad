//! The service: the store's functions as procedures.
//!
//! One file a topic. Each has the errors that its procedures can answer with and the procedures
//! themselves; what they take and give is in [`model`](crate::model), and their documentation is the
//! documentation of their parameters' types. The store blocks, so all of them run on the blocking
//! pool.

mod authors;
mod books;
mod error;
mod examples;
mod loans;
mod members;
mod stats;

use std::time::Duration;

use docent_server::{BearerToken, BuildError, Procedure, Service};

use crate::store::Store;
use crate::token::Token;

/// What identifies this service, wherever it runs and whatever it is called.
const ID: &str = "urn:uuid:5470194d-e6ff-42a3-8602-04378c086fd0";

/// How long a cache may answer with what hardly ever changes.
const RARELY_CHANGES: Duration = Duration::from_secs(60);

/// How long a cache may answer with what loans change: no longer than it takes to walk to the shelf.
const OFTEN_CHANGES: Duration = Duration::from_secs(5);

/// The service on a store. What changes something asks for `token`; `public_url` is where callers
/// reach it, if that is known.
///
/// # Errors
/// `public_url` is no absolute `http` or `https` URL. Everything else is the same every time.
pub fn service(
    store: Store,
    token: &Token,
    public_url: Option<&str>,
) -> Result<Service, BuildError> {
    let mut builder = Service::builder("library", ID)
        .version("1.0")
        .documentation(include_str!("library.md"))
        .state(store)
        .guard(desk(token))
        .procedures(procedures().into_iter().map(examples::illustrate));
    if let Some(url) = public_url {
        builder = builder.public_url(url);
    }
    builder.build()
}

/// Where a caller is asked for the token. What is idempotent only looks, and everybody may look;
/// this is the one place that says so.
fn desk(token: &Token) -> BearerToken {
    BearerToken::new("library", token.as_str(), |procedure| !procedure.idempotent).description(
        "Write calls require the token that the library was started with, or the one that it \
         printed at startup.",
    )
}

/// All procedures, without their examples: what records the examples calls these.
pub fn procedures() -> Vec<Procedure<Store>> {
    [
        books::procedures(),
        authors::procedures(),
        loans::procedures(),
        members::procedures(),
        stats::procedures(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
