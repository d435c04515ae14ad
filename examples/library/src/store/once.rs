//! Doing a thing once, however often it is asked for.
//!
//! A caller whose connection broke cannot know whether its request was carried out. So that it may
//! simply ask again, a request can have a name: the answer is remembered in the transaction that
//! did the work, and a repeated request with that name gets it instead of a second loan.

use rusqlite::{OptionalExtension, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::Result;
use crate::model::{Date, LibraryError, RequestId, RequestIdReused};

/// For how many days a request is remembered. Otherwise callers could fill the disk with names.
const MEMORY_DAYS: i32 = 30;

/// Does `work`, or answers as before where the request of that name was carried out already.
///
/// Only successes are remembered: what was refused may be possible the next time.
pub(super) fn once<P, T>(
    db: &Transaction<'_>,
    today: Date,
    procedure: &str,
    name: Option<&RequestId>,
    params: &P,
    work: impl FnOnce() -> Result<T>,
) -> Result<T>
where
    P: Serialize,
    T: Serialize + DeserializeOwned,
{
    let Some(name) = name else {
        return work();
    };
    db.prepare_cached("DELETE FROM requests WHERE day < ?1")?
        .execute([today.plus_days(-MEMORY_DAYS)])?;
    // Written from the decoded parameters, so that spelling and order in the request do not matter.
    let params = serde_json::to_string(params)?;
    let before: Option<(String, String, String)> = db
        .prepare_cached("SELECT procedure, params, answer FROM requests WHERE id = ?1")?
        .query_row([name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    if let Some((same_procedure, same_params, answer)) = before {
        if same_procedure != procedure || same_params != params {
            let request_id = name.clone();
            return Err(LibraryError::RequestIdReused(RequestIdReused { request_id }).into());
        }
        return Ok(serde_json::from_str(&answer)?);
    }
    let answer = work()?;
    db.prepare_cached(
        "INSERT INTO requests (id, procedure, params, answer, day) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        name,
        procedure,
        params,
        serde_json::to_string(&answer)?,
        today
    ])?;
    Ok(answer)
}
