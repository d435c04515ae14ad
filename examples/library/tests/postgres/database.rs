//! Stores for tests, each in a database of its own on one PostgreSQL server.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use library::clock::{Clock, FixedClock};
use library::model::Date;
use library::store::Store;
use postgres::{Client, NoTls};

/// The statement that makes all events older than they are kept.
pub(crate) const LET_EVENTS_AGE: &str = "UPDATE docent_events SET at = at - interval '8 days'";

/// A database that is removed with this.
pub(crate) struct Database {
    name: String,
    is_made: OnceLock<()>,
}

/// The days of the libraries that new databases are copied from, which is faster than filling them.
static FILLED: Mutex<Option<HashSet<Date>>> = Mutex::new(None);

/// Returns the address of a database on the server that was started for these tests.
fn url(database: &str) -> String {
    let server = std::env::var("LIBRARY_POSTGRES");
    let server = server.expect("LIBRARY_POSTGRES: run `cargo xtask postgres`");
    // A transaction of a test may wait long for another thread.
    format!("{server}/{database}?options=-c%20idle_in_transaction_session_timeout%3D60000")
}

fn run(database: &str, statement: &str) {
    let mut client = Client::connect(&url(database), NoTls).unwrap();
    client.batch_execute(statement).unwrap();
}

/// Fills a library as it was on its first day, once. Returns the name of its database.
fn filled(today: Date) -> String {
    let name = format!("filled_{}", today.to_string().replace('-', "_"));
    let mut filled = FILLED.lock().unwrap();
    if filled.get_or_insert_default().insert(today) {
        run("postgres", &format!("CREATE DATABASE {name}"));
        let clock = Arc::new(FixedClock(today));
        drop(Store::open_with_clock(url(&name).as_ref(), clock).unwrap());
    }
    name
}

impl Database {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        Self {
            name: format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed)),
            is_made: OnceLock::new(),
        }
    }

    /// Creates a database without a library.
    pub(crate) fn empty() -> Self {
        let database = Self::new();
        database.is_made.get_or_init(|| {
            run("postgres", &format!("CREATE DATABASE {}", database.name));
        });
        database
    }

    pub(crate) fn url(&self) -> String {
        url(&self.name)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns what the program is told with `--database`.
    pub(crate) fn place(&self) -> PathBuf {
        self.url().into()
    }

    /// Opens the library in it. The first time, that creates it.
    pub(crate) fn open(&self, clock: Arc<dyn Clock>) -> Store {
        self.is_made.get_or_init(|| {
            let (name, filled) = (&self.name, filled(clock.today()));
            run(
                "postgres",
                &format!("CREATE DATABASE {name} TEMPLATE {filled}"),
            );
        });
        Store::open_with_clock(&self.place(), clock).unwrap()
    }

    pub(crate) fn client(&self) -> Client {
        Client::connect(&self.url(), NoTls).unwrap()
    }

    /// Runs a statement as another program does.
    pub(crate) fn execute(&self, statement: &str) {
        run(&self.name, statement);
    }

    /// Ends all connections to this database, and lets no program connect.
    pub(crate) fn shut(&self) {
        let name = &self.name;
        run(
            "postgres",
            &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"),
        );
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname";
        run("postgres", &format!("{cut} = '{name}'"));
    }

    /// Lets programs connect again.
    pub(crate) fn reopen(&self) {
        let name = &self.name;
        run(
            "postgres",
            &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true"),
        );
    }

    /// Lets programs only read.
    pub(crate) fn forbid_writes(&self) {
        self.set_read_only("true");
    }

    /// Lets programs write again.
    pub(crate) fn allow_writes(&self) {
        self.set_read_only("false");
    }

    fn set_read_only(&self, value: &str) {
        let name = &self.name;
        run(
            "postgres",
            &format!("ALTER DATABASE {name} SET default_transaction_read_only = {value}"),
        );
        // It holds for new connections.
        self.cut_connections();
    }

    /// Ends all other connections to this database. Returns how many there were.
    pub(crate) fn cut_connections(&self) -> i64 {
        let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        self.client().query_one(cut, &[]).unwrap().get(0)
    }

    /// Returns how many outcomes of calls with keys are kept.
    pub(crate) fn outcomes(&self) -> i64 {
        let count = "SELECT count(*) FROM docent_keys";
        self.client().query_one(count, &[]).unwrap().get(0)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // The server is removed after the tests, so what is left here does no harm.
        if let Ok(mut client) = Client::connect(&url("postgres"), NoTls) {
            let name = &self.name;
            let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}
