//! A store in a PostgreSQL database, which many instances can share.
//!
//! ```text
//! BEGIN
//! SELECT pg_try_advisory_xact_lock(…), … the outcome under the key   ─► a new call, or Running, Kept, UsedOtherwise, Full
//!     … the statements of the handler …
//! INSERT the outcome under the key                                   ─► no row: another call with the key was faster
//! COMMIT
//! ```
//!
//! A call claims its key with an advisory lock of its transaction, looks for an outcome with the same statement, and writes
//! its own outcome with one more before it commits. Another transaction may commit the outcome of the same call between the
//! moment that the first statement sees and the moment at which it gets the lock. The second statement then finds a row
//! under its key, so that nothing is committed twice.
//!
//! A row that the first statement inserts would claim the key, too. But the repeated call would then wait for the whole
//! transaction of the first, with a connection of the pool; with a lock it learns at once that the first is running.
//!
//! No statement of the store is prepared by name, and no lock is held by a session, so transaction poolers work. What an
//! outcome is, and how a repeated call gets it, is up to `docent-core`.

mod background;
mod events;
mod ledger;
mod tables;
mod transaction;

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use deadpool_postgres::{Client, ClientWrapper, Pool};
use docent_core::{
    BegunTransaction, BoxFuture, Claim, EarlierCall, Fault, KeptOutcome, KeyRoom, KeyStore,
    KeyUsage, KeyedCall, TransactionStore,
};
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use crate::error::Error;
use crate::record;
use crate::room::{DEFAULT_ROOM, refusal, sum};
use crate::running::RunningCalls;
pub use events::PostgresEvents;
use ledger::{ALL, Ledger};
pub use transaction::{PostgresTransaction, WithinPostgres};

/// The time within which the database must answer, unless the store is told otherwise.
const DEADLINE: Duration = Duration::from_secs(2);

/// Selects what [`earlier`] reads: the outcome of a call by its caller and its key in `$1` and `$2`.
const OUTCOME: &str = "SELECT ARRAY[fingerprint, error::text, result] FROM docent_keys \
                       WHERE caller = $1 AND key = $2 AND until > extract(epoch FROM now())";

/// Keeps the outcomes of calls with keys in a PostgreSQL database, in the transactions of their handlers.
///
/// It is the [key store](docent_core::ServiceBuilder::key_store) of a service, and begins the transactions of
/// [`Cx::once`](docent_core::Cx::once). Cloning it is cheap. It needs PostgreSQL 14 or later, and adds its tables at the first
/// call, unless [they](Self::TABLES) are there.
///
/// ```no_run
/// use std::time::Duration;
///
/// use deadpool_postgres::{Manager, Pool};
/// use docent::{Cx, Once, Procedure, Service};
/// use docent_keys::{Error, PostgresKeys};
/// use tokio_postgres::NoTls;
///
/// /// Pays invoices, and returns the number of the receipt.
/// async fn pay(cx: Cx<PostgresKeys>, invoices: Vec<i64>) -> Result<Once<i64>, Error> {
///     cx.once(cx.state(), async |transaction| {
///         let sql = "INSERT INTO payments (invoices) VALUES ($1) RETURNING id";
///         Ok(transaction.query_one(sql, &[&invoices]).await?.get(0))
///     })
///     .await
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let day = Duration::from_secs(86_400);
/// let manager = Manager::new("host=/run/postgresql dbname=bank".parse()?, NoTls);
/// let keys = PostgresKeys::new(Pool::builder(manager).build()?);
/// let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c52")
///     .key_store(keys.clone())
///     .state(keys)
///     .procedure(Procedure::new("pay", pay).repeatable(day).keys_without_caller())
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct PostgresKeys {
    pool: Pool,
    limits: KeyRoom,
    deadline: Duration,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    running: RunningCalls,
    ledger: Ledger,
    /// Set once the tables are there and were looked at.
    is_ready: OnceCell<()>,
    background: Mutex<Option<JoinHandle<()>>>,
}

impl PostgresKeys {
    /// The statements that add the tables: for a database in which the service itself must not.
    pub const TABLES: &str = include_str!("tables.sql");

    /// Creates a store in the database of a pool. It connects at the first call.
    pub fn new(pool: Pool) -> Self {
        Self {
            pool,
            limits: DEFAULT_ROOM,
            deadline: DEADLINE,
            shared: Arc::default(),
        }
    }

    /// Sets the maximum number of keys of all instances. Default: 1,000,000.
    pub fn max_keys(mut self, keys: u64) -> Self {
        self.limits.keys = keys;
        self
    }

