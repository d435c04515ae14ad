//! The procedures, and the service that they make.

use std::error::Error;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use docent::{BearerToken, Cx, Once, Service, procedures};
use docent_keys::SqliteKeys;
use rusqlite::Connection;

const NAME: &str = "greeter";
/// Identifies the service. Replace it by a URI of your own.
const ID: &str = "https://example.com/greeter";

const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS cards (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        text TEXT NOT NULL
    )";

/// The cards that were ordered, in an SQLite file.
struct Cards {
    /// Has a connection for writes, and keeps their outcomes.
    keys: SqliteKeys,
    /// A connection for reads.
    database: Mutex<Connection>,
}

#[procedures(blocking)]
impl Cards {
    /// Orders a card for a person. A call that is repeated with its key orders nothing more.
    #[procedure(
        name = "card.order",
        repeatable = "24h",
        keys_without_caller, // All callers have the same token.
        returns = "The number of the order.",
        example(params = ["Ada", "Happy birthday!"], result = 1)
    )]
    fn order(
        &self,
        cx: Cx,
        /// The name of the person.
        #[schemars(length(min = 1, max = 100))]
        name: String,
        /// What the card says.
        #[schemars(length(min = 1, max = 1000))]
        text: String,
    ) -> Result<Once<i64>, docent_keys::Error> {
        // Both the card and the outcome of this call are committed, or neither is.
        cx.once_blocking(&self.keys, |transaction| {
            let sql = "INSERT INTO cards (name, text) VALUES (?1, ?2)";
            transaction.execute(sql, [name, text])?;
            Ok(transaction.last_insert_rowid())
        })
    }

    /// Counts the cards for a person.
    #[procedure(name = "card.count", idempotent, returns = "The number of cards.")]
    fn count(
        &self,
        /// The name of the person.
        name: String,
    ) -> Result<i64, docent_keys::Error> {
        let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
        let sql = "SELECT count(*) FROM cards WHERE name = ?1";
        Ok(database.query_row(sql, [name], |row| row.get(0))?)
    }
}

/// Opens the database or creates it, and builds the service. Callers need the token for changes.
pub(crate) fn service(path: &Path, token: &str) -> Result<Service, Box<dyn Error>> {
    let keys = SqliteKeys::open(path)?;
    let database = Connection::open(path)?;
    database.execute_batch(TABLE)?;
    let cards = Cards {
        keys: keys.clone(),
        database: Mutex::new(database),
    };
    let service = Service::builder(NAME, ID)
        .version("0.1")
        .guard(BearerToken::new(NAME, token, |procedure| {
            !procedure.idempotent
        }))
        .key_store(keys)
        .procedures(cards.procedures())
        .build()?;
    Ok(service)
}
