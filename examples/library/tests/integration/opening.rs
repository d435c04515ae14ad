//! Opens files that are new, old, foreign or in use.

use std::fs;
use std::time::Duration;

use library::model::{AddMember, FindBooks, GetStats};
use library::store::{Error, OpenErrorKind, Store};
use rusqlite::Connection;

use crate::support::{Library, Writes};

#[test]
fn a_file_that_is_something_else_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "Buy milk. ".repeat(500)).unwrap();
    let other = folder.path().join("other.db");
    Connection::open(&other)
        .unwrap()
        .execute_batch("CREATE TABLE notes (text)")
        .unwrap();
    for path in [text, other] {
        let before = fs::read(&path).unwrap();
        let error = Store::open(&path).err().unwrap();
        assert!(
            matches!(error.kind(), OpenErrorKind::NotALibrary),
            "{error}"
        );
        let place = path.display().to_string();
        assert!(error.to_string().contains(&place), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[cfg(unix)]
#[test]
fn the_files_of_a_new_database_are_for_this_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let mode = |name: &str| {
        let file = fs::metadata(folder.path().join(name)).unwrap();
        file.permissions().mode() & 0o777
    };
    let path = folder.path().join("library.db");
    let store = Store::open(&path).unwrap();
    store.find_books(&FindBooks::default()).unwrap();
    for name in ["library.db", "library.db-wal", "library.db-shm"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    drop(store);
    // A mode that somebody has chosen stays.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let _store = Store::open(&path).unwrap();
    assert_eq!(mode("library.db"), 0o640);
}

#[test]
fn a_file_of_a_newer_program_is_left_as_it_is() {
    let library = Library::new();
    let path = library.database.path();
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let error = Store::open(&path).err().unwrap();
    assert!(
        matches!(
            error.kind(),
            OpenErrorKind::TooNew {
                found: 99,
                known: 6
            }
        ),
        "{error}"
    );
}

#[test]
fn a_place_where_no_file_can_be_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let error = Store::open(&folder.path().join("no/such/folder.db"))
        .err()
        .unwrap();
    assert!(matches!(error.kind(), OpenErrorKind::Failed(_)), "{error}");
    assert!(error.to_string().contains("folder.db"), "{error}");
    let error = Store::open(folder.path()).err().unwrap();
    assert!(matches!(error.kind(), OpenErrorKind::Failed(_)), "{error}");
    let error = Store::open(":memory:".as_ref()).err().unwrap();
    assert!(
        matches!(error.kind(), OpenErrorKind::NoWriteAheadLog),
        "{error}"
    );
}

#[test]
fn a_writer_that_waits_too_long_says_so_and_readers_do_not_wait() {
    let library = Library::new();
    let other = Connection::open(library.database.path()).unwrap();
    other.busy_timeout(Duration::ZERO).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();

    library.store.find_books(&FindBooks::default()).unwrap();
    let again = library.again();
    again.stats(&GetStats::default()).unwrap();
    let request = AddMember {
        name: "Late".to_owned(),
    };
    assert!(matches!(
        library.store.add_member(&request),
        Err(Error::Busy)
    ));

    other.execute_batch("ROLLBACK").unwrap();
    library.store.add_member(&request).unwrap();
}

#[test]
fn the_file_is_kept_as_the_store_promises() {
    let library = Library::new();
    let db = Connection::open(library.database.path()).unwrap();
    let mode: String = db
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
    // The schema must also reject what the code never does.
    let lend =
        "INSERT INTO loans (copy, member, lent, due) VALUES (1, 1, '2024-01-01', '2024-01-02')";
    db.execute("UPDATE loans SET returned = lent WHERE copy = 1", [])
        .unwrap();
    db.execute(lend, []).unwrap();
    assert!(db.execute(lend, []).is_err(), "a copy on two open loans");
}

#[test]
fn outcomes_of_an_older_file_are_kept_to_the_end_of_their_day_and_counted() {
    let library = Library::new();
    // As it was with three migrations.
    library.database.execute(
        "DROP TABLE docent_keys; DROP TABLE docent_key_room; \
         CREATE TABLE outcomes (caller TEXT NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, \
         result TEXT NOT NULL, until TEXT NOT NULL, error INTEGER NOT NULL DEFAULT 0, \
         bytes INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (caller, key)) STRICT, WITHOUT ROWID; \
         CREATE INDEX outcomes_by_day ON outcomes (until, bytes); \
         INSERT INTO outcomes (caller, key, fingerprint, result, bytes, until) \
         VALUES ('', 'a', 'f', '1', 300, '2124-02-29'), ('=anna', 'a', 'f', '1', 400, '2124-02-28'); \
         PRAGMA user_version = 3",
    );
    drop(library.again());
    let file = Connection::open(library.database.path()).unwrap();
    let read = |sql: &str| {
        let mut statement = file.prepare(sql).unwrap();
        statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .unwrap()
            .collect::<Result<Vec<(String, i64, i64)>, _>>()
            .unwrap()
    };
    let march: i64 = 4_864_924_800;
    let until = read("SELECT caller, until, bytes FROM docent_keys ORDER BY caller");
    let expected = [("", march, 300), ("=anna", march - 86_400, 400)];
    assert_eq!(
        until,
        expected.map(|(who, until, bytes)| (who.to_owned(), until, bytes))
    );
    let room = read("SELECT caller, keys, bytes FROM docent_key_room ORDER BY caller");
    let expected = [("", 1, 300), ("*", 2, 700), ("=anna", 1, 400)];
    assert_eq!(
        room,
        expected.map(|(who, keys, bytes)| (who.to_owned(), keys, bytes))
    );
}
