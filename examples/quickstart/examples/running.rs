//! The program of the guide's section about settings, logs and tasks.
#![expect(clippy::unwrap_used, reason = "as short as the guide")]

use std::env;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent::{Fault, ResultExt, Server, Service, procedures};
use rusqlite::Connection;

/// The state, which procedures and tasks share.
struct Library {
    database: Mutex<Connection>,
}

#[procedures(blocking)]
impl Library {
    /// Counts the books.
    #[procedure(name = "book.count", idempotent)]
    fn count(&self) -> Result<u32, Fault> {
        tracing::info!("counting");
        let database = self.database.lock().unwrap();
        let sql = "SELECT count(*) FROM books";
        database.query_row(sql, [], |row| row.get(0)).internal()
    }

    fn forget_old(&self) -> rusqlite::Result<usize> {
        let database = self.database.lock().unwrap();
        database.execute("DELETE FROM books WHERE until < unixepoch()", [])
    }
}

#[docent::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().init();
    let listen = env::var("LISTEN").unwrap_or_else(|_| "127.0.0.1:8080".to_owned());
    let path = env::var("DATABASE").unwrap_or_else(|_| "library.db".to_owned());

    let database = Connection::open(path)?;
    database.execute_batch("CREATE TABLE IF NOT EXISTS books (title TEXT, until INTEGER)")?;
    let library = Arc::new(Library {
        database: Mutex::new(database),
    });
    let service = Service::builder("library", "urn:uuid:f3b6d1c2-9a4e-4c57-8e21-2b3c4d5e6f02")
        .procedures(library.shared_procedures())
        .build()?;
    let server = Server::new(service).bind(listen)?;

    let sweeper = tokio::spawn(async move {
        loop {
            if let Err(error) = library.forget_old() {
                tracing::error!(%error, "cannot forget old books");
            }
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
    });
    server.run().await?; // until it is told to shut down, and running calls have finished
    sweeper.abort();
    Ok(())
}
