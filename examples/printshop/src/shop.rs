//! The shop's data, in one SQLite file. Every function blocks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use docent::Topic;
use rusqlite::{Connection, OptionalExtension as _, Result};
use schemars::JsonSchema;
use serde::Serialize;

/// The shop: the state that all calls share.
pub struct Shop {
    database: Mutex<Connection>,
    /// The last copies that were printed, for those who watch.
    pub(crate) printed: Topic<PrintedCopy>,
}

/// A copy that was printed.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PrintedCopy {
    /// The number of the copy among all that the shop has printed.
    pub(crate) number: u32,
    order: u32,
    /// How many copies of the order have been printed.
    printed: u32,
    copies: u32,
    #[serde(skip)]
    pub(crate) customer: u32,
}

impl Shop {
    /// Opens a file, and creates it if there is none.
    pub fn open(file: &str) -> Result<Self> {
        let database = Connection::open(file)?;
        database.execute_batch(include_str!("schema.sql"))?;
        Ok(Self {
            database: Mutex::new(database),
            printed: Topic::new(1000),
        })
    }

    /// Locks the connection. Each statement is its own transaction.
    pub(crate) fn database(&self) -> MutexGuard<'_, Connection> {
        self.database.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints one copy of the oldest paid order, and tells those who watch. A real shop would send the file to a printer
    /// here.
    pub fn print_copy(&self) -> Result<()> {
        let database = self.database();
        let sql = "UPDATE orders SET printed = printed + 1 WHERE id =
                   (SELECT min(id) FROM orders WHERE paid AND printed < copies)
                   RETURNING id, printed, copies, customer";
        let print = database.query_row(sql, (), |row| {
            Ok(PrintedCopy {
                number: 0,
                order: row.get("id")?,
                printed: row.get("printed")?,
                copies: row.get("copies")?,
                customer: row.get("customer")?,
            })
        });
        let Some(mut copy) = print.optional()? else {
            return Ok(());
        };
        // It does not begin anew after a restart, so that nobody resumes after another copy.
        let sql = "SELECT sum(printed) FROM orders";
        copy.number = database.query_row(sql, (), |row| row.get(0))?;
        if let Err(error) = self.printed.publish(copy) {
            tracing::error!(%error, "cannot tell of a copy");
        }
        Ok(())
    }
}
