//! The tables of keys and of events, which the first use of either adds.

use std::time::Duration;

use deadpool::managed::Manager;
use deadpool_postgres::{ClientWrapper, Pool};

use super::{in_time, texts};
use crate::error::Error;

/// The lock that one instance holds while it adds tables: "Keys".
const TABLES_LOCK: i64 = 0x4b65_7973;

/// Adds tables if the last of them is not there. Returns the connection that it has used.
///
/// It uses one beside the pool's, since the calls that wait for this may have all of those.
pub(super) async fn add_tables(
    pool: &Pool,
    deadline: Duration,
    last: &str,
    tables: &str,
) -> Result<ClientWrapper, Error> {
    let client = in_time(deadline, pool.manager().create()).await?;
    let row = in_time(
        deadline,
        client.query_typed_one("SELECT to_regclass($1) IS NOT NULL", &texts(&[last])),
    )
    .await?;
    if !row.try_get(0)? {
        // One message is one transaction, so the lock ends with it.
        let sql = format!("SELECT pg_advisory_xact_lock({TABLES_LOCK}); {tables}");
        in_time(deadline, client.batch_execute(&sql)).await?;
    }
    Ok(client)
}