    /// Sets the maximum size of keys and outcomes, in bytes. Default: 1 GiB.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.bytes = bytes;
        self
    }

    /// Sets the time within which the database must give a connection, and answer each statement of the store. A connection
    /// that does not answer is closed. Choose a shorter time than calls have. Default: 2 seconds.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Adds the tables if they are not there, and starts the background work: deletes what has expired, and counts. The
    /// first call does it otherwise. Call it at the start if handlers use [`within`](Self::within), because it needs a
    /// connection of its own.
    ///
    /// # Errors
    /// Returns an error if the database does not answer, or does not let the service add the tables. The next call of this
    /// or of a handler tries again.
    pub async fn prepare(&self) -> Result<(), Error> {
        self.shared
            .is_ready
            .get_or_try_init(|| background::prepare(self))
            .await?;
        background::ensure_runs(self);
        Ok(())
    }

    /// Returns a store for one call of [`Cx::once`](docent_core::Cx::once), which uses a transaction that the handler has begun
    /// on this connection, in the same database.
    ///
    /// In a serializable transaction, the store does not look for an outcome before the work is done, because transactions
    /// that read the same part of a table and then add to it would fail. A repeated call then does its work again, is rolled
    /// back, and gets the first outcome.
    ///
    /// ```
    /// # use docent::{Cx, Once};
    /// # use docent_keys::{Error, PostgresKeys};
    /// struct Bank {
    ///     pool: deadpool_postgres::Pool,
    ///     keys: PostgresKeys,
    /// }
    ///
    /// async fn pay(cx: Cx<Bank>, invoices: Vec<i64>) -> Result<Once<i64>, Error> {
    ///     let Bank { pool, keys } = cx.state();
    ///     let client = pool.get().await?;
    ///     client.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    ///     cx.once(&keys.within(client), async |transaction| {
    ///         let sql = "INSERT INTO payments (invoices) VALUES ($1) RETURNING id";
    ///         Ok(transaction.query_one(sql, &[&invoices]).await?.get(0))
    ///     })
    ///     .await
    /// }
    /// # let _: docent::Procedure<Bank> = docent::Procedure::new("pay", pay);
    /// ```
    pub fn within(&self, client: Client) -> WithinPostgres {
        WithinPostgres::new(self.clone(), client)
    }

    async fn client(&self) -> Result<Client, Error> {
        in_time(self.deadline, self.pool.get()).await
    }

    /// Claims the key of a call, if it has one, until the end of a transaction.
    async fn claim_in(
        &self,
        mut transaction: PostgresTransaction,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<PostgresTransaction>, Error> {
        let Some(call) = call else {
            return Ok(BegunTransaction::New(transaction));
        };
        let refusal = self.refusal(&transaction, call).await;
        let Some(refusal) = transaction.close_if_late(refusal)? else {
            transaction.set_aside = Some(self.shared.ledger.set_aside(call));
            return Ok(BegunTransaction::New(transaction));
        };
        transaction.roll_back().await;
        match refusal {
            // A serializable transaction has not looked for an outcome, which a full store gives, too.
            BegunTransaction::Full { .. } | BegunTransaction::ShareFull { .. } => {
                match self.find(call).await? {
                    Some(earlier) => Ok(record::repeated(earlier)),
                    None => Ok(refusal),
                }
            }
            refusal => Ok(refusal),
        }
    }

    /// Claims the key of a call until the end of a transaction. Returns why that is impossible, if it is.
    async fn refusal<T>(
        &self,
        client: &ClientWrapper,
        call: &KeyedCall,
    ) -> Result<Option<BegunTransaction<T>>, Error> {
        // In a serializable transaction, the second part is never read.
        let sql = format!(
            "SELECT pg_try_advisory_xact_lock(hashtextextended($3, 0)), \
             ({OUTCOME} AND current_setting('transaction_isolation') <> 'serializable')"
        );
        let caller = record::caller(call);
        let name = record::name(call);
        let row = in_time(
            self.deadline,
            client.query_typed_one(&sql, &texts(&[&caller, call.key(), &name])),
        )
        .await?;
        if let Some(earlier) = earlier(call, &row, 1)? {
            return Ok(Some(record::repeated(earlier)));
        }
        if !row.try_get::<_, bool>(0)? {
            return Ok(Some(BegunTransaction::Running));
        }
        let (own, all) = self.shared.ledger.taken(&caller);
        Ok(refusal(call, self.limits, own, all))
    }

    /// Writes the outcome of a call, unless its key has one. Returns whether it was written.
    async fn write(
        &self,
        client: &ClientWrapper,
        call: &KeyedCall,
        outcome: &KeptOutcome,
    ) -> Result<bool, Error> {
        let sql = "INSERT INTO docent_keys (caller, key, fingerprint, result, error, bytes, until) \
                   VALUES ($1, $2, $3, $4, $5, $6, ceil(extract(epoch FROM clock_timestamp()))::bigint + $7) \
                   ON CONFLICT (caller, key) DO UPDATE SET fingerprint = excluded.fingerprint, \
                   result = excluded.result, error = excluded.error, bytes = excluded.bytes, \
                   until = excluded.until WHERE docent_keys.until <= extract(epoch FROM now())";
        let caller = record::caller(call);
        let row_texts = [&*caller, call.key(), call.fingerprint(), outcome.json()];
        let row_numbers = [
            outcome.is_error().into(),
            i64::try_from(record::size(call, outcome)).unwrap_or(i64::MAX),
            record::keep_seconds(call),
        ];
        let values = [texts(&row_texts), numbers(&row_numbers)].concat();
        let rows = in_time(self.deadline, client.execute_typed(sql, &values)).await?;
        Ok(rows == 1)
    }
}

