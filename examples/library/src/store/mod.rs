//! The library's storage: one SQLite file, or a PostgreSQL database.
//!
//! The rules of lending and all statements stand here once, for both. `db` is the transaction they
//! run in. What each database promises, and how, is in `sqlite` and `postgres`.
//!
//! **Nothing is done twice.** The outcome of a call with a key is in the same transaction as what the
//! call has changed.
//!
//! **What happens is told.** An event is in the same transaction as the loan that it tells of.
//!
//! Every function here blocks, except what follows events.

mod authors;
mod books;
mod db;
mod error;
mod filter;
mod find;
mod fold;
mod loans;
mod members;
#[cfg(feature = "postgres")]
mod postgres;
mod seed;
mod sqlite;
mod stats;
mod value;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use docent::{BegunTransaction, CallerArg, Cx, KeyStore, Once, TransactionStore};
use docent_keys::Event;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use serde::Serialize;

use crate::clock::{Clock, SystemClock};
use crate::model::{Date, LoanEvent, WatchLoans};
use db::{Append, Db, Dialect};

pub use error::{BoxError, Error, OpenError, OpenErrorKind, Result};

/// The topic of the events of loans.
const LOAN_TOPIC: &str = "loans";

/// The time for which an event is kept.
const EVENT_KEEP_TIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The result of following events.
pub type WatchResult<T> = std::result::Result<T, docent_keys::Error>;

/// Events as they are committed, each with its cursor.
pub type LoanEvents = BoxStream<'static, WatchResult<Event<LoanEvent>>>;

/// The library's storage. Cloning it is cheap; all clones share the same connections.
#[derive(Clone)]
pub struct Store {
    database: Database,
    clock: Arc<dyn Clock>,
}

#[derive(Clone)]
enum Database {
    Sqlite(sqlite::Sqlite),
    #[cfg(feature = "postgres")]
    Postgres(postgres::Postgres),
}

impl Database {
    fn open(place: &Path, clock: &Arc<dyn Clock>) -> std::result::Result<Self, OpenErrorKind> {
        match url(place) {
            None => Ok(Self::Sqlite(sqlite::Sqlite::open(place, clock.today())?)),
            #[cfg(feature = "postgres")]
            Some(url) => {
                let database = postgres::Postgres::open(url, Arc::clone(clock))?;
                Ok(Self::Postgres(database))
            }
            #[cfg(not(feature = "postgres"))]
            Some(_) => Err(OpenErrorKind::NoDriver),
        }
    }
}

/// A transaction that changes the library.
pub struct WriteTransaction<'t> {
    db: &'t Db<'t>,
    append: &'t Append<'t>,
    today: Date,
}

impl Store {
    /// Opens the library at a place with the system clock: a file, or a PostgreSQL database, whose
    /// place is a URL such as `postgres://library@localhost/library`.
    ///
    /// Creates a missing file and fills it, or an empty database, with the starting catalogue.
    /// Upgrades a library from an older version. Instances that share a database may start at the same
    /// time. If the server of a database cannot be reached, calls fail until it can, and the first one then
    /// does this.
    pub fn open(place: &Path) -> std::result::Result<Self, OpenError> {
        Self::open_with_clock(place, Arc::new(SystemClock))
    }

    /// Opens the library at a place with the given clock.
    pub fn open_with_clock(
        place: &Path,
        clock: Arc<dyn Clock>,
    ) -> std::result::Result<Self, OpenError> {
        let database =
            Database::open(place, &clock).map_err(|kind| OpenError::new(describe(place), kind))?;
        Ok(Self { database, clock })
    }

    /// Returns the store of the keys of calls, which is in the same database.
    pub fn keys(&self) -> Arc<dyn KeyStore> {
        match &self.database {
            Database::Sqlite(file) => Arc::new(file.keys.clone()),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => Arc::new(database.keys.clone()),
        }
    }

