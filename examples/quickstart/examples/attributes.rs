//! The service of the guide's page about procedures. It takes its address from `LISTEN`.
#![expect(
    clippy::unwrap_used,
    reason = "the guide's page is about something else"
)]

use std::sync::Mutex;

use docent::{Fault, RpcError, Server, Service, procedures};
use schemars::JsonSchema;
use serde::Serialize;

/// A book, with its number.
#[derive(Clone, Serialize, JsonSchema)]
struct Book {
    id: usize,
    title: String,
}

#[derive(RpcError)]
enum BookError {
    #[rpc(code = 1404, status = 404)]
    NoSuchBook { id: usize },
}

struct Library(Mutex<Vec<Book>>);

#[procedures(prefix = "book")]
impl Library {
    /// Finds books by words in their titles.
    #[procedure(idempotent, cache_for = "60s", returns = "The books found.")]
    fn find(
        &self,
        /// Words to look for.
        #[schemars(length(max = 200))]
        words: Option<String>,
        /// The maximum number of books to return.
        #[procedure(default = 20)]
        #[schemars(range(min = 1, max = 100))]
        limit: usize,
    ) -> Result<Vec<Book>, Fault> {
        let words = words.unwrap_or_default();
        let books = self.0.lock().unwrap();
        let found = books.iter().filter(|book| book.title.contains(&words));
        Ok(found.take(limit).cloned().collect())
    }

    /// Returns a book.
    #[procedure(idempotent)]
    fn get(
        &self,
        /// The number of the book.
        id: usize,
    ) -> Result<Book, BookError> {
        let books = self.0.lock().unwrap();
        books.get(id).cloned().ok_or(BookError::NoSuchBook { id })
    }

    /// Adds a book, and returns it with its number.
    #[procedure]
    fn add(
        &self,
        /// The title.
        #[schemars(length(min = 1))]
        title: String,
    ) -> Result<Book, Fault> {
        let mut books = self.0.lock().unwrap();
        let id = books.len();
        books.push(Book { id, title });
        Ok(books[id].clone())
    }
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::builder("library", "urn:uuid:5f0f6f5e-0c5b-4f0f-8d3e-0c8e6d2f1a05")
        .procedures(Library(Mutex::default()).procedures())
        .build()?;
    Ok(Server::new(service)
        .bind(std::env::var("LISTEN")?)?
        .run()
        .await?)
}
