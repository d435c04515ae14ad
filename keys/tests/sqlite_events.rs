//! Events in an SQLite file.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use docent_keys::{Error, Event, SqliteEvents};
use futures_util::{Stream, StreamExt};
use rusqlite::{Connection, TransactionBehavior};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

const DAY: Duration = Duration::from_secs(86_400);

fn database(folder: &TempDir) -> (PathBuf, Connection) {
    let path = folder.path().join("events.db");
    let connection = Connection::open(&path).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    (path, connection)
}

/// Appends an event in a transaction of its own, and commits it.
fn append(events: &SqliteEvents, connection: &mut Connection, topic: &str, value: u32) {
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .unwrap();
    events.append(&transaction, topic, &value).unwrap();
    transaction.commit().unwrap();
}

/// Lets all events become old, and waits until they are deleted.
async fn delete_all(connection: &Connection) {
    let age = "UPDATE docent_events SET at = at - 2000";
    connection.execute(age, ()).unwrap();
    let left = "SELECT count(*) FROM docent_events";
    while connection
        .query_row(left, (), |row| row.get::<_, i64>(0))
        .unwrap()
        > 0
    {
        sleep(Duration::from_millis(20)).await;
    }
}

async fn next(events: &mut (impl Stream<Item = Result<Event<u32>, Error>> + Unpin)) -> Event<u32> {
    let event = timeout(Duration::from_secs(20), events.next()).await;
    event.expect("an event").unwrap().unwrap()
}

#[tokio::test]
async fn a_reader_sees_the_events_of_its_topic_from_every_process_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut connection) = database(&folder);
    let one = SqliteEvents::open(&path, DAY).unwrap();
    let other = SqliteEvents::open(&path, DAY).unwrap();
    append(&one, &mut connection, "a", 0);
    let mut from_now = pin!(other.follow::<u32>("a", None));
    let waiting = timeout(Duration::from_millis(100), from_now.next()).await;
    assert!(waiting.is_err(), "what was before is not told");
    let rolled_back = connection.transaction().unwrap();
    one.append(&rolled_back, "a", &99).unwrap();
    drop(rolled_back);
    let mut seen = Vec::new();
    for value in 1..5 {
        append(&one, &mut connection, "b", 100 + value);
        append(&one, &mut connection, "a", value);
        let event = next(&mut from_now).await;
        assert_eq!(event.value, value);
        seen.push(event);
    }
    let mut resumed = pin!(one.follow::<u32>("a", Some(&seen[1].cursor)));
    assert_eq!(next(&mut resumed).await, seen[2]);
    assert_eq!(next(&mut resumed).await, seen[3]);
}

#[tokio::test]
async fn old_events_are_deleted_and_a_cursor_before_them_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut connection) = database(&folder);
    let events = SqliteEvents::open(path, Duration::from_secs(1_000)).unwrap();
    append(&events, &mut connection, "a", 1);
    append(&events, &mut connection, "a", 2);
    let mut reader = pin!(events.follow::<u32>("a", Some("0.0")));
    let first = next(&mut reader).await;
    let second = next(&mut reader).await;
    delete_all(&connection).await;
    let mut from_now = pin!(events.follow::<u32>("a", None));
    let waiting = timeout(Duration::from_millis(100), from_now.next()).await;
    assert!(waiting.is_err(), "all that was there is deleted");
    append(&events, &mut connection, "a", 3);
    assert_eq!(next(&mut from_now).await.value, 3);
    for cursor in ["0.0", &first.cursor, "", "nonsense", "1", "9.9.9", "0.4"] {
        let refused = pin!(events.follow::<u32>("a", Some(cursor)))
            .next()
            .await
            .unwrap();
        assert!(matches!(refused, Err(Error::CannotResume)), "{cursor}");
    }
    let mut resumed = pin!(events.follow::<u32>("a", Some(&second.cursor)));
    assert_eq!(next(&mut resumed).await.value, 3);
}

#[tokio::test]
async fn a_reader_that_is_too_slow_gets_an_error_for_the_lost_events() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mut connection) = database(&folder);
    let events = SqliteEvents::open(path, Duration::from_secs(1_000)).unwrap();
    append(&events, &mut connection, "a", 1);
    let mut reader = pin!(events.follow::<u32>("a", Some("0.0")));
    assert_eq!(next(&mut reader).await.value, 1);
    append(&events, &mut connection, "a", 2);
    delete_all(&connection).await;
    append(&events, &mut connection, "a", 3);
    let lost = reader.next().await.unwrap();
    assert!(matches!(lost, Err(Error::CannotResume)));
}