    /// Returns the same storage with room for so many keys, and for so many bytes of outcomes.
    pub fn with_room_for(mut self, keys: u64, bytes: u64) -> Self {
        match &mut self.database {
            Database::Sqlite(file) => file.keys = file.keys.clone().max_keys(keys).max_bytes(bytes),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                database.keys = database.keys.clone().max_keys(keys).max_bytes(bytes);
            }
        }
        self
    }

    /// Follows the events of all loans, in every instance: after the cursor of an event, or from now on.
    ///
    /// Fails if the database has not been reached yet.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::unused_async, reason = "only PostgreSQL is asked first")
    )]
    pub async fn watch_loans(&self, query: &WatchLoans) -> WatchResult<LoanEvents> {
        let after = query.after.as_deref();
        Ok(match &self.database {
            Database::Sqlite(file) => file.events.follow(LOAN_TOPIC, after).boxed(),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.follow(after).await?.boxed(),
        })
    }

    /// Returns today's date from the store's clock.
    pub fn today(&self) -> Date {
        self.clock.today()
    }

    /// Reads a book, which nearly every call needs, so that nothing is asked of a library without its database.
    pub fn check(&self) -> Result<()> {
        self.read(|db| db.exists("SELECT 1 FROM books LIMIT 1", &[]).map(drop))
    }

    /// Runs `work` on a snapshot of the database. All its statements see the same state.
    fn read<T>(&self, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        match &self.database {
            Database::Sqlite(file) => file.read(work),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.read(work),
        }
    }

    /// Runs `work` in a transaction that belongs to no call. It is committed if `work` succeeds, and rolled back if it
    /// fails. `work` may run several times, and only the last time counts.
    pub fn write<T>(&self, work: impl Fn(&WriteTransaction<'_>) -> Result<T>) -> Result<T> {
        let write = |db: &Db<'_>, append: &Append<'_>| work(&self.write_transaction(db, append));
        match &self.database {
            Database::Sqlite(file) => file.write(write),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.write(write),
        }
    }

    /// Does the same for a call. The outcome of a call with a key is in the same transaction as what `work` changes; see
    /// [`Cx::once`].
    pub fn once<S, U: CallerArg, T: Serialize>(
        &self,
        cx: &Cx<S, U>,
        work: impl Fn(&WriteTransaction<'_>) -> Result<T>,
    ) -> Result<Once<T>> {
        let write = |db: &Db<'_>, append: &Append<'_>| work(&self.write_transaction(db, append));
        match &self.database {
            Database::Sqlite(file) => file.once(cx, write),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.once(cx, write),
        }
    }

    fn write_transaction<'t>(
        &self,
        db: &'t Db<'t>,
        append: &'t Append<'t>,
    ) -> WriteTransaction<'t> {
        WriteTransaction {
            db,
            append,
            today: self.today(),
        }
    }

    /// Returns how the database of this store writes what is not written alike.
    fn dialect(&self) -> &'static Dialect {
        match &self.database {
            Database::Sqlite(_) => &sqlite::DIALECT,
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => &postgres::DIALECT,
        }
    }
}

/// Runs `work` in a transaction that belongs to no call.
fn without_call<D: TransactionStore, T>(
    database: &D,
    work: impl FnOnce(&D::Transaction) -> Result<T>,
) -> Result<T>
where
    Error: From<D::Error>,
{
    pollster::block_on(async {
        let BegunTransaction::New(transaction) = database.begin(None).await? else {
            return Err(Error::unexpected("an outcome without a key"));
        };
        match work(&transaction) {
            Ok(value) => {
                database.commit(transaction, None).await?;
                Ok(value)
            }
            Err(error) => {
                database.roll_back(transaction).await;
                Err(error)
            }
        }
    })
}

/// Returns the URL of a PostgreSQL database, if the place is one.
fn url(place: &Path) -> Option<&str> {
    let place = place.to_str()?;
    let is_url = ["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| place.starts_with(scheme));
    is_url.then_some(place)
}

/// Returns where the library at a place is, for people: without the password of a URL.
pub fn describe(place: &Path) -> String {
    match url(place) {
        #[cfg(feature = "postgres")]
        Some(url) => postgres::place(url),
        #[cfg(not(feature = "postgres"))]
        Some(_) => "in a PostgreSQL database".to_owned(),
        None => format!("in {}", place.display()),
    }
}
