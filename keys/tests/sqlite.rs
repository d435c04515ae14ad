//! The store in an SQLite file.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]
#![expect(
    clippy::needless_pass_by_value,
    reason = "handlers get their context by value"
)]

mod common;

use std::path::Path;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use common::{DAY, NO_ACCOUNT, Notes, Payment, Response, again, builder, done, repeatable};
use docent_core::{Cx, Fault, Once, Procedure, ResultExt, Service};
use docent_keys::{Error, SqliteKeys};
use rusqlite::{Connection, TransactionBehavior};
use tempfile::TempDir;

const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS payments (id INTEGER PRIMARY KEY, account TEXT NOT NULL)";

/// A file with the tables of the bank.
struct Database(TempDir);

impl Database {
    fn new() -> Self {
        let database = Self(tempfile::tempdir().unwrap());
        database.connect().execute_batch(TABLE).unwrap();
        database
    }

    fn path(&self) -> impl AsRef<Path> {
        self.0.path().join("bank.db")
    }

    fn connect(&self) -> Connection {
        let connection = Connection::open(self.path()).unwrap();
        connection.busy_timeout(Duration::from_secs(5)).unwrap();
        connection
    }

    fn keys(&self) -> SqliteKeys {
        SqliteKeys::open(self.path()).unwrap()
    }

    fn number(&self, sql: &str) -> i64 {
        self.connect().query_row(sql, (), |row| row.get(0)).unwrap()
    }

    fn payments(&self) -> i64 {
        self.number("SELECT count(*) FROM payments")
    }
}

/// Pays to an account, and returns the number of the payment.
fn insert(transaction: &Connection, account: &str) -> Result<i64, Fault> {
    let sql = "INSERT INTO payments (account) VALUES (?1)";
    transaction.execute(sql, [account]).internal()?;
    match account {
        "nobody" => Err(Fault::new(NO_ACCOUNT, "No such account")),
        "broken" => Err(Fault::internal("the disk is full")),
        "panic" => panic!("halfway"),
        "large" => {
            // Full at its present size.
            let full = "PRAGMA max_page_count = 1";
            transaction.execute_batch(full).internal()?;
            let long = "x".repeat(1_000_000);
            transaction.execute(sql, [long]).map_err(Error::from)?;
            Ok(0)
        }
        _ => Ok(transaction.last_insert_rowid()),
    }
}

/// Returns a bank whose handler uses a transaction of the store.
fn bank_for(keys: SqliteKeys, time: Duration, notes: &Notes) -> Service {
    let pay = |cx: Cx<SqliteKeys>, Payment { account }: Payment| {
        cx.once_blocking(cx.state(), |transaction| insert(transaction, &account))
    };
    builder()
        .key_store(keys.clone())
        .state(keys)
        .procedure(repeatable(Procedure::blocking("pay", pay), time))
        .observer(notes.clone())
        .build()
        .unwrap()
}

fn bank(keys: SqliteKeys) -> Service {
    bank_for(keys, DAY, &Notes::default())
}

fn pay(service: &Service, account: &str, key: &str) -> Response {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime
        .unwrap()
        .block_on(common::pay(service, account, key))
}

#[test]
fn a_repeated_call_is_done_once_and_gets_the_first_outcome_also_after_a_restart() {
    let database = Database::new();
    let notes = Notes::default();
    let first = pay(&bank_for(database.keys(), DAY, &notes), "ada", "k");
    assert_eq!(first, done(1));
    for _ in 0..2 {
        let restarted = bank_for(database.keys(), DAY, &notes);
        assert_eq!(pay(&restarted, "ada", "k"), again(&first));
        assert_eq!(pay(&restarted, "bob", "k").code, Some(-32010));
        assert!(!pay(&restarted, "ada", "").is_replayed);
    }
    assert_eq!(database.payments(), 3);
    // A replay is told to observers, and is no result that breaks the description.
    let reported: Vec<bool> = notes.all().iter().map(|note| note.is_replayed).collect();
    assert_eq!(reported, [false, true, false, false, true, false, false]);
    assert!(notes.all().iter().all(|note| !note.is_mismatch));
}

#[test]
fn a_full_disk_is_a_busy_error_which_is_not_kept() {
    let database = Database::new();
    for _ in 0..2 {
        let response = pay(&bank(database.keys()), "large", "k");
        assert_eq!(response.code, Some(-32002), "{response:?}");
        assert_eq!(response.value["data"]["retryAfter"], 1);
        assert!(!response.is_replayed);
    }
    assert_eq!(database.payments(), 0);
}

#[test]
fn what_fails_is_rolled_back_and_only_a_declared_error_is_kept() {
    let database = Database::new();
    let service = bank(database.keys());
    for account in ["broken", "panic"] {
        for _ in 0..2 {
            let response = pay(&service, account, account);
            assert_eq!((response.code, response.is_replayed), (Some(-32603), false));
        }
    }
    let first = pay(&service, "nobody", "n");
    assert_eq!(first.code, Some(NO_ACCOUNT));
    assert_eq!(pay(&bank(database.keys()), "nobody", "n"), again(&first));
    assert_eq!(database.payments(), 0);
}

