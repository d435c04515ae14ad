//! The work that no call should wait for: deleting expired outcomes, adding up the room that the others take, and reading
//! the sums into the ledger, which decides whether there is room for a call.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, Weak};
use std::time::Duration;

use deadpool_postgres::{ClientWrapper, Pool};
use docent_core::KeyRoom;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::ledger::ALL;
use super::tables::add_tables;
use super::transaction::usable;
use super::{PostgresKeys, Shared, in_time, numbers};
use crate::error::{Error, with_sources};
use crate::room::{TakenRoom, count};

/// The pause between two runs.
const PAUSE: Duration = Duration::from_secs(1);

/// The pause while more outcomes have expired than one batch deletes.
const PAUSE_BETWEEN_BATCHES: Duration = Duration::from_millis(20);

/// The number of expired outcomes that one statement deletes.
const BATCH_SIZE: u64 = 1_000;

/// The number of changes that one statement adds up.
const CHANGES_BATCH_SIZE: i64 = 10_000;

/// A caller that uses less than this part of its share (a quarter) is not read into the ledger.
const PART_OF_SHARE: u64 = 4;

/// Adds the tables if they are not there, and reads the room for the first time.
pub(super) async fn prepare(keys: &PostgresKeys) -> Result<(), Error> {
    let PostgresKeys { pool, deadline, .. } = keys;
    // The table that is created last.
    let last_table = "docent_key_changes";
    let client = add_tables(pool, *deadline, last_table, PostgresKeys::TABLES).await?;
    add_up(&client, *deadline).await?;
    refresh_ledger(&client, keys).await
}

/// Starts the background work of a store, unless it is running. It stops with the runtime that it was started in.
pub(super) fn ensure_runs(keys: &PostgresKeys) {
    let mut background = keys
        .shared
        .background
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if background.as_ref().is_none_or(JoinHandle::is_finished) {
        *background = Some(tokio::spawn(run(WeakKeys::of(keys))));
    }
}

/// A store that may be dropped.
struct WeakKeys {
    pool: Pool,
    limits: KeyRoom,
    deadline: Duration,
    shared: Weak<Shared>,
}

impl WeakKeys {
    fn of(keys: &PostgresKeys) -> Self {
        Self {
            pool: keys.pool.clone(),
            limits: keys.limits,
            deadline: keys.deadline,
            shared: Arc::downgrade(&keys.shared),
        }
    }

    fn upgrade(&self) -> Option<PostgresKeys> {
        Some(PostgresKeys {
            pool: self.pool.clone(),
            limits: self.limits,
            deadline: self.deadline,
            shared: self.shared.upgrade()?,
        })
    }
}

async fn run(store: WeakKeys) {
    let mut pause = PAUSE;
    let mut has_failed = false;
    loop {
        sleep(pause).await;
        let Some(keys) = store.upgrade() else {
            return;
        };
        match maintain(&keys).await {
            Ok(deleted) => {
                has_failed = false;
                pause = if deleted == BATCH_SIZE {
                    PAUSE_BETWEEN_BATCHES
                } else {
                    PAUSE
                };
            }
            Err(error) => {
                if !has_failed {
                    let cause = with_sources(&error);
                    tracing::warn!("outcomes that have expired are not deleted: {cause}");
                }
                has_failed = true;
                pause = PAUSE;
            }
        }
    }
}

/// Does the work once. Returns the number of outcomes that it has deleted.
async fn maintain(keys: &PostgresKeys) -> Result<u64, Error> {
    let client = keys.client().await?;
    let deleted = async {
        let deleted = delete_expired(&client, keys.deadline).await?;
        add_up(&client, keys.deadline).await?;
        refresh_ledger(&client, keys).await?;
        Ok(deleted)
    }
    .await;
    usable(client, deleted)
}

