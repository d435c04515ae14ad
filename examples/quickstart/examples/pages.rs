//! The service of the guide's section about lists in pages. It takes its address from `LISTEN`.
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "handlers take their parameters by value and return a `Result`"
)]

use docent::pages::{CursorPage, CursorParams, Page, PageParams};
use docent::{Cx, Fault, Procedure, Server, Service};
use schemars::JsonSchema;
use serde::Deserialize;

/// Finds books by words in their title.
#[derive(Deserialize, JsonSchema)]
struct FindBooks {
    /// Words to look for.
    words: String,
    #[serde(flatten)]
    page: PageParams,
}

/// Lists what has happened.
#[derive(Deserialize, JsonSchema)]
struct ListEvents {
    #[serde(flatten)]
    page: CursorParams<500>,
}

fn find(_: Cx, p: FindBooks) -> Result<Page<String>, Fault> {
    Ok(p.page.of(&[p.words]))
}

fn list(_: Cx, p: ListEvents) -> Result<CursorPage<u64>, Fault> {
    let after: u64 = match &p.page.cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| p.page.invalid())?,
    };
    let end = after.saturating_add(p.page.limit.into());
    Ok(CursorPage {
        items: (after..end).collect(),
        next: Some(end.to_string()),
    })
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::builder("library", "urn:uuid:0b9f6a30-7d0e-4d6c-8a11-3f1c4e5a6b13")
        .procedure(Procedure::sync("book.find", find).order(["words", "offset", "limit"]))
        .procedure(Procedure::sync("event.list", list))
        .build()?;
    Ok(Server::new(service)
        .bind(std::env::var("LISTEN")?)?
        .run()
        .await?)
}