#[test]
fn many_threads_of_two_processes_pay_once_for_each_key() {
    let database = Database::new();
    let instances = [bank(database.keys()), bank(database.keys())];
    thread::scope(|scope| {
        for number in 0..16 {
            let service = &instances[number % 2];
            scope.spawn(move || {
                for key in 0..20 {
                    let key = format!("k{key}");
                    while pay(service, "ada", &key).code == Some(-32009) {
                        thread::yield_now();
                    }
                }
            });
        }
    });
    assert_eq!(database.payments(), 20);
}

#[test]
fn a_handler_may_bring_a_transaction_of_its_own() {
    struct Bank {
        database: Mutex<Connection>,
        keys: SqliteKeys,
    }

    fn pay_within(cx: Cx<Bank>, Payment { account }: Payment) -> Result<Once<i64>, Fault> {
        let Bank { database, keys } = cx.state();
        let mut database = database.lock().unwrap();
        let transaction = database
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .internal()?;
        cx.once_blocking(&keys.within(transaction), |transaction| {
            insert(transaction, &account)
        })
    }

    let database = Database::new();
    let keys = database.keys();
    let service = builder()
        .key_store(keys.clone())
        .state(Bank {
            database: Mutex::new(database.connect()),
            keys,
        })
        .procedure(repeatable(Procedure::blocking("pay", pay_within), DAY))
        .build()
        .unwrap();
    let first = pay(&service, "ada", "k");
    assert_eq!(first, done(1));
    assert_eq!(pay(&service, "ada", "k"), again(&first));
    assert_eq!(pay(&service, "nobody", "n").code, Some(NO_ACCOUNT));
    assert!(pay(&service, "nobody", "n").is_replayed);
    assert_eq!(pay(&service, "eve", ""), done(2));
}

#[test]
fn a_full_store_refuses_new_keys_and_still_answers_repetitions() {
    let database = Database::new();
    let service = bank(database.keys().max_keys(4));
    // Calls without a known caller share half of the room.
    let kept = [pay(&service, "ada", "1"), pay(&service, "ada", "2")];
    let refused = pay(&service, "ada", "3");
    assert_eq!(refused.code, Some(-32002));
    let retry_after = refused.value["data"]["retryAfter"].as_u64().unwrap();
    assert!((86_000..=86_401).contains(&retry_after), "{retry_after}");
    assert_eq!(pay(&service, "ada", "1"), again(&kept[0]));
    assert_eq!(pay(&service, "ada", "2"), again(&kept[1]));
    assert_eq!(database.payments(), 2);
    let usage = service.key_usage().unwrap();
    assert_eq!((usage.held.keys, usage.limits.keys), (2, 4));
}

#[test]
fn expired_outcomes_take_no_room() {
    let database = Database::new();
    let service = bank(database.keys().max_keys(2));
    assert_eq!(pay(&service, "ada", "1"), done(1));
    assert_eq!(pay(&service, "ada", "2").code, Some(-32002));
    let expire = "UPDATE docent_keys SET until = until - 100000";
    database.connect().execute_batch(expire).unwrap();
    assert_eq!(pay(&service, "ada", "2"), done(2));
}

#[test]
fn an_expired_outcome_is_as_none_and_is_deleted_in_the_background() {
    let database = Database::new();
    let service = bank_for(database.keys(), Duration::from_secs(1), &Notes::default());
    assert_eq!(pay(&service, "ada", "k"), done(1));
    // The clock of the database decides, so its time is set back here.
    let expire = "UPDATE docent_keys SET until = until - 10";
    database.connect().execute_batch(expire).unwrap();
    assert_eq!(pay(&service, "ada", "k"), done(2));
    database.connect().execute_batch(expire).unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while database.number("SELECT count(*) FROM docent_keys") > 0 {
        assert!(Instant::now() < end, "expired outcomes stay");
        thread::sleep(Duration::from_millis(20));
    }
    let room = "SELECT sum(keys) + sum(bytes) + count(*) FROM docent_key_room";
    assert_eq!(database.number(room), 1, "the row of all is left");
}

#[test]
fn a_service_says_which_handler_does_not_use_the_store() {
    let database = Database::new();
    let pay = Procedure::sync("pay", |_: Cx, _: Payment| Ok::<_, Fault>(1));
    let mistake = builder()
        .key_store(database.keys())
        .procedure(repeatable(pay, DAY))
        .build()
        .unwrap_err()
        .to_string();
    assert!(
        mistake.contains("pay") && mistake.contains("cx.once"),
        "{mistake}"
    );
}

#[test]
fn a_store_within_a_transaction_serves_one_call() {
    fn pay_twice(cx: Cx<(Mutex<Connection>, SqliteKeys)>, (): ()) -> Result<Once<i64>, Error> {
        let (database, keys) = cx.state();
        let mut database = database.lock().unwrap();
        let store = keys.within(database.transaction()?);
        cx.once_blocking(&store, |_| Ok::<_, Error>(1))?;
        cx.once_blocking(&store, |_| Ok(2))
    }

    let database = Database::new();
    let state = (Mutex::new(database.connect()), database.keys());
    let twice = Procedure::blocking("twice", pay_twice);
    let service = builder().state(state).procedure(twice).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let called = runtime
        .unwrap()
        .block_on(async { service.call::<i64>("twice", &()).await });
    assert!(called.is_err());
}

#[test]
fn a_store_with_its_tables_opens_while_another_process_writes() {
    let database = Database::new();
    let other = database.connect();
    other.execute_batch(SqliteKeys::TABLES).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let connection = database.connect();
    connection.busy_timeout(Duration::ZERO).unwrap();
    SqliteKeys::new(connection).unwrap();
}
