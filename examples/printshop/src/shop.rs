//! The shop's data, in one SQLite file. Every function blocks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, Result};

/// The shop: the state that all calls share.
pub struct Shop(Mutex<Connection>);

impl Shop {
    /// Opens a file, and creates it if there is none.
    pub fn open(file: &str) -> Result<Self> {
        let database = Connection::open(file)?;
        database.execute_batch(include_str!("schema.sql"))?;
        Ok(Self(Mutex::new(database)))
    }

    /// Locks the connection. Each statement is its own transaction.
    pub(crate) fn database(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints one copy of the oldest paid order. A real shop would send the file to a printer here.
    pub fn print_copy(&self) -> Result<()> {
        let sql = "UPDATE orders SET printed = printed + 1 WHERE id =
                   (SELECT min(id) FROM orders WHERE paid AND printed < copies)";
        self.database().execute(sql, ()).map(drop)
    }
}
