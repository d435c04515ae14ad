//! The schema and its migrations.
//!
//! `PRAGMA user_version` counts the migrations applied to a file. They run in one transaction,
//! together with the seeding of a new file, so a kill cannot leave an intermediate state. A
//! released migration is never edited; each change is a new one.

use docent_keys::SqliteKeys;
use rusqlite::{Connection, TransactionBehavior};

use crate::model::Date;
use crate::store::error::{OpenErrorKind, Result};
use crate::store::seed;

/// The migrations in order.
const MIGRATIONS: [&str; 6] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    SqliteKeys::TABLES,
    include_str!("schema/6.sql"),
];

/// Marks the file as a library for `file` and for this program: "Libr".
const APPLICATION_ID: u32 = 0x4c69_6272;

/// Rejects a file that is not a library or that a newer program wrote, without changing it.
pub(super) fn check(connection: &Connection) -> std::result::Result<(), OpenErrorKind> {
    // One snapshot, because another process may be creating the library at the same time.
    let connection = &connection.unchecked_transaction()?;
    let id: u32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let found = version(connection)?;
    if id == APPLICATION_ID {
        let known = latest();
        return if found > known {
            Err(OpenErrorKind::TooNew { found, known })
        } else {
            Ok(())
        };
    }
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if id == 0 && found == 0 && tables == 0 {
        Ok(())
    } else {
        Err(OpenErrorKind::NotALibrary)
    }
}

/// Creates and fills a new database, or upgrades an older one.
pub(super) fn prepare(connection: &mut Connection, today: Date) -> Result<()> {
    // Checked before the lock is taken, so that opening an up-to-date file never waits for a
    // writer.
    if version(connection)? == latest() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Checked again under the lock, because another process may have been faster.
    let from = version(&transaction)?;
    for migration in MIGRATIONS.iter().skip(from as usize) {
        transaction.execute_batch(migration)?;
    }
    if from == 0 {
        seed::fill(&*transaction, today)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    transaction.pragma_update(None, "user_version", latest())?;
    transaction.commit()?;
    Ok(())
}

fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn latest() -> u32 {
    u32::try_from(MIGRATIONS.len()).expect("a handful")
}
