//! The service of the guide's section about lists in pages. It takes its address from `LISTEN`.

use docent::pages::{CursorPage, CursorParams, Page, PageParams};
use docent::{Fault, Server, Service, procedure};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct FindBooks {
    /// Words to look for.
    words: String,
    #[serde(flatten)]
    page: PageParams,
}

/// Finds books by words in their title.
#[procedure(name = "book.find", idempotent, order = ["words", "offset", "limit"])]
fn find(#[params] p: FindBooks) -> Result<Page<String>, Fault> {
    Ok(p.page.of(&[p.words]))
}

/// Lists what has happened.
#[procedure(name = "event.list", idempotent)]
fn list(#[params] p: CursorParams<500>) -> Result<CursorPage<u64>, Fault> {
    let after: u64 = match &p.cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| p.invalid())?,
    };
    let end = after.saturating_add(p.limit.into());
    Ok(CursorPage {
        items: (after..end).collect(),
        next: Some(end.to_string()),
    })
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::builder("library", "urn:uuid:0b9f6a30-7d0e-4d6c-8a11-3f1c4e5a6b13")
        .procedures([find::procedure(), list::procedure()])
        .build()?;
    Ok(Server::new(service)
        .bind(std::env::var("LISTEN")?)?
        .run()
        .await?)
}
