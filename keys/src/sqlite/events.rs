//! Events in an SQLite file, for readers in every process.

use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use futures_util::Stream;
use rusqlite::Connection;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use tokio::task::spawn_blocking;

use super::{add_tables, open};
use crate::error::Error;
use crate::events::{Event, EventLog, PAUSE, Position, SHORT_PAUSE, follow};

/// The tables.
const TABLES: &str = include_str!("events.sql");

/// The number of events that a reader reads at once.
const BATCH_SIZE: i64 = 100;

/// The number of events that are deleted at once: few, because writers wait for it.
const MAX_DELETED: i64 = 500;

/// Events of an SQLite file. Cloning it is cheap; all clones read on one connection.
///
/// An event is seen when its transaction is committed: at once in this process, and within a second in others.
///
/// ```
/// use docent::{Cx, Once, Subscription};
/// use docent_keys::{Error, Event, SqliteEvents, SqliteKeys};
///
/// struct Bank {
///     keys: SqliteKeys,
///     events: SqliteEvents,
/// }
///
/// fn pay(cx: Cx<Bank>, invoices: Vec<u32>) -> Result<Once<i64>, Error> {
///     let Bank { keys, events } = cx.state();
///     cx.once_blocking(keys, |transaction| {
///         for invoice in invoices {
///             transaction.execute("INSERT INTO payments (invoice) VALUES (?1)", [invoice])?;
///         }
///         let receipt = transaction.last_insert_rowid();
///         events.append(transaction, "payments", &receipt)?;
///         Ok(receipt)
///     })
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Watch {
///     after: Option<String>,
/// }
///
/// let watch = Subscription::new("payment.watch", async |cx: Cx<Bank>, watch: Watch| {
///     Ok::<_, Error>(cx.state().events.follow::<i64>("payments", watch.after.as_deref()))
/// })
/// .resume_by("after", |event: &Event<i64>| event.cursor.clone());
/// # let _ = (watch, docent::Procedure::blocking("pay", pay));
/// ```
#[derive(Clone)]
pub struct SqliteEvents(Arc<Shared>);

struct Shared {
    reader: Mutex<Connection>,
    end: watch::Sender<Position>,
    /// Tells the thread when an event was appended. The thread ends with this.
    appended: Sender<()>,
}

impl SqliteEvents {
    /// Opens the events of a file, which keeps each for this time, and adds the tables that they need.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is no database, or is locked by another process.
    pub fn open(path: impl AsRef<Path>, keep_for: Duration) -> Result<Self, Error> {
        Self::new(open(path)?, keep_for)
    }

    /// Creates the events of a file with a connection of your own settings, and adds the tables unless they are there. The
    /// connection reads, and deletes old events.
    ///
    /// # Errors
    /// Returns an error if the tables cannot be added.
    pub fn new(connection: Connection, keep_for: Duration) -> Result<Self, Error> {
        add_tables(&connection, "docent_event_deleted", TABLES)?;
        let (appended, waiting) = channel();
        let shared = Arc::new(Shared {
            reader: Mutex::new(connection),
            end: watch::Sender::default(),
            appended,
        });
        let events = Arc::downgrade(&shared);
        thread::spawn(move || run(&events, &waiting, keep_for));
        Ok(Self(shared))
    }

    /// Appends an event in a transaction. It is seen once that is committed.
    ///
    /// # Errors
    /// Returns an error if the value cannot be written as JSON, or the database fails.
    pub fn append<T: Serialize + ?Sized>(
        &self,
        transaction: &Connection,
        topic: &str,
        value: &T,
    ) -> Result<(), Error> {
        let json = serde_json::to_string(value).map_err(|error| Error::Failed(error.into()))?;
        let sql = "INSERT INTO docent_events (topic, json) VALUES (?1, ?2)";
        transaction.prepare_cached(sql)?.execute((topic, json))?;
        // The thread lives as long as this.
        let _ = self.0.appended.send(());
        Ok(())
    }

    /// Follows a topic: after a cursor, or from now on. It never ends by itself. It reads on threads of tokio that may
    /// block.
    ///
    /// # Errors
    /// The stream yields [`Error::CannotResume`] if the events after the cursor are not kept, and another error if the
    /// database fails. It ends with it. A database that cannot be reached for a while only delays events.
    pub fn follow<T: DeserializeOwned + Send + 'static>(
        &self,
        topic: &str,
        cursor: Option<&str>,
    ) -> impl Stream<Item = Result<Event<T>, Error>> + Send + 'static + use<T> {
        follow(self.clone(), topic, cursor)
    }

    /// Runs a query where it may block.
    async fn query<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let shared = Arc::clone(&self.0);
        let done = spawn_blocking(move || query(&shared.reader())).await;
        Ok(done.map_err(|error| Error::Failed(error.into()))??)
    }
}

