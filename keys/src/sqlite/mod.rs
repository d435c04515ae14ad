//! A store in an SQLite file.
//!
//! SQLite has one writer at a time. The store has one connection for all transactions that it begins, and a thread that
//! deletes what has expired and keeps the outcomes of calls that have changed nothing. A transaction sees all that was
//! committed before, so what is kept and how much room there is can be read where it begins.
//!
//! ```text
//! handler ─ take ─► ConnectionPool ─► BEGIN IMMEDIATE, the work, the outcome, COMMIT ─ return ─┐
//!                        ▲                                                                     │
//!           background ──┴─────────── deletes expired keys between writes ◄────────────────────┘
//! ```
//!
//! Several connections would only wait for each other inside SQLite, which polls; here they wait for a condition variable.
//! A handler that works on a connection of its own has the outcome written there. A repetition of a call that is running
//! in this process is refused from memory (`running`), so that it waits for no transaction.

mod background;
mod events;
mod transaction;

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use docent_core::{
    BegunTransaction, BoxFuture, Claim, EarlierCall, Fault, KeptOutcome, KeyRoom, KeyStore,
    KeyUsage, KeyedCall, TransactionStore,
};
use rusqlite::{Connection, Row, named_params};
use tokio::sync::oneshot;

use crate::error::Error;
use crate::record;
use crate::room::{DEFAULT_ROOM, TakenRoom, count, refusal};
use crate::running::RunningCalls;
use background::Job;
pub use events::SqliteEvents;
use transaction::ConnectionPool;
pub use transaction::{SqliteTransaction, WithinSqlite};

/// The time that a connection waits for another process to end its transaction.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Keeps the outcomes of calls with keys in an SQLite file, in the transactions of their handlers.
///
/// It is the [key store](docent_core::ServiceBuilder::key_store) of a service, and begins the transactions of
/// [`Cx::once_blocking`](docent_core::Cx::once_blocking). Cloning it is cheap; all clones share one connection.
///
/// ```
/// use std::time::Duration;
///
/// use docent::{Cx, Once, Procedure, Service};
/// use docent_keys::{Error, SqliteKeys};
///
/// /// Pays invoices, and returns the number of the last receipt.
/// fn pay(cx: Cx<SqliteKeys>, invoices: Vec<u32>) -> Result<Once<i64>, Error> {
///     cx.once_blocking(cx.state(), |transaction| {
///         for invoice in invoices {
///             transaction.execute("INSERT INTO payments (invoice) VALUES (?1)", [invoice])?;
///         }
///         Ok(transaction.last_insert_rowid())
///     })
/// }
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("bank.db");
/// # rusqlite::Connection::open(&path)?.execute_batch("CREATE TABLE payments (id INTEGER PRIMARY KEY, invoice)")?;
/// # let day = Duration::from_secs(86_400);
///
/// let keys = SqliteKeys::open(path)?;
/// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c51")
///     .key_store(keys.clone())
///     .state(keys)
///     .procedure(Procedure::blocking("pay", pay).repeatable(day).keys_without_caller())
///     .build()?;
/// # let call = r#"{"jsonrpc": "2.0", "method": "pay", "params": [7], "x-idempotency-key": "k1", "id": 1}"#;
/// # for _ in 0..2 {
/// #     let answer = service.handle(call).await;
/// #     assert_eq!(answer.as_deref(), Some(br#"{"jsonrpc":"2.0","result":1,"id":1}"#.as_slice()));
/// # }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SqliteKeys {
    shared: Arc<Shared>,
    limits: KeyRoom,
}

struct Shared {
    pool: ConnectionPool,
    running: RunningCalls,
    /// The room that was taken when a transaction was last begun.
    held: Mutex<KeyRoom>,
    /// The work of the thread, which ends with this.
    jobs: Sender<Job>,
}

impl SqliteKeys {
    /// The statements that add the tables: for a service that adds them with its own.
    pub const TABLES: &str = include_str!("tables.sql");

