//! Events that are committed with writes, and read in order by every instance.

use std::pin::pin;
use std::time::Duration;

use deadpool_postgres::ClientWrapper;
use docent_keys::{Error, Event, PostgresEvents};
use futures_util::{Stream, StreamExt};
use tokio::time::timeout;
use tokio_postgres::NoTls;

use crate::common::DAY;
use crate::database::Database;

async fn next(events: &mut (impl Stream<Item = Result<Event<u32>, Error>> + Unpin)) -> Event<u32> {
    let event = timeout(Duration::from_secs(20), events.next()).await;
    event.expect("an event").unwrap().unwrap()
}

/// Appends an event in a transaction of its own, and commits it.
async fn append(events: &PostgresEvents, client: &ClientWrapper, topic: &str, value: u32) {
    client.batch_execute("BEGIN").await.unwrap();
    events.append(client, topic, &value).await.unwrap();
    client.batch_execute("COMMIT").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_sees_the_events_of_its_topic_from_every_instance_in_order() {
    let database = Database::new().await;
    let one = PostgresEvents::new(database.pool(), DAY);
    let other = PostgresEvents::new(database.pool(), DAY);
    let client = database.pool().get().await.unwrap();
    append(&one, &client, "a", 0).await;
    // Transactions in other databases of the server may delay it.
    let mut from_start = pin!(one.follow::<u32>("a", Some("0.0")));
    assert_eq!(next(&mut from_start).await.value, 0);
    let mut from_now = pin!(
        other
            .listen(database.config(), NoTls)
            .follow::<u32>("a", None)
    );
    let waiting = timeout(Duration::from_millis(100), from_now.next()).await;
    assert!(waiting.is_err(), "what was before is not told");
    for value in 1..5 {
        append(&one, &client, "b", 100 + value).await;
        append(&one, &client, "a", value).await;
    }
    let mut seen = Vec::new();
    for value in 1..5 {
        let event = next(&mut from_now).await;
        assert_eq!(event.value, value);
        seen.push(event);
    }
    let cursor = Some(&*seen[1].cursor);
    let mut resumed = pin!(one.follow::<u32>("a", cursor));
    assert_eq!(next(&mut resumed).await, seen[2]);
    assert_eq!(next(&mut resumed).await, seen[3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_event_is_missed_whichever_transaction_commits_first() {
    let database = Database::new().await;
    let events = PostgresEvents::new(database.pool(), DAY);
    let mut reader = pin!(events.follow::<u32>("a", Some("0.0")));
    let pool = database.pool();
    let slow = pool.get().await.unwrap();
    let rolled_back = pool.get().await.unwrap();
    for (client, value) in [(&slow, 1), (&rolled_back, 2)] {
        client.batch_execute("BEGIN").await.unwrap();
        events.append(client, "a", &value).await.unwrap();
    }
    let fast = pool.get().await.unwrap();
    append(&events, &fast, "a", 3).await;
    let early = timeout(Duration::from_millis(300), reader.next()).await;
    assert!(early.is_err(), "an earlier event may still come");
    rolled_back.batch_execute("ROLLBACK").await.unwrap();
    slow.batch_execute("COMMIT").await.unwrap();
    assert_eq!(next(&mut reader).await.value, 1);
    assert_eq!(next(&mut reader).await.value, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_lose_and_repeat_nothing_for_a_reader_that_comes_and_goes() {
    const WRITERS: u32 = 4;
    const EACH: u32 = 50;
    let database = Database::new().await;
    let events = PostgresEvents::new(database.pool(), DAY).listen(database.config(), NoTls);
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let events = events.clone();
        let pool = database.pool();
        writers.spawn(async move {
            for number in 0..EACH {
                let client = pool.get().await.unwrap();
                append(&events, &client, "a", writer * EACH + number).await;
            }
        });
    }
    let mut cursor = "0.0".to_owned();
    let mut seen = Vec::new();
    while seen.len() < (WRITERS * EACH) as usize {
        let mut reader = pin!(events.follow::<u32>("a", Some(&cursor)));
        // It comes back now and then, as a caller that loses its connection.
        for _ in 0..7.min((WRITERS * EACH) as usize - seen.len()) {
            let event = next(&mut reader).await;
            cursor = event.cursor;
            seen.push(event.value);
        }
    }
    writers.join_all().await;
    seen.sort_unstable();
    assert_eq!(seen, (0..WRITERS * EACH).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn old_events_are_deleted_and_a_cursor_before_them_is_refused() {
    let database = Database::new().await;
    let events = PostgresEvents::new(database.pool(), Duration::from_secs(1_000));
    let client = database.pool().get().await.unwrap();
    append(&events, &client, "a", 1).await;
    append(&events, &client, "a", 2).await;
    let mut reader = pin!(events.follow::<u32>("a", Some("0.0")));
    let first = next(&mut reader).await;
    let second = next(&mut reader).await;
    let age = "UPDATE docent_events SET at = at - interval '2000 seconds'";
    database.execute(age).await;
    crate::wait_for(&database, "SELECT count(*) FROM docent_events", 0).await;
    let mut from_now = pin!(events.follow::<u32>("a", None));
    let waiting = timeout(Duration::from_millis(100), from_now.next()).await;
    assert!(waiting.is_err(), "all that was there is deleted");
    append(&events, &client, "a", 3).await;
    assert_eq!(next(&mut from_now).await.value, 3);
    let another = format!("{}.1", i64::MAX);
    for cursor in ["0.0", &first.cursor, "", "nonsense", "1", "9.9.9", &another] {
        let refused = pin!(events.follow::<u32>("a", Some(cursor)))
            .next()
            .await
            .unwrap();
        assert!(matches!(refused, Err(Error::CannotResume)), "{cursor}");
    }
    let mut resumed = pin!(events.follow::<u32>("a", Some(&second.cursor)));
    assert_eq!(next(&mut resumed).await.value, 3);
}
