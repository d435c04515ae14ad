//! The library's storage: one SQLite file, or a PostgreSQL database.
//!
//! The rules of lending and all statements stand here once, for both. `db` is the transaction they
//! run in. What each database promises, and how, is in `sqlite` and `postgres`.
//!
//! **Nothing is done twice.** The outcome of a call with a key is in the same transaction as what the
//! call has changed. See `keys`.
//!
//! Every function here blocks.

mod authors;
mod books;
mod db;
mod error;
mod filter;
mod find;
mod fold;
mod keys;
mod loans;
mod members;
mod once;
mod pool;
#[cfg(feature = "postgres")]
mod postgres;
mod seed;
mod sqlite;
mod stats;
mod value;

use std::path::Path;
use std::sync::Arc;

use docent::{CallerArg, Cx, KeyRoom, RunningKey};

use crate::clock::{Clock, SystemClock};
use crate::model::Date;
use db::{Db, Dialect};
use keys::{Claims, Lock};

pub use error::{BoxError, Error, OpenError, OpenErrorKind, Result};

/// The library's storage. Cloning it is cheap; all clones share the same connections.
#[derive(Clone)]
pub struct Store {
    database: Arc<Database>,
    clock: Arc<dyn Clock>,
    claims: Arc<Claims>,
    /// The room for outcomes.
    room: KeyRoom,
    /// The key of the call that this is for, if it has one.
    key: Option<Arc<RunningKey>>,
}

enum Database {
    Sqlite(sqlite::Sqlite),
    #[cfg(feature = "postgres")]
    Postgres(Box<postgres::Postgres>),
}

impl Store {
    /// Opens the library at a place with the system clock: a file, or a PostgreSQL database, whose
    /// place is a URL that starts with `postgres://`.
    ///
    /// Creates a missing file and fills it, or an empty database, with the starting catalogue.
    /// Upgrades a library from an older version.
    pub fn open(place: &Path) -> std::result::Result<Self, OpenError> {
        let clock = Arc::new(SystemClock);
        match url(place) {
            Some(url) => Self::connect(url, clock),
            None => Self::open_with_clock(place, clock),
        }
    }

    /// Opens the library in the file `path` with the given clock.
    pub fn open_with_clock(
        path: &Path,
        clock: Arc<dyn Clock>,
    ) -> std::result::Result<Self, OpenError> {
        let file = sqlite::Sqlite::open(path, clock.today())
            .map_err(|kind| OpenError::new(path.display().to_string(), kind))?;
        Ok(Self::new(Database::Sqlite(file), clock))
    }

    /// Opens the library in the PostgreSQL database at `url`, a URL such as
    /// `postgres://library@localhost/library`, with the given clock.
    ///
    /// Fills an empty database with the starting catalogue. Upgrades one from an older version.
    /// Instances that share a database may start at the same time.
    #[cfg(feature = "postgres")]
    pub fn connect(url: &str, clock: Arc<dyn Clock>) -> std::result::Result<Self, OpenError> {
        let database = postgres::Postgres::open(url, clock.today())
            .map_err(|kind| OpenError::new(postgres::place(url), kind))?;
        Ok(Self::new(Database::Postgres(database.into()), clock))
    }

    #[cfg(not(feature = "postgres"))]
    fn connect(_: &str, _: Arc<dyn Clock>) -> std::result::Result<Self, OpenError> {
        let place = "in a PostgreSQL database".to_owned();
        Err(OpenError::new(place, OpenErrorKind::NoDriver))
    }

    fn new(database: Database, clock: Arc<dyn Clock>) -> Self {
        Self {
            database: Arc::new(database),
            clock,
            claims: Arc::default(),
            room: keys::ROOM,
            key: None,
        }
    }

    /// Returns the same storage for the write of a call, which keeps the outcome of a call with a key
    /// together with what it changes.
    pub fn for_call<S: Send + Sync, U: CallerArg>(&self, cx: &Cx<S, U>) -> Self {
        Self {
            key: cx.running_key().cloned(),
            ..self.clone()
        }
    }

    /// Returns today's date from the store's clock.
    pub fn today(&self) -> Date {
        self.clock.today()
    }

    /// Runs `work` on a snapshot of the database. All its statements see the same state.
    fn read<T>(&self, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        match &*self.database {
            Database::Sqlite(file) => file.read(work),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.read(work),
        }
    }

    /// Runs `work` in a transaction that is committed if `work` succeeds, and rolled back if it
    /// fails. It may run several times, and only the last time counts.
    ///
    /// `named` says that `work` recognises a request that was carried out before, so that it may be
    /// repeated even if the outcome of a commit is unknown.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(unused_variables, reason = "a commit to a file has an outcome")
    )]
    fn write<T>(&self, named: bool, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        match &*self.database {
            Database::Sqlite(file) => file.write(work),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.write(named, work),
        }
    }

    /// Returns how other instances are kept from claiming the same key. A file needs nothing for that:
    /// there is one writer at a time, and it is rolled back if the key has an outcome.
    fn lock(&self) -> Option<&dyn Lock> {
        match &*self.database {
            Database::Sqlite(_) => None,
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => Some(database.locks()),
        }
    }

    /// Returns how the database of this store writes what is not written alike.
    fn dialect(&self) -> &'static Dialect {
        match &*self.database {
            Database::Sqlite(_) => &sqlite::DIALECT,
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => &postgres::DIALECT,
        }
    }
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