/// Deletes a batch of outcomes that have expired, but none that another instance deletes.
async fn delete_expired(client: &ClientWrapper, deadline: Duration) -> Result<u64, Error> {
    let sql = "DELETE FROM docent_keys WHERE ctid = ANY (ARRAY( \
                   SELECT ctid FROM docent_keys WHERE until <= floor(extract(epoch FROM now()))::bigint \
                   ORDER BY until LIMIT $1 FOR UPDATE SKIP LOCKED))";
    let batch = i64::try_from(BATCH_SIZE).unwrap_or(i64::MAX);
    in_time(deadline, client.execute_typed(sql, &numbers(&[batch]))).await
}

/// Adds the changes of the room up, in batches. The rows of callers are changed in the order of their names, so that two
/// instances never wait for each other in a circle.
async fn add_up(client: &ClientWrapper, deadline: Duration) -> Result<(), Error> {
    let sql = format!(
        "WITH taken AS (DELETE FROM docent_key_changes WHERE ctid = ANY (ARRAY( \
             SELECT ctid FROM docent_key_changes LIMIT $1 FOR UPDATE SKIP LOCKED)) \
             RETURNING caller, keys, bytes), \
         sums AS ( \
             SELECT caller, sum(keys) AS keys, sum(bytes) AS bytes FROM taken GROUP BY caller \
             UNION ALL \
             SELECT '{ALL}', sum(keys), sum(bytes) FROM taken HAVING count(*) > 0), \
         added AS ( \
             INSERT INTO docent_key_room AS room (caller, keys, bytes) \
             SELECT caller, keys, bytes FROM sums ORDER BY caller \
             ON CONFLICT (caller) DO UPDATE \
             SET keys = room.keys + excluded.keys, bytes = room.bytes + excluded.bytes) \
         SELECT count(*) FROM taken"
    );
    loop {
        let values = numbers(&[CHANGES_BATCH_SIZE]);
        let row = in_time(deadline, client.query_typed_one(&sql, &values)).await?;
        let added: i64 = row.try_get(0)?;
        if added < CHANGES_BATCH_SIZE {
            break;
        }
    }
    // Callers without outcomes. Rows that another instance adds to are left, because both could wait for each other.
    let sql = format!(
        "DELETE FROM docent_key_room WHERE ctid = ANY (ARRAY( \
             SELECT ctid FROM docent_key_room \
             WHERE keys = 0 AND bytes = 0 AND caller <> '{ALL}' FOR UPDATE SKIP LOCKED))"
    );
    in_time(deadline, client.execute_typed(&sql, &[])).await?;
    Ok(())
}

/// Reads into the ledger the room that all outcomes take, and those of each caller that uses much of its share.
async fn refresh_ledger(client: &ClientWrapper, keys: &PostgresKeys) -> Result<(), Error> {
    let ledger = &keys.shared.ledger;
    ledger.begin_refresh();
    // Known callers and calls without one have different shares: the smaller one decides.
    let known = keys.limits.share_of(Some(""));
    let unknown = keys.limits.share_of(None);
    let min_keys = known.keys.min(unknown.keys) / PART_OF_SHARE;
    let min_bytes = known.bytes.min(unknown.bytes) / PART_OF_SHARE;
    let minimums = [min_keys, min_bytes].map(|room| i64::try_from(room).unwrap_or(i64::MAX));
    let sql = format!(
        "SELECT caller, keys, bytes, CASE caller \
             WHEN '{ALL}' THEN (SELECT min(until) FROM docent_keys) \
             ELSE (SELECT min(until) FROM docent_keys WHERE caller = room.caller) \
         END - floor(extract(epoch FROM now()))::bigint \
         FROM docent_key_room AS room \
         WHERE caller = '{ALL}' OR keys >= $1 OR bytes >= $2"
    );
    let values = numbers(&minimums);
    let rows = in_time(keys.deadline, client.query_typed(&sql, &values)).await?;
    let mut seen = HashMap::with_capacity(rows.len());
    for row in rows {
        let taken = TakenRoom {
            kept: KeyRoom {
                keys: count(row.try_get(1)?),
                bytes: count(row.try_get(2)?),
            },
            more: KeyRoom::default(),
            oldest: row.try_get(3)?,
        };
        seen.insert(row.try_get(0)?, taken);
    }
    ledger.end_refresh(seen);
    Ok(())
}