/// Reads the outcome of a call from a column, if there is one.
fn earlier(call: &KeyedCall, row: &Row, column: usize) -> Result<Option<EarlierCall>, Error> {
    let Some(parts) = row.try_get::<_, Option<Vec<String>>>(column)? else {
        return Ok(None);
    };
    let [fingerprint, error, result] = <[String; 3]>::try_from(parts)
        .map_err(|_| Error::Failed("an outcome has three parts".into()))?;
    Ok(Some(record::earlier(
        call,
        &fingerprint,
        result,
        error != "0",
    )))
}

/// A value of a statement, with its type: the statement is not prepared, so nothing else tells it.
type TypedValue<'v> = (&'v (dyn ToSql + Sync), Type);

fn texts<'v>(values: &'v [&'v str]) -> Vec<TypedValue<'v>> {
    values.iter().map(text).collect()
}

fn text<'v>(value: &'v &'v str) -> TypedValue<'v> {
    (value, Type::TEXT)
}

fn numbers(values: &[i64]) -> Vec<TypedValue<'_>> {
    values.iter().map(number).collect()
}

fn number(value: &i64) -> TypedValue<'_> {
    (value, Type::INT8)
}

/// Waits for the database.
async fn in_time<T, E: Into<Error>>(
    deadline: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Error> {
    match tokio::time::timeout(deadline, work).await {
        Ok(outcome) => outcome.map_err(Into::into),
        Err(elapsed) => Err(Error::Unavailable(elapsed.into())),
    }
}

impl TransactionStore for PostgresKeys {
    type Transaction = PostgresTransaction;
    type Error = Error;

    async fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<PostgresTransaction>, Error> {
        // Before it has a connection, because this needs one, too.
        self.prepare().await?;
        let transaction = PostgresTransaction::begin(self.client().await?, self.deadline).await?;
        self.claim_in(transaction, call).await
    }

    async fn commit(
        &self,
        mut transaction: PostgresTransaction,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> Result<(), Error> {
        let Some((call, outcome)) = record else {
            return transaction.commit().await;
        };
        let written = self.write(&transaction, call, outcome).await;
        let failure = match transaction.close_if_late(written) {
            Ok(true) => None,
            Ok(false) => Some(Error::Repeated),
            Err(error) => Some(error),
        };
        if let Some(error) = failure {
            transaction.roll_back().await;
            return Err(error);
        }
        transaction.commit().await?;
        self.shared.ledger.add(call, outcome);
        Ok(())
    }

    async fn roll_back(&self, transaction: PostgresTransaction) {
        transaction.roll_back().await;
    }

    async fn find(&self, call: &KeyedCall) -> Result<Option<EarlierCall>, Error> {
        let client = self.client().await?;
        let caller = record::caller(call);
        let row = in_time(
            self.deadline,
            client.query_typed_opt(OUTCOME, &texts(&[&caller, call.key()])),
        )
        .await;
        match transaction::usable(client, row)? {
            Some(row) => earlier(call, &row, 0),
            None => Ok(None),
        }
    }
}

impl KeyStore for PostgresKeys {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let claim = self.shared.running.claim(call);
        Box::pin(std::future::ready(Ok(claim)))
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        let keys = self.clone();
        let claimed = self.shared.running.claimed(call);
        Box::pin(async move {
            let call = &claimed.call;
            keys.prepare().await?;
            let client = keys.client().await?;
            let written = keys.write(&client, call, &outcome).await;
            if transaction::usable(client, written)? {
                keys.shared.ledger.add(call, &outcome);
            }
            Ok(())
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
        let (_, all) = self.shared.ledger.taken(ALL);
        Some(KeyUsage {
            held: sum(all.kept, all.more),
            limits: self.limits,
        })
    }
}

impl fmt::Debug for PostgresKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresKeys")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
