//! The library in one SQLite file.
//!
//! **Nothing is lost.** A write is one immediate transaction, and it is on disk (`synchronous =
//! FULL` with a write-ahead log) before its function returns. If the process is killed at any
//! moment, every acknowledged write is complete, and every other one is either complete or absent.
//! That includes the first start, which creates and fills the database in a single transaction.
//!
//! **One writer, several readers.** SQLite allows one connection to write at a time. All writes of
//! this process share one connection, that of the store of keys, because waiting for a mutex is cheap, and
//! waiting for the file's lock is not. Readers see the last committed state and wait for nothing.
//! Another process may use the same file. It waits for the lock, and gets
//! [`Error::Busy`](super::Error::Busy) if that takes too long.

mod connection;
mod schema;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use docent::{CallerArg, Cx, Once};
use docent_keys::{SqliteEvents, SqliteKeys};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row, ToSql, params_from_iter};
use serde::Serialize;

use super::db::{Append, Cells, Db, Dialect, Read, Statements};
use super::error::{Error, OpenErrorKind, Result};
use super::value::{Cell, Value};
use super::{EVENT_KEEP_TIME, LOAN_TOPIC, fold, without_call};
use crate::model::Date;

/// The number of connections that can read at the same time.
///
/// A query takes well under a millisecond of one core, so more readers than cores would only wait
/// elsewhere.
const READER_COUNT: usize = 4;

#[derive(Clone)]
pub(super) struct Sqlite {
    /// Has the connection that writes.
    pub keys: SqliteKeys,
    pub events: SqliteEvents,
    readers: Arc<Readers>,
}

struct Readers {
    connections: Vec<Mutex<Connection>>,
    /// The number of reads so far. The connections take turns.
    reads: AtomicUsize,
}

impl Sqlite {
    /// Opens the file, and creates, fills or upgrades it if necessary.
    pub(super) fn open(path: &Path, today: Date) -> std::result::Result<Self, OpenErrorKind> {
        let mut writer = connection::writer(path, schema::check)?;
        schema::prepare(&mut writer, today)?;
        let connections = (0..READER_COUNT)
            .map(|_| connection::reader(path).map(Mutex::new))
            .collect::<std::result::Result<_, _>>()?;
        Ok(Self {
            keys: SqliteKeys::new(writer).map_err(Error::from)?,
            events: SqliteEvents::new(connection::open(path)?, EVENT_KEEP_TIME)
                .map_err(Error::from)?,
            readers: Arc::new(Readers {
                connections,
                reads: AtomicUsize::new(0),
            }),
        })
    }

    pub(super) fn read<T>(&self, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        let turn = self.readers.reads.fetch_add(1, Ordering::Relaxed) % READER_COUNT;
        let reader = self.readers.connections[turn].lock();
        // A panic has rolled its transaction back.
        let mut reader = reader.unwrap_or_else(PoisonError::into_inner);
        work(&*reader.transaction()?)
    }

    pub(super) fn write<T>(&self, work: impl Fn(&Db<'_>, &Append<'_>) -> Result<T>) -> Result<T> {
        without_call(&self.keys, |transaction| self.change(transaction, work))
    }

    pub(super) fn once<S, U: CallerArg, T: Serialize>(
        &self,
        cx: &Cx<S, U>,
        work: impl Fn(&Db<'_>, &Append<'_>) -> Result<T>,
    ) -> Result<Once<T>> {
        cx.once_blocking(&self.keys, |transaction| self.change(transaction, work))
    }

    fn change<T>(
        &self,
        transaction: &Connection,
        work: impl Fn(&Db<'_>, &Append<'_>) -> Result<T>,
    ) -> Result<T> {
        let events = &self.events;
        work(transaction, &|event| {
            Ok(events.append(transaction, LOAN_TOPIC, event)?)
        })
    }
}

impl Statements for Connection {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn query(&self, sql: &str, values: &[Value<'_>], read: &mut Read<'_>) -> Result<()> {
        let mut statement = self.prepare_cached(sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        while let Some(row) = rows.next()? {
            read(row)?;
        }
        Ok(())
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<()> {
        self.prepare_cached(sql)?
            .execute(params_from_iter(values))?;
        Ok(())
    }
}

impl Cells for Row<'_> {
    fn cell(&self, column: usize) -> Result<Cell<'_>> {
        let stored = self.get_ref(column)?;
        match stored {
            ValueRef::Null => Ok(Cell::Null),
            ValueRef::Integer(number) => Ok(Cell::Number(number)),
            ValueRef::Text(_) => match stored.as_str() {
                Ok(text) => Ok(Cell::Text(text.into())),
                Err(_) => Err(Error::unexpected("a text that is not UTF-8")),
            },
            ValueRef::Real(_) | ValueRef::Blob(_) => {
                Err(Error::unexpected("not a number or a text"))
            }
        }
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Number(number) => number.to_sql(),
            Self::Text(text) => text.to_sql(),
        }
    }
}

pub(super) static DIALECT: Dialect = Dialect {
    // Members are never deleted, and there is one writer at a time.
    next_member: "SELECT coalesce(max(id), 0) + 1 FROM members",
    list: "json_each(?1) j",
    third: "SELECT value FROM json_each(?3)",
    add_words: "INSERT INTO book_words (rowid, titles, authors, subjects) VALUES (?1, ?2, ?3, ?4)",
    indexed: fold::fold,
    words: "book_words JOIN books b ON b.id = book_words.rowid",
    has_words: "book_words MATCH ?",
    relevance: "bm25(book_words, 10, 5, 1), b.filing, b.id",
    query: words_query,
};

/// Quotation marks turn even `NOT` into a word.
fn words_query(words: &[String]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"*")).collect();
    words.join(" ")
}
