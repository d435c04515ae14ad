//! The schema and its migrations.
//!
//! The table `library` counts the migrations applied. They run in one transaction, together with the
//! seeding of a new database, so a kill cannot leave an intermediate state. A released migration is
//! never edited; each change is a new one.

use postgres::{Client, Transaction};

use super::transaction::{self, Prepared};
use crate::model::Date;
use crate::store::db::Statements;
use crate::store::error::{Error, OpenErrorKind};
use crate::store::seed;

/// The migrations in order.
const MIGRATIONS: [&str; 5] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
];

/// The lock that one instance holds while it creates or upgrades the tables: "Libr".
const MIGRATION_LOCK: i64 = 0x4c69_6272;

/// The time that an instance waits for another that creates or upgrades the tables, in milliseconds.
const MIGRATION_TIMEOUT_MS: u32 = 60_000;

/// Creates and fills a new database, or upgrades an older one. Refuses one that is not a library's
/// or that a newer program wrote, without changing it.
pub(super) fn prepare(client: &mut Client, today: Date) -> Result<(), OpenErrorKind> {
    let mut transaction = client.transaction().map_err(Error::from)?;
    let from = locked_version(&mut transaction)?;
    let known = MIGRATIONS.len();
    if from == known {
        return Ok(());
    }
    for migration in &MIGRATIONS[from..] {
        transaction.batch_execute(migration).map_err(Error::from)?;
    }
    let mut prepared = Prepared::default();
    let transaction = transaction::Transaction::new(transaction, &mut prepared);
    if from == 0 {
        seed::fill(&transaction, today)?;
    }
    let version = i64::try_from(known).expect("a handful");
    transaction.execute("DELETE FROM library", &[])?;
    transaction.execute(
        "INSERT INTO library (version) VALUES (?1)",
        &[version.into()],
    )?;
    transaction.commit()?;
    Ok(())
}

/// Waits for other instances, and returns how many migrations the database has.
fn locked_version(transaction: &mut Transaction<'_>) -> Result<usize, OpenErrorKind> {
    let timeouts = format!(
        "SET LOCAL statement_timeout = {MIGRATION_TIMEOUT_MS}; SET LOCAL lock_timeout = {MIGRATION_TIMEOUT_MS}; \
         SET LOCAL idle_in_transaction_session_timeout = {MIGRATION_TIMEOUT_MS}; \
         SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"
    );
    transaction.batch_execute(&timeouts).map_err(Error::from)?;
    let mut number =
        |sql| -> Result<i64, Error> { Ok(transaction.query_one(sql, &[])?.try_get(0)?) };
    if number("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")? == 0 {
        return Ok(0);
    }
    let ours = "SELECT count(*) FROM pg_tables \
                WHERE schemaname = current_schema() AND tablename = 'library'";
    if number(ours)? == 0 {
        return Err(OpenErrorKind::NotALibrary);
    }
    let found = number("SELECT max(version) FROM library")?;
    match usize::try_from(found) {
        Ok(found) if found <= MIGRATIONS.len() => Ok(found),
        _ => Err(OpenErrorKind::TooNew {
            found: u32::try_from(found).unwrap_or(u32::MAX),
            known: u32::try_from(MIGRATIONS.len()).expect("a handful"),
        }),
    }
}