    /// Opens a file, creates it if there is none, and adds the tables that the store needs. The file gets a write-ahead
    /// log, and a commit is on disk before it ends.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is no database, or is locked by another process.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(open(path)?)
    }

    /// Creates a store with a connection of your own settings, and adds the [tables](Self::TABLES) unless they are there.
    ///
    /// # Errors
    /// Returns an error if the tables cannot be added.
    pub fn new(connection: Connection) -> Result<Self, Error> {
        add_tables(&connection, "docent_key_forgotten", Self::TABLES)?;
        Ok(Self {
            shared: background::start(connection),
            limits: DEFAULT_ROOM,
        })
    }

    /// Sets the maximum number of keys. Default: 1,000,000.
    pub fn max_keys(mut self, keys: u64) -> Self {
        self.limits.keys = keys;
        self
    }

    /// Sets the maximum size of keys and outcomes, in bytes. Default: 1 GiB.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.bytes = bytes;
        self
    }

    /// Returns a store for one call of [`Cx::once_blocking`](docent_core::Cx::once_blocking), which uses a transaction of
    /// the handler's own, on the same file. Begin it with `TransactionBehavior::Immediate`: a transaction that reads
    /// before it writes fails if another writes in between.
    ///
    /// ```
    /// # use docent::{Cx, Once};
    /// # use docent_keys::{Error, SqliteKeys};
    /// # use rusqlite::{Connection, TransactionBehavior};
    /// # use std::sync::Mutex;
    /// struct Bank {
    ///     database: Mutex<Connection>,
    ///     keys: SqliteKeys,
    /// }
    ///
    /// fn pay(cx: Cx<Bank>, invoices: Vec<u32>) -> Result<Once<i64>, Error> {
    ///     let Bank { database, keys } = cx.state();
    ///     let mut database = database.lock().unwrap();
    ///     let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
    ///     cx.once_blocking(&keys.within(transaction), |transaction| {
    ///         for invoice in invoices {
    ///             transaction.execute("INSERT INTO payments (invoice) VALUES (?1)", [invoice])?;
    ///         }
    ///         Ok(transaction.last_insert_rowid())
    ///     })
    /// }
    /// # let _: docent::Procedure<Bank> = docent::Procedure::blocking("pay", pay);
    /// ```
    pub fn within<'t>(&self, transaction: rusqlite::Transaction<'t>) -> WithinSqlite<'t> {
        WithinSqlite::new(self.clone(), transaction)
    }

    /// Looks for the outcome of a call in a transaction, and for the room for a new one.
    fn claim_in<T: Deref<Target = Connection>>(
        &self,
        transaction: T,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<T>, Error> {
        let Some(call) = call else {
            return Ok(BegunTransaction::New(transaction));
        };
        let Found { earlier, own, all } = find(&transaction, call)?;
        if let Some(earlier) = earlier {
            return Ok(record::repeated(earlier));
        }
        *self.held() = all.kept;
        let refusal = refusal(call, self.limits, own, all);
        Ok(refusal.unwrap_or(BegunTransaction::New(transaction)))
    }

    fn held(&self) -> MutexGuard<'_, KeyRoom> {
        self.shared
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens a file with a write-ahead log. A commit is on disk before it ends.
fn open(path: impl AsRef<Path>) -> Result<Connection, Error> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

/// Adds tables if the last of them is not there. It is looked for first, because only a transaction that writes waits for
/// another.
fn add_tables(connection: &Connection, last: &str, tables: &str) -> Result<(), Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)";
    let has_tables: bool = connection.query_row(sql, [last], |row| row.get(0))?;
    if !has_tables {
        connection.execute_batch(&format!("BEGIN IMMEDIATE; {tables} COMMIT"))?;
    }
    Ok(())
}

/// The rows that matter to a call.
struct Found {
    earlier: Option<EarlierCall>,
    /// The room that the outcomes of its caller take, and those of all.
    own: TakenRoom,
    all: TakenRoom,
}

