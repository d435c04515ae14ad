//! The program is ready only while it has its database.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::database::Database;
use crate::http::{Client, TOKEN, call};
use crate::started::Started;
use crate::support::Library;

/// The code of the error that may pass.
const DATABASE_BUSY: i64 = 1503;

fn start(database: &Database) -> Started {
    Started::new(&database.place(), &["--token", TOKEN])
}

fn wait_for_status(started: &Started, status: u16) {
    let client = Client::new(started.address);
    let end = Instant::now() + Duration::from_secs(30);
    while client.send("GET", "/health", "").status != status {
        assert!(Instant::now() < end, "the status is not {status}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Adds a member. Returns the code of the error.
fn failure_of_a_write(client: Client<'_>) -> i64 {
    let admit = call("member.add", &json!(["Tove Berg"]), 1);
    client.post(&admit).error().0
}

#[test]
fn without_its_database_it_is_not_ready_and_then_it_is_again() {
    let library = Library::new();
    let started = start(&library.database);
    let client = Client::new(started.address);
    wait_for_status(&started, 200);
    library.database.shut();
    let read = client.get("stats");
    assert_eq!((read.status, read.error().0), (503, DATABASE_BUSY));
    assert_eq!(failure_of_a_write(client), DATABASE_BUSY);
    wait_for_status(&started, 503);
    library.database.reopen();
    wait_for_status(&started, 200);
    client.call("member.add", &json!(["Tove Berg"]));
}

#[test]
fn it_starts_without_its_database_and_is_ready_once_that_is_there() {
    let database = Database::empty();
    database.shut();
    let started = start(&database);
    let client = Client::new(started.address);
    wait_for_status(&started, 503);
    assert_eq!(client.get("stats").error().0, DATABASE_BUSY);
    assert_eq!(failure_of_a_write(client), DATABASE_BUSY);
    database.reopen();
    wait_for_status(&started, 200);
    client.call("member.add", &json!(["Tove Berg"]));
    assert!(client.call("stats", &json!({}))["books"].as_u64() > Some(0));
}

#[test]
fn it_is_never_ready_with_a_database_of_something_else_and_says_so_to_callers() {
    let database = Database::empty();
    database.execute("CREATE TABLE notes (text text)");
    database.shut();
    let started = start(&database);
    wait_for_status(&started, 503);
    database.reopen();
    let client = Client::new(started.address);
    let end = Instant::now() + Duration::from_secs(30);
    while client.get("stats").error().0 != docent::code::INTERNAL_ERROR {
        assert!(Instant::now() < end, "no error that stays");
        thread::sleep(Duration::from_millis(50));
    }
    wait_for_status(&started, 503);
}

#[test]
fn while_nothing_can_be_written_it_is_ready_and_writes_fail_with_the_error_that_may_pass() {
    let library = Library::new();
    let running = start(&library.database);
    library.database.forbid_writes();
    let new = start(&library.database);
    for started in [&running, &new] {
        let client = Client::new(started.address);
        wait_for_status(started, 200);
        assert_eq!(client.get("stats").status, 200);
        assert_eq!(failure_of_a_write(client), DATABASE_BUSY);
    }
    library.database.allow_writes();
    for started in [&running, &new] {
        let client = Client::new(started.address);
        client.call("member.add", &json!(["Tove Berg"]));
    }
}

#[test]
fn what_keeps_the_server_from_writing_for_a_while_is_the_error_that_may_pass() {
    let library = Library::new();
    let started = start(&library.database);
    let client = Client::new(started.address);
    library.database.execute(
        "CREATE TABLE failure (state text NOT NULL); INSERT INTO failure VALUES ('25006'); \
         CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ \
         DECLARE failing text := (SELECT state FROM failure); \
         BEGIN RAISE EXCEPTION 'not now' USING ERRCODE = failing; END $$; \
         CREATE TRIGGER failing BEFORE INSERT ON members FOR EACH ROW EXECUTE FUNCTION fail()",
    );
    // Read-only, a full disk, no memory, too many connections, a server that stops or starts.
    for state in [
        "25006", "53100", "53200", "53300", "57P01", "57P02", "57P03",
    ] {
        let fails = format!("UPDATE failure SET state = '{state}'");
        library.database.execute(&fails);
        assert_eq!(failure_of_a_write(client), DATABASE_BUSY, "{state}");
    }
    // A mistake in a statement.
    library
        .database
        .execute("UPDATE failure SET state = '42601'");
    assert_eq!(failure_of_a_write(client), docent::code::INTERNAL_ERROR);
}