/// Looks for new events: when one was appended, until its transaction has ended, and by the clock. Deletes those that are
/// too old.
fn run(events: &Weak<Shared>, appended: &Receiver<()>, keep_for: Duration) {
    let mut pause = PAUSE;
    let mut last_deletion = Instant::now();
    loop {
        let Some(shared) = events.upgrade() else {
            return;
        };
        // The next look may succeed. After an event, others may be seen soon.
        if let Ok(true) = shared.look() {
            pause = SHORT_PAUSE;
        }
        if last_deletion.elapsed() >= PAUSE {
            // The next attempt may succeed.
            let _ = shared.delete_old(keep_for);
            last_deletion = Instant::now();
        }
        drop(shared);
        pause = match appended.recv_timeout(pause) {
            Ok(()) => SHORT_PAUSE,
            Err(RecvTimeoutError::Timeout) => PAUSE.min(2 * pause),
            Err(RecvTimeoutError::Disconnected) => return,
        };
    }
}

impl Shared {
    fn reader(&self) -> MutexGuard<'_, Connection> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for the last event. Returns whether there is a new one.
    fn look(&self) -> Result<bool, Error> {
        let end = end(&self.reader())?;
        Ok(self
            .end
            .send_if_modified(|last| std::mem::replace(last, end) != end))
    }

    fn delete_old(&self, keep_for: Duration) -> Result<(), Error> {
        let mut reader = self.reader();
        let seconds = i64::try_from(keep_for.as_secs()).unwrap_or(i64::MAX);
        let sql = "SELECT number FROM docent_events WHERE at < unixepoch() - ?1 \
                   ORDER BY number LIMIT 1";
        if !reader.prepare_cached(sql)?.exists([seconds])? {
            return Ok(());
        }
        let transaction = reader.transaction()?;
        let sql = "DELETE FROM docent_events WHERE number IN ( \
                       SELECT number FROM docent_events WHERE at < unixepoch() - ?1 \
                       ORDER BY number LIMIT ?2) RETURNING number";
        let last: Option<i64> = {
            let mut statement = transaction.prepare_cached(sql)?;
            statement
                .query_map([seconds, MAX_DELETED], |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<_>>>()?
                .into_iter()
                .max()
        };
        let sql = "UPDATE docent_event_deleted SET number = max(number, ?1)";
        transaction.execute(sql, [last.unwrap_or_default()])?;
        Ok(transaction.commit()?)
    }
}

fn end(connection: &Connection) -> rusqlite::Result<Position> {
    let sql = "SELECT max(number, coalesce((SELECT max(number) FROM docent_events), 0)) \
               FROM docent_event_deleted";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row((), |row| row.get(0).map(Position::of))
}

impl EventLog for SqliteEvents {
    async fn read(
        &self,
        topic: &str,
        after: Position,
    ) -> Result<Option<Vec<(Position, String)>>, Error> {
        let topic = topic.to_owned();
        let read = move |connection: &Connection| {
            // It has no row if events after the position were deleted, and one without an event if there is none.
            let sql = "SELECT event.number, event.json FROM docent_event_deleted AS deleted \
                       LEFT JOIN ( \
                           SELECT number, json FROM docent_events \
                           WHERE topic = ?1 AND number > ?2 ORDER BY number LIMIT ?3) AS event \
                       WHERE deleted.number <= ?2 ORDER BY event.number";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query((topic, after.number, BATCH_SIZE))?;
            let mut events = None;
            while let Some(row) = rows.next()? {
                let events = events.get_or_insert_with(Vec::new);
                if let Some(number) = row.get(0)? {
                    events.push((Position::of(number), row.get(1)?));
                }
            }
            Ok(events)
        };
        self.query(read).await
    }

    async fn end(&self) -> Result<Position, Error> {
        self.query(end).await
    }

    fn changes(&self) -> watch::Receiver<Position> {
        self.0.end.subscribe()
    }
}

impl fmt::Debug for SqliteEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteEvents").finish_non_exhaustive()
    }
}