fn find(connection: &Connection, call: &KeyedCall) -> Result<Found, Error> {
    let mut statement = connection.prepare_cached(
        "SELECT kept.fingerprint, kept.result, kept.error, \
             coalesce(own.keys, 0), coalesce(own.bytes, 0), \
             (SELECT min(until) FROM docent_keys WHERE caller = ?1) - unixepoch(), \
             coalesce(every.keys, 0), coalesce(every.bytes, 0), \
             (SELECT min(until) FROM docent_keys) - unixepoch() \
         FROM (SELECT 1) \
         LEFT JOIN docent_keys AS kept \
             ON kept.caller = ?1 AND kept.key = ?2 AND kept.until > unixepoch() \
         LEFT JOIN docent_key_room AS own ON own.caller = ?1 \
         LEFT JOIN docent_key_room AS every ON every.caller = '*'",
    )?;
    let values = (record::caller(call), call.key());
    let found = statement.query_row(values, |row| {
        let fingerprint: Option<String> = row.get(0)?;
        let earlier = match fingerprint {
            Some(fingerprint) => {
                let result = row.get(1)?;
                Some(record::earlier(call, &fingerprint, result, row.get(2)?))
            }
            None => None,
        };
        Ok(Found {
            earlier,
            own: taken(row, 3)?,
            all: taken(row, 6)?,
        })
    })?;
    Ok(found)
}

/// Reads the room that outcomes take from three columns.
fn taken(row: &Row<'_>, column: usize) -> rusqlite::Result<TakenRoom> {
    Ok(TakenRoom {
        kept: KeyRoom {
            keys: count(row.get(column)?),
            bytes: count(row.get(column + 1)?),
        },
        more: KeyRoom::default(),
        oldest: row.get(column + 2)?,
    })
}

/// Writes the outcome of a call, unless its key has one. Returns whether it was written.
fn keep(connection: &Connection, call: &KeyedCall, outcome: &KeptOutcome) -> Result<bool, Error> {
    // From the end of this second, so that no outcome expires early.
    let mut statement = connection.prepare_cached(
        "INSERT INTO docent_keys (caller, key, fingerprint, result, error, bytes, until) \
         VALUES (:caller, :key, :fingerprint, :result, :error, :bytes, unixepoch() + 1 + :seconds) \
         ON CONFLICT (caller, key) DO UPDATE SET fingerprint = excluded.fingerprint, \
         result = excluded.result, error = excluded.error, bytes = excluded.bytes, \
         until = excluded.until WHERE until <= unixepoch()",
    )?;
    let written = statement.execute(named_params! {
        ":caller": record::caller(call),
        ":key": call.key(),
        ":fingerprint": call.fingerprint(),
        ":result": outcome.json(),
        ":error": outcome.is_error(),
        ":bytes": i64::try_from(record::size(call, outcome)).unwrap_or(i64::MAX),
        ":seconds": record::keep_seconds(call),
    })?;
    Ok(written == 1)
}

/// Writes the outcome of a call with a key before its transaction is committed.
fn keep_in(
    transaction: &Connection,
    record: Option<(&KeyedCall, &KeptOutcome)>,
) -> Result<(), Error> {
    match record {
        Some((call, outcome)) if !keep(transaction, call, outcome)? => Err(Error::Repeated),
        _ => Ok(()),
    }
}

/// The futures of this store are ready when they are first polled. They block until then.
impl TransactionStore for SqliteKeys {
    type Transaction = SqliteTransaction;
    type Error = Error;

    async fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<SqliteTransaction>, Error> {
        self.claim_in(SqliteTransaction::begin(Arc::clone(&self.shared))?, call)
    }

    async fn commit(
        &self,
        transaction: SqliteTransaction,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> Result<(), Error> {
        keep_in(&transaction, record)?;
        transaction.commit()
    }
}

impl KeyStore for SqliteKeys {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let claim = self.shared.running.claim(call);
        Box::pin(std::future::ready(Ok(claim)))
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        let (done, kept) = oneshot::channel();
        // If the thread has ended, the job is dropped.
        let _ = self.shared.jobs.send(Job {
            claimed: self.shared.running.claimed(call),
            outcome,
            done,
        });
        Box::pin(async move {
            match kept.await {
                Ok(kept) => Ok(kept?),
                Err(ended) => Err(Fault::internal(ended)),
            }
        })
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        self.shared.running.release(call);
        Box::pin(std::future::ready(()))
    }

    fn requires_once(&self) -> bool {
        true
    }

    fn usage(&self) -> Option<KeyUsage> {
        Some(KeyUsage {
            held: *self.held(),
            limits: self.limits,
        })
    }
}

impl fmt::Debug for SqliteKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteKeys")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
