//! The library in a PostgreSQL database, which many instances can share.
//!
//! **Nothing is lost, and nothing is done twice.** A write is one serializable transaction. PostgreSQL
//! lets it commit only if the outcome is the same as if all transactions had run one after another,
//! so the rules of lending need no locks of their own. A transaction that loses against another, or
//! whose connection breaks before the commit, changed nothing, and the store repeats it for up to
//! [`CONNECTION_TIMEOUT`]. If the connection breaks during the commit, the outcome is unknown: the store
//! repeats the write only if it has a key or a request id, which make that safe, and otherwise returns
//! [`Error::Unknown`].
//!
//! **A reader sees one snapshot.** It waits for no writer and cannot fail because of one.

mod claims;
mod client;
mod schema;
mod transaction;

use std::time::{Duration, Instant};

use postgres::Config;
use postgres::config::Host;

use super::db::{Db, Dialect};
use super::error::{Error, OpenErrorKind, Result};
use super::fold;
use super::pool::Pool;
use crate::model::Date;
use claims::Locks;
use client::Connection;

/// The time for which the store repeats a transaction, or waits for a statement or a connection.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of connections of one instance, without the one that holds the locks of running calls.
///
/// A server has 100 by default, so ten instances can share one. More connections than cores of
/// the server make no write faster, because each has to wait for the disk.
const MAX_CONNECTIONS: usize = 8;

/// The first pause before a transaction is repeated. It doubles each time, up to 64 times as long.
const RETRY_PAUSE: Duration = Duration::from_millis(2);

pub(super) struct Postgres {
    pool: Pool<Connection>,
    locks: Locks,
}

/// The access of a transaction to the data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
}

impl Postgres {
    /// Connects to the database, and creates, fills or upgrades it if necessary.
    pub(super) fn open(url: &str, today: Date) -> std::result::Result<Self, OpenErrorKind> {
        let config = client::configure(url)?;
        let mut connections: Vec<_> = (0..MAX_CONNECTIONS)
            .map(|_| Connection::new(config.clone()))
            .collect();
        if let Some(first) = connections.first_mut() {
            schema::prepare(first.open()?, today)?;
        }
        Ok(Self {
            pool: Pool::new(connections),
            locks: Locks::new(config),
        })
    }

    /// Returns the locks that other instances see.
    pub(super) fn locks(&self) -> &Locks {
        &self.locks
    }

    pub(super) fn read<T>(&self, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        self.repeat(Access::Read, false, work)
    }

    /// `named` says that `work` recognises its own repetition.
    pub(super) fn write<T>(&self, named: bool, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        self.repeat(Access::Write, named, work)
    }

    fn repeat<T>(
        &self,
        access: Access,
        named: bool,
        work: impl Fn(&Db<'_>) -> Result<T>,
    ) -> Result<T> {
        repeat(
            |error| may_pass(error) || named && matches!(error, Error::Unknown(_)),
            || self.pool.take().run(access, &work),
        )
    }
}

/// Returns whether nothing was changed and the next attempt may succeed.
fn may_pass(error: &Error) -> bool {
    matches!(error, Error::Busy | Error::Disconnected(_))
}

/// Makes attempts for up to [`CONNECTION_TIMEOUT`], until one succeeds or fails with an error for which another
/// does not help.
fn repeat<T>(helps: impl Fn(&Error) -> bool, attempt: impl Fn() -> Result<T>) -> Result<T> {
    let end = Instant::now() + CONNECTION_TIMEOUT;
    let mut number = 0;
    loop {
        match attempt() {
            Err(error) if helps(&error) && Instant::now() < end => {}
            outcome => return outcome,
        }
        std::thread::sleep(pause(number));
        number += 1;
    }
}

/// Returns how long to wait before the next attempt: longer each time, and each time another part of
/// it, so that two that collided do not collide again.
fn pause(attempt: u32) -> Duration {
    let most = RETRY_PAUSE * 2_u32.pow(attempt.min(6));
    let part = getrandom::u32().unwrap_or(u32::MAX / 2);
    most.mul_f64(f64::from(part) / f64::from(u32::MAX))
}

/// Returns where a database is, without user and password.
pub(super) fn place(url: &str) -> String {
    let Ok(config) = url.parse::<Config>() else {
        return "at this address".to_owned();
    };
    let hosts: Vec<_> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(folder) => folder.display().to_string(),
        })
        .collect();
    let name = config.get_dbname().unwrap_or("of the user's name");
    format!("in the database {name} at {}", hosts.join(", "))
}

pub(super) static DIALECT: Dialect = Dialect {
    // Tried, not waited for: the transaction that has it may have lost its caller long ago.
    claim: Some("SELECT pg_try_advisory_xact_lock(hashtextextended(?1, 0))::int"),
    add_up: "WITH gone AS (DELETE FROM room WHERE caller IN \
             (SELECT caller FROM room GROUP BY caller HAVING count(*) > 1) RETURNING *) \
             INSERT INTO room SELECT caller, sum(keys), sum(bytes) FROM gone \
             GROUP BY caller HAVING sum(keys) <> 0",
    next_member: "SELECT nextval(pg_get_serial_sequence('members', 'id'))",
    list: "(SELECT place AS key, number::bigint AS value \
           FROM jsonb_array_elements_text(?1::jsonb) WITH ORDINALITY AS e (number, place)) j",
    third: "SELECT jsonb_array_elements_text(?3::jsonb)::bigint",
    add_words: "INSERT INTO book_words (book, words) VALUES (?1, \
                setweight(?2::tsvector, 'A') || setweight(?3::tsvector, 'B') \
                || setweight(?4::tsvector, 'C'))",
    indexed,
    words: "book_words w JOIN books b ON b.id = w.book",
    has_words: "w.words @@ ?::tsquery",
    // 1: longer titles count a little less.
    relevance: "ts_rank('{0, 0.1, 0.5, 1}', w.words, ?1::tsquery, 1) DESC, b.filing, b.id",
    query,
};

/// The last place in a text that PostgreSQL distinguishes.
const LAST_PLACE: usize = 16_383;

/// The letters of a word that count. PostgreSQL takes 2,046 bytes.
const MAX_LETTERS: usize = 255;

/// Returns the words of a text with their places, as a `tsvector`. A word has letters, digits and
/// marks only, so quotation marks can hold it.
fn indexed(text: &str) -> String {
    let words: Vec<_> = fold::words(text)
        .into_iter()
        .enumerate()
        .map(|(place, word)| format!("'{}':{}", start(&word), (place + 1).min(LAST_PLACE)))
        .collect();
    words.join(" ")
}

/// Returns a `tsquery` for words and beginnings of words.
fn query(words: &[String]) -> String {
    let words: Vec<_> = words
        .iter()
        .map(|word| format!("'{}':*", start(word)))
        .collect();
    words.join(" & ")
}

/// Returns the beginning of a word that counts.
fn start(word: &str) -> &str {
    word.char_indices()
        .nth(MAX_LETTERS)
        .map_or(word, |(end, _)| &word[..end])
}
