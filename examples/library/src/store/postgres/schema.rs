//! The schema and its migrations.
//!
//! The table `library` counts the migrations applied. They run in one transaction, together with the
//! seeding of a new database, so a kill cannot leave an intermediate state. A released migration is
//! never edited; each change is a new one.

use std::time::Duration;

use deadpool_postgres::{Client, ClientWrapper};
use docent_keys::PostgresKeys;
use pollster::block_on;

use super::connection::{close, in_time};
use crate::model::Date;
use crate::store::error::{Error, OpenErrorKind};
use crate::store::seed;

/// The migrations in order.
const MIGRATIONS: [&str; 8] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
    PostgresKeys::TABLES,
    include_str!("schema/8.sql"),
];

/// The lock that one instance holds while it creates or upgrades the tables: "Libr".
const MIGRATION_LOCK: i64 = 0x4c69_6272;

/// The time that a migration may take, or that an instance waits for another that creates or upgrades the tables.
const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);

/// Creates and fills a new database, or upgrades an older one. Refuses one that is not a library's
/// or that a newer program wrote, without changing it.
pub(super) fn prepare(client: Client, today: Date) -> Result<(), OpenErrorKind> {
    let prepared = upgrade(&client, today);
    if prepared.is_err() {
        // Its transaction ends with it.
        close(client);
    }
    prepared
}

fn upgrade(client: &ClientWrapper, today: Date) -> Result<(), OpenErrorKind> {
    begin(client)?;
    let known = MIGRATIONS.len();
    let from = version(client)?;
    for migration in &MIGRATIONS[from..] {
        run(client, migration)?;
    }
    if from == 0 {
        seed::fill(client, today)?;
    }
    if from < known {
        run(
            client,
            &format!("DELETE FROM library; INSERT INTO library VALUES ({known})"),
        )?;
    }
    Ok(run(client, "COMMIT")?)
}

/// Begins the transaction, and waits for other instances.
fn begin(client: &ClientWrapper) -> Result<(), Error> {
    let timeout = MIGRATION_TIMEOUT.as_millis();
    let sql = format!(
        "BEGIN; \
         SET LOCAL statement_timeout = {timeout}; SET LOCAL lock_timeout = {timeout}; \
         SET LOCAL idle_in_transaction_session_timeout = {timeout}; \
         SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"
    );
    run(client, &sql)
}

/// Returns how many migrations the database has.
fn version(client: &ClientWrapper) -> Result<usize, OpenErrorKind> {
    if number(
        client,
        "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()",
    )? == 0
    {
        return Ok(0);
    }
    let ours = "SELECT count(*) FROM pg_tables \
                WHERE schemaname = current_schema() AND tablename = 'library'";
    if number(client, ours)? == 0 {
        return Err(OpenErrorKind::NotALibrary);
    }
    let found = number(client, "SELECT max(version) FROM library")?;
    match usize::try_from(found) {
        Ok(found) if found <= MIGRATIONS.len() => Ok(found),
        _ => Err(OpenErrorKind::TooNew {
            found: u32::try_from(found).unwrap_or(u32::MAX),
            known: u32::try_from(MIGRATIONS.len()).expect("a handful"),
        }),
    }
}

/// Runs statements that may take longer than those of a call.
fn run(client: &ClientWrapper, sql: &str) -> Result<(), Error> {
    block_on(in_time(MIGRATION_TIMEOUT, client.batch_execute(sql)))
}

fn number(client: &ClientWrapper, sql: &str) -> Result<i64, Error> {
    let row = block_on(in_time(MIGRATION_TIMEOUT, client.query_one(sql, &[])))?;
    Ok(row.try_get(0)?)
}
