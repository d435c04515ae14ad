//! The library in a PostgreSQL database, which many instances can share.
//!
//! **Nothing is lost, and nothing is done twice.** A write is one serializable transaction. PostgreSQL
//! lets it commit only if the outcome is the same as if all transactions had run one after another,
//! so the rules of lending need no locks of their own. A transaction that loses against another changed
//! nothing, and the store repeats it for up to [`BUSY_TIMEOUT`].
//!
//! **No call waits long for a server that does not answer.** Every step has its time in `connection`. Without a connection
//! a call fails in less than a second. A transaction whose connection is lost before the commit changed nothing, and the
//! store repeats it once, on a new connection. If the connection is lost during the commit, the outcome is unknown: the
//! store repeats the write only if it has a key, which makes that safe, and otherwise returns [`Error::Unknown`].
//!
//! **It starts without its server.** The first call that reaches the server creates or upgrades the tables.
//!
//! **A reader sees one snapshot.** It waits for no writer and cannot fail because of one.
//!
//! **The store blocks, its driver does not.** Each statement of a transaction needs the result of the one before, so the
//! thread of a call waits for it. A thread of the store's own drives the connections, so that every thread may call the
//! store that may block, in a service or in none.

mod connection;
mod driver;
mod schema;
mod transaction;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use deadpool_postgres::{Client, ClientWrapper, Pool};
use docent::{CallerArg, Cx, Once};
use docent_keys::{Event, PostgresEvents, PostgresKeys, WithinPostgres};
use futures_util::StreamExt;
use futures_util::stream::{self, Stream};
use pollster::block_on;
use serde::Serialize;
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls};

use super::db::{Append, Db, Dialect};
use super::error::{Error, OpenErrorKind, Result};
use super::{EVENT_KEEP_TIME, LOAN_TOPIC, WatchResult, fold, without_call};
use crate::clock::Clock;
use crate::model::LoanEvent;
pub(super) use connection::unavailable;
use connection::{ANSWER_TIMEOUT, Snapshot, close, connect, in_time};
use driver::Driver;

/// The time for which a transaction is repeated that loses against others.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The first pause before a transaction is repeated. It doubles each time, up to 64 times as long.
const RETRY_PAUSE: Duration = Duration::from_millis(2);

/// Begins to read a snapshot: nothing in it can change, and the transaction never has to be repeated.
const BEGIN_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL SERIALIZABLE";

#[derive(Clone)]
pub(super) struct Postgres {
    pub keys: PostgresKeys,
    events: PostgresEvents,
    pool: Pool,
    driver: Arc<Driver>,
    tables: Arc<Tables>,
    clock: Arc<dyn Clock>,
}

/// The state of the tables, as far as this instance knows.
#[derive(Default)]
struct Tables {
    are_ready: OnceLock<()>,
    /// Held while a thread creates or upgrades them.
    preparing: Mutex<()>,
}

impl Postgres {
    /// Creates, fills or upgrades the tables if necessary and if the server can be reached. Otherwise the first call that
    /// reaches it does that.
    pub(super) fn open(
        url: &str,
        clock: Arc<dyn Clock>,
    ) -> std::result::Result<Self, OpenErrorKind> {
        let driver = Driver::start().map_err(|error| Error::Broken(error.into()))?;
        let config = connection::configure(url)?;
        let pool = connection::pool(&config)?;
        let events = {
            let _driven = driver.enter();
            PostgresEvents::new(pool.clone(), EVENT_KEEP_TIME).listen(config, NoTls)
        };
        let database = Self {
            events,
            keys: PostgresKeys::new(pool.clone()).deadline(ANSWER_TIMEOUT),
            pool,
            driver: Arc::new(driver),
            tables: Arc::default(),
            clock,
        };
        match database.prepare() {
            Err(OpenErrorKind::Failed(error)) if error.may_pass() => {
                tracing::warn!("the library starts without its database: {error}");
            }
            prepared => prepared?,
        }
        Ok(database)
    }

    /// Creates, fills or upgrades the tables, unless that was done. One thread does it, and the others do not wait.
    fn prepare(&self) -> std::result::Result<(), OpenErrorKind> {
        if self.tables.are_ready.get().is_some() {
            return Ok(());
        }
        let Ok(_preparing) = self.tables.preparing.try_lock() else {
            return Err(Error::Disconnected("its tables are not ready yet".into()).into());
        };
        let _driven = self.driver.enter();
        let client = block_on(connect(&self.pool))?;
        schema::prepare(client, self.clock.today())?;
        // It may be set, if another thread was faster.
        let _ = self.tables.are_ready.set(());
        // If the keys fail, writes tell it. Reads do without them.
        let _ = block_on(self.keys.prepare());
        Ok(())
    }

