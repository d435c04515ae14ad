//! Opens connections with the settings that the store needs.
//!
//! One connection writes and a few read: SQLite has one writer at a time, and readers do not wait for it.

use std::fs::OpenOptions;
#[cfg(unix)]
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::store::error::OpenErrorKind;

/// The time that a statement waits for another process to release the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of prepared statements that a connection caches.
///
/// A search has one statement for each combination of conditions, more than SQLite's default of a
/// dozen.
const CACHED_STATEMENTS: usize = 64;

/// Opens a connection for writing, and creates the file if there is none: for this user alone, because
/// it names the members. SQLite gives the same permissions to the files beside it. Those of a file that
/// is there are left as they are.
///
/// `check` runs before anything in the file changes.
pub(super) fn writer(
    path: &Path,
    check: impl FnOnce(&Connection) -> Result<(), OpenErrorKind>,
) -> Result<Connection, OpenErrorKind> {
    let mut file = OpenOptions::new();
    file.write(true).create_new(true);
    #[cfg(unix)]
    file.mode(0o600);
    // If it cannot be created, SQLite says why. It takes this name for a database in memory.
    if path != Path::new(":memory:") {
        let _ = file.open(path);
    }
    let connection = open(path)?;
    check(&connection)?;
    write_ahead_log(&connection)?;
    Ok(connection)
}

/// Opens a connection that can only read.
pub(super) fn reader(path: &Path) -> Result<Connection, OpenErrorKind> {
    // Not opened read-only, because the first reader of a write-ahead log may have to write its
    // index.
    let connection = open(path)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Opens a connection to a file that is there.
pub(super) fn open(path: &Path) -> Result<Connection, OpenErrorKind> {
    // Without SQLITE_OPEN_URI, any path is a plain path, even one that looks like a URI.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// Switches the file to a write-ahead log, which is permanent.
fn write_ahead_log(connection: &Connection) -> Result<(), OpenErrorKind> {
    let start = Instant::now();
    loop {
        let answer = connection
            .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0));
        match answer {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(_) => return Err(OpenErrorKind::NoWriteAheadLog),
            // When two processes switch the same file at once, SQLite reports "busy" to one of them
            // without waiting, because waiting could deadlock.
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && start.elapsed() < BUSY_TIMEOUT =>
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a panic fails the test")]
mod tests {
    use super::{reader, writer};

    #[test]
    fn connections_wait_for_the_disk_and_readers_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let writer = writer(&path, |_| Ok(())).unwrap();
        let reader = reader(&path).unwrap();
        for connection in [&writer, &reader] {
            let setting = |name| -> i64 {
                connection
                    .pragma_query_value(None, name, |row| row.get(0))
                    .unwrap()
            };
            assert_eq!(setting("synchronous"), 2, "2 is FULL");
            assert_eq!(setting("foreign_keys"), 1);
            assert_eq!(setting("busy_timeout"), 5_000);
        }
        writer.execute_batch("CREATE TABLE t (x)").unwrap();
        assert!(reader.execute_batch("INSERT INTO t VALUES (1)").is_err());
    }
}
