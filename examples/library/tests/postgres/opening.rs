//! Opens databases that are new, old, foreign or not there.

use std::sync::Arc;
use std::thread;

use library::clock::SystemClock;
use library::model::{AddMember, Card, GetStats};
use library::store::{Error, OpenErrorKind, Store};

use crate::database::Database;
use crate::support::Writes;

fn refused(url: &str) -> library::store::OpenError {
    Store::open(url.as_ref()).err().unwrap()
}

#[test]
fn instances_that_start_at_once_fill_the_database_once() {
    let database = Database::empty();
    let books: Vec<_> = thread::scope(|scope| {
        let instances: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let store = database.open(Arc::new(SystemClock));
                    store.stats(&GetStats::default()).unwrap().books
                })
            })
            .collect();
        instances
            .into_iter()
            .map(|instance| instance.join().unwrap())
            .collect()
    });
    let other = Database::new();
    let store = other.open(Arc::new(SystemClock));
    let expected = store.stats(&GetStats::default()).unwrap().books;
    assert_eq!(books, [expected; 4]);
}

#[test]
fn a_database_of_something_else_is_left_as_it_is() {
    let database = Database::empty();
    let mut client = database.client();
    client
        .batch_execute("CREATE TABLE notes (text text)")
        .unwrap();
    let error = refused(&database.url());
    assert!(
        matches!(error.kind(), OpenErrorKind::NotALibrary),
        "{error}"
    );
    let tables: i64 = client
        .query_one(
            "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()",
            &[],
        )
        .unwrap()
        .get(0);
    assert_eq!(tables, 1);
}

#[test]
fn a_database_of_a_newer_program_is_left_as_it_is() {
    let database = Database::new();
    drop(database.open(Arc::new(SystemClock)));
    let newer = "UPDATE library SET version = 99";
    database.client().batch_execute(newer).unwrap();
    let error = refused(&database.url());
    assert!(
        matches!(
            error.kind(),
            OpenErrorKind::TooNew {
                found: 99,
                known: 8
            }
        ),
        "{error}"
    );
}

#[test]
fn cards_of_an_older_database_stay_as_they_are_and_new_ones_go_on_after_the_largest() {
    let database = Database::new();
    let clock = Arc::new(SystemClock);
    let ada = Card("L000001".to_owned());
    let before = database.open(clock.clone()).member(&ada).unwrap().member;
    // As it was with three migrations, with gaps.
    let older = "DROP VIEW outcomes, room; \
                 DROP TABLE docent_keys, docent_key_room, docent_key_changes; \
                 DROP FUNCTION docent_key_changed, unixepoch; \
                 CREATE TABLE outcomes (caller text COLLATE \"C\", key text COLLATE \"C\", \
                 fingerprint text NOT NULL, result text NOT NULL, until text COLLATE \"C\" NOT NULL, \
                 error bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0, \
                 PRIMARY KEY (caller, key)); \
                 CREATE INDEX outcomes_by_day ON outcomes (until, bytes); \
                 ALTER TABLE members ALTER COLUMN id DROP IDENTITY; UPDATE library SET version = 3; \
                 INSERT INTO outcomes (caller, key, fingerprint, result, bytes, until) \
                 VALUES ('', 'a', 'f', '1', 300, '2124-02-29'); \
                 INSERT INTO members (id, card, name, joined) \
                 VALUES (999999, 'L999999', 'Last', '2024-01-01')";
    database.client().batch_execute(older).unwrap();
    let store = database.open(clock.clone());
    let add = |name: &str| {
        let name = name.to_owned();
        store.add_member(&AddMember { name }).unwrap()
    };
    assert_eq!(add("First").card, Card("L1000000".to_owned()));
    // Opening it once more changes nothing.
    drop(database.open(clock));
    assert_eq!(add("Second").card, Card("L1000001".to_owned()));
    assert_eq!(store.member(&ada).unwrap().member, before);
    let last = store.member(&Card("L999999".to_owned())).unwrap();
    assert_eq!(last.member.name, "Last");
    // Outcomes are kept to the end of their day, and counted.
    let counted = "SELECT keys, bytes, until FROM docent_key_room AS room \
                   JOIN docent_keys USING (bytes) WHERE room.caller = '*'";
    let row = database.client().query_one(counted, &[]).unwrap();
    let counted: [i64; 3] = std::array::from_fn(|column| row.get(column));
    assert_eq!(counted, [1, 300, 4_864_924_800]);
}

#[test]
fn an_instance_of_an_older_version_goes_on_with_the_same_outcomes() {
    let database = Database::new();
    drop(database.open(Arc::new(SystemClock)));
    let mut client = database.client();
    let mut find = |table: &str, key: &str| {
        let find = format!("SELECT result FROM {table} WHERE key = $1 AND until > unixepoch()");
        let row = client.query_one(&find, &[&key]).unwrap();
        row.get::<_, String>(0)
    };
    // As an instance with five migrations does it.
    database.execute(
        "INSERT INTO outcomes (caller, key, fingerprint, result, error, bytes, until) \
         VALUES ('', 'older', 'f', '1', 0, 300, unixepoch() + 60) \
         ON CONFLICT (caller, key) DO UPDATE SET fingerprint = excluded.fingerprint, \
         result = excluded.result, error = excluded.error, bytes = excluded.bytes, \
         until = excluded.until WHERE outcomes.until <= unixepoch() RETURNING 1",
    );
    database.execute(
        "INSERT INTO docent_keys (caller, key, fingerprint, result, error, bytes, until) \
         VALUES ('', 'newer', 'f', '2', 0, 400, unixepoch() + 60)",
    );
    assert_eq!(find("docent_keys", "older"), "1");
    assert_eq!(find("outcomes", "newer"), "2");
    database.execute(
        "DELETE FROM outcomes WHERE until <= unixepoch(); \
         SELECT sum(keys), sum(bytes) FROM room WHERE caller = '*'; \
         WITH gone AS (DELETE FROM room WHERE caller IN \
         (SELECT caller FROM room GROUP BY caller HAVING count(*) > 1) RETURNING *) \
         INSERT INTO room SELECT caller, sum(keys), sum(bytes) FROM gone \
         GROUP BY caller HAVING sum(keys) <> 0",
    );
    assert_eq!(find("outcomes", "older"), "1");
}

#[test]
fn a_store_opens_without_its_server_and_calls_fail_until_it_is_there() {
    for url in [
        "postgres://reader:friend@127.0.0.1:1/books",
        "postgres://reader:friend@%2Fno%2Fsuch%2Ffolder/books",
    ] {
        let store = Store::open(url.as_ref()).unwrap();
        let error = store.stats(&GetStats::default()).unwrap_err();
        assert!(matches!(error, Error::Disconnected(_)), "{error}");
        let text = format!("{error} {error:?}");
        assert!(!text.contains("friend"), "{text}");
    }
}

#[test]
fn a_url_that_cannot_be_read_is_refused_without_its_password() {
    let error = refused("postgres://reader:friend@127.0.0.1:port/books");
    assert!(matches!(error.kind(), OpenErrorKind::Failed(_)), "{error}");
    let text = format!("{error} {error:?}");
    assert!(!text.contains("friend"), "{text}");
}
