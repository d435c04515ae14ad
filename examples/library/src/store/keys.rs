//! The outcomes of calls with keys, in the same transaction as what the calls have changed.
//!
//! A caller that lost its connection cannot know whether its call was done. It sends the call again
//! with the same key. Whether the process was killed meanwhile does not matter: either the change and
//! its outcome are both in the database, or neither is.

use docent_server::{KeptOutcome, KeyedCall, RunningKey};

use super::db::Db;
use super::error::{Error, Result};
use super::value::values;
use crate::model::Date;

/// Begins the write of a call with a key. Fails with [`Error::Repeated`] if it was made before, or is
/// being made elsewhere.
pub(super) fn begin(db: &Db<'_>, key: &RunningKey, today: Date) -> Result<()> {
    let call = key.call();
    if let Some(claim) = db.dialect().claim
        && db.one::<u32>(claim, values![format!("{} {}", caller(call), call.key())])? == 0
    {
        key.is_running_elsewhere();
        return Err(Error::Repeated);
    }
    let found: Option<(String, String)> = db.first(
        "SELECT fingerprint, result FROM outcomes \
         WHERE caller = ?1 AND key = ?2 AND until >= ?3",
        values![caller(call), call.key(), today],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    match found {
        None => {
            key.begins();
            return Ok(());
        }
        Some((fingerprint, result)) if fingerprint == call.fingerprint() => {
            key.found(KeptOutcome::result(result));
        }
        Some(_) => key.is_used_otherwise(),
    }
    Err(Error::Repeated)
}

/// Keeps an outcome, and forgets those that are too old.
pub(super) fn keep(
    db: &Db<'_>,
    call: &KeyedCall,
    outcome: &KeptOutcome,
    today: Date,
) -> Result<()> {
    const DAY: u64 = 24 * 60 * 60;
    db.execute("DELETE FROM outcomes WHERE until < ?1", values![today])?;
    // Dates have no time of day, so this is up to a day longer than necessary.
    let days = i32::try_from(call.keep_for().as_secs().div_ceil(DAY)).unwrap_or(i32::MAX);
    db.execute(
        "INSERT INTO outcomes (caller, key, fingerprint, result, until) \
         VALUES (?1, ?2, ?3, ?4, ?5)",
        values![
            caller(call),
            call.key(),
            call.fingerprint(),
            outcome.json(),
            today.plus_days(days)
        ],
    )
}

/// All who have the desk's token are one caller.
fn caller(call: &KeyedCall) -> &str {
    call.caller().unwrap_or_default()
}