    pub(super) fn read<T>(&self, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        let _driven = self.driver.enter();
        self.repeat(true, |client| {
            let snapshot = Snapshot::new(begin(client, BEGIN_READ)?);
            let read = work(snapshot.connection());
            if !matches!(read, Err(Error::Disconnected(_))) {
                snapshot.end();
            }
            read
        })
    }

    pub(super) fn write<T>(&self, work: impl Fn(&Db<'_>, &Append<'_>) -> Result<T>) -> Result<T> {
        let _driven = self.driver.enter();
        self.repeat(false, |client| {
            let database = self.begin_write(client)?;
            without_call(&database, |transaction| self.change(transaction, &work))
        })
    }

    pub(super) fn once<S, U: CallerArg, T: Serialize>(
        &self,
        cx: &Cx<S, U>,
        work: impl Fn(&Db<'_>, &Append<'_>) -> Result<T>,
    ) -> Result<Once<T>> {
        let _driven = self.driver.enter();
        let has_key = cx.running_key().is_some();
        let done = self.repeat(has_key, |client| {
            let database = self.begin_write(client)?;
            cx.once_blocking(&database, |transaction| self.change(transaction, &work))
        });
        match done {
            // The caller may repeat the call, which then finds out.
            Err(Error::Unknown(cause)) if has_key => Err(Error::Disconnected(cause)),
            done => done,
        }
    }

    fn change<T>(
        &self,
        transaction: &ClientWrapper,
        work: impl Fn(&Db<'_>, &Append<'_>) -> Result<T>,
    ) -> Result<T> {
        work(transaction, &|event| {
            let appended = block_on(self.events.append(transaction, LOAN_TOPIC, event));
            appended.map_err(|error| match error.into() {
                // Not yet committed.
                Error::Unknown(cause) => Error::Disconnected(cause),
                error => error,
            })
        })
    }

    /// Follows the events of loans. The stream runs where the connections do, on whatever thread it is read.
    pub(super) async fn follow(
        &self,
        after: Option<&str>,
    ) -> WatchResult<impl Stream<Item = WatchResult<Event<LoanEvent>>> + Send + 'static + use<>>
    {
        let database = self.clone();
        // The tables of events alone would be no library.
        let prepared = self.driver.spawn_blocking(move || database.prepare());
        prepared
            .await
            .map_err(|panicked| docent_keys::Error::Failed(panicked.into()))??;
        let mut events = Box::pin(self.events.follow(LOAN_TOPIC, after));
        let driver = Arc::clone(&self.driver);
        Ok(stream::poll_fn(move |cx| {
            let _driven = driver.enter();
            events.poll_next_unpin(cx)
        }))
    }

    fn begin_write(&self, client: Client) -> Result<WithinPostgres> {
        // Before the transaction, whose errors are those of its commit.
        if let Err(docent_keys::Error::Unavailable(cause)) = block_on(self.keys.prepare()) {
            return Err(Error::Disconnected(cause));
        }
        Ok(self.keys.within(begin(client, BEGIN_WRITE)?))
    }

    /// Makes attempts until one succeeds, or fails with an error for which another does not help. `is_safe` says whether
    /// another does no harm after a commit whose outcome is unknown.
    fn repeat<T>(&self, is_safe: bool, attempt: impl Fn(Client) -> Result<T>) -> Result<T> {
        let end = Instant::now() + BUSY_TIMEOUT;
        let mut collisions = 0;
        let mut was_lost = false;
        loop {
            self.prepare()?;
            let client = block_on(connect(&self.pool))?;
            let error = match attempt(client) {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            match error {
                Error::Busy if Instant::now() < end => {
                    std::thread::sleep(pause(collisions));
                    collisions += 1;
                }
                Error::Disconnected(_) | Error::Unknown(_) => {
                    // The idle ones may be lost, too, which each would tell only after its time.
                    self.pool.retain(|_, _| false);
                    let is_unknown = matches!(error, Error::Unknown(_));
                    if was_lost || is_unknown && !is_safe {
                        return Err(error);
                    }
                    was_lost = true;
                }
                error => return Err(error),
            }
        }
    }
}

fn begin(client: Client, sql: &str) -> Result<Client> {
    if let Err(error) = block_on(in_time(ANSWER_TIMEOUT, client.batch_execute(sql))) {
        // It may have begun.
        close(client);
        return Err(error);
    }
    Ok(client)
}

/// Returns how long to wait before the next attempt: longer each time, and each time another part of
/// it, so that two that collided do not collide again.
fn pause(collisions: u32) -> Duration {
    let most = RETRY_PAUSE * 2_u32.pow(collisions.min(6));
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
