//! The service: the store's functions as procedures.
//!
//! There is one file for each topic, with the topic's procedures and their errors.
//! [`model`](crate::model) has their parameters and results; the documentation of a parameters type
//! is the documentation of its procedure. Where a procedure takes few parameters, as in `members`, an
//! attribute makes it of a function instead. Those that only read are tools for agents. The store
//! blocks, so all procedures run on the blocking pool. The subscription waits for events instead.

mod authors;
mod books;
mod error;
mod examples;
mod loans;
mod members;
mod stats;

use std::time::Duration;

use docent::{BearerToken, BuildError, Procedure, Service, Subscription};
use docent_keys::Event;

use crate::model::LoanEvent;
use crate::store::Store;
use crate::token::Token;

/// The id of this service, wherever it runs and whatever it is called.
const SERVICE_ID: &str = "urn:uuid:5470194d-e6ff-42a3-8602-04378c086fd0";

/// Instructions that agents read before they use the tools.
const AGENT_INSTRUCTIONS: &str = "\
Look up books, authors, members and loans here. Nothing can be changed: books are lent at the desk. Start with \
`book_find` or `author_list`, which return the numbers that other tools take. Lists come in pages: `page.next` \
is the `offset` of the next one, or null. Dates are days in UTC, and `stats` returns the current one.";

/// The time for which a cache may keep results that hardly ever change.
const RARELY_CHANGES: Duration = Duration::from_secs(60);

/// The time for which a cache may keep results that loans change: no longer than it takes to walk to the
/// shelf.
const OFTEN_CHANGES: Duration = Duration::from_secs(5);

/// The time for which a write can be repeated with the same key. All who have the desk's token are one caller.
const KEEP_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Builds the service for a store. Write calls require `token`. `public_url` is where callers reach
/// the service, if that is known.
///
/// # Errors
/// If `public_url` is not an absolute `http` or `https` URL. Everything else is the same every
/// time.
pub fn service(
    store: Store,
    token: &Token,
    public_url: Option<&str>,
) -> Result<Service, BuildError> {
    let mut builder = Service::builder("library", SERVICE_ID)
        .version("1.0")
        .documentation(include_str!("library.md"))
        .key_store(store.keys())
        .state(store)
        .guard(desk(token))
        .idempotent_tools()
        .instructions(AGENT_INSTRUCTIONS)
        .procedures(procedures().into_iter().map(examples::illustrate))
        .procedure(examples::illustrate_items(subscription()));
    if let Some(url) = public_url {
        builder = builder.public_url(url);
    }
    builder.build()
}

/// Returns the guard that requires the token for write calls. An idempotent procedure only reads,
/// and anyone may read. No other code decides this.
fn desk(token: &Token) -> BearerToken {
    BearerToken::new("library", token.as_str(), |procedure| !procedure.idempotent).description(
        "Write calls require the token that the library was started with, or the one that it \
         printed at startup.",
    )
}

/// Returns the subscription without its examples.
pub fn subscription() -> Subscription<Event<LoanEvent>, Store> {
    loans::watch()
}

/// Returns all procedures without their examples. The tests that record the examples call these.
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
