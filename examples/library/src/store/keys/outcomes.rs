//! The outcomes of calls with keys in the database.
//!
//! An outcome is written in the transaction of its call, so that neither exists without the other.

use docent::{KeptOutcome, KeyRoom, KeyedCall, RunningKey};

use crate::store::db::{Db, Row};
use crate::store::error::{Error, Result};
use crate::store::value::values;

/// The approximate size of an outcome without its texts.
const ROW_OVERHEAD: usize = 100;

/// The room that outcomes take: all, or those of one caller.
pub(super) struct OutcomeRoom {
    pub room: KeyRoom,
    /// The seconds until the oldest is forgotten, if there is one.
    pub oldest: Option<i64>,
}

/// The stored state of a key.
pub(in crate::store) enum KeptCall {
    /// The same call has ended like this.
    Same(KeptOutcome),
    /// Another call had the key.
    Other,
}

/// Begins the write of a call with a key. Fails with [`Error::Repeated`] if the call is being made
/// elsewhere.
///
/// It does not look for an outcome: that of an earlier call is found when this one is to be [kept](keep).
/// On PostgreSQL, two transactions that look into the same part of the table and then add to it would not
/// be serializable.
pub(in crate::store) fn begin(db: &Db<'_>, key: &RunningKey) -> Result<()> {
    if let Some(claim) = db.dialect().claim
        && db.one::<u32>(claim, values![name(key.call())])? == 0
    {
        return Err(Error::Repeated);
    }
    key.begins();
    Ok(())
}

/// Writes the outcome of a call in its transaction. Fails with [`Error::Repeated`] if the key has one.
pub(in crate::store) fn keep(db: &Db<'_>, call: &KeyedCall, outcome: &KeptOutcome) -> Result<()> {
    if write(db, call, outcome)? {
        Ok(())
    } else {
        Err(Error::Repeated)
    }
}

/// Looks for the outcome of an earlier call with the same key.
pub(super) fn find(db: &Db<'_>, call: &KeyedCall) -> Result<Option<KeptCall>> {
    db.first(
        "SELECT fingerprint, result, error FROM outcomes \
         WHERE caller = ?1 AND key = ?2 AND until > unixepoch()",
        values![caller(call), call.key()],
        |row| {
            let fingerprint: String = row.get(0)?;
            Ok(if fingerprint == call.fingerprint() {
                KeptCall::Same(outcome(row)?)
            } else {
                KeptCall::Other
            })
        },
    )
}

fn outcome(row: &Row<'_>) -> Result<KeptOutcome> {
    let json: String = row.get(1)?;
    Ok(if row.get::<u32>(2)? == 0 {
        KeptOutcome::result(json)
    } else {
        KeptOutcome::error(json)
    })
}

/// Writes the outcome of a call, unless its key has one. Returns whether it was written.
pub(super) fn write(db: &Db<'_>, call: &KeyedCall, outcome: &KeptOutcome) -> Result<bool> {
    // More than a century is as good as forever.
    let seconds = u32::try_from(call.keep_for().as_secs()).unwrap_or(u32::MAX);
    db.exists(
        "INSERT INTO outcomes (caller, key, fingerprint, result, error, bytes, until) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, unixepoch() + ?7) \
         ON CONFLICT (caller, key) DO UPDATE SET fingerprint = excluded.fingerprint, \
         result = excluded.result, error = excluded.error, bytes = excluded.bytes, \
         until = excluded.until WHERE outcomes.until <= unixepoch() RETURNING 1",
        values![
            caller(call),
            call.key(),
            call.fingerprint(),
            outcome.json(),
            i64::from(outcome.is_error()),
            i64::try_from(size(call, outcome)).unwrap_or(i64::MAX),
            seconds,
        ],
    )
}

/// Forgets the outcomes that are too old.
pub(super) fn forget(db: &Db<'_>) -> Result<()> {
    db.execute("DELETE FROM outcomes WHERE until <= unixepoch()", &[])?;
    db.execute(db.dialect().add_up, &[])
}

/// Returns what the outcomes of a caller take, and what all of them do.
pub(super) fn taken(db: &Db<'_>, call: &KeyedCall) -> Result<(OutcomeRoom, OutcomeRoom)> {
    let of_caller = taken_by(db, &caller(call), "outcomes WHERE caller = ?1")?;
    Ok((of_caller, taken_by(db, "*", "outcomes")?))
}

/// Returns what the outcomes take that are counted under a name: that of a caller, or `*`.
fn taken_by(db: &Db<'_>, name: &str, outcomes: &str) -> Result<OutcomeRoom> {
    let sql = format!(
        "SELECT CAST(coalesce(sum(keys), 0) AS bigint), CAST(coalesce(sum(bytes), 0) AS bigint), \
         (SELECT min(until) FROM {outcomes}) - unixepoch() FROM room WHERE caller = ?1"
    );
    db.row(&sql, values![name], |row| {
        let keys: i64 = row.get(0)?;
        let bytes: i64 = row.get(1)?;
        Ok(OutcomeRoom {
            room: KeyRoom {
                keys: keys.try_into().unwrap_or_default(),
                bytes: bytes.try_into().unwrap_or_default(),
            },
            oldest: row.get(2)?,
        })
    })
}

/// Returns how much room an outcome takes.
fn size(call: &KeyedCall, outcome: &KeptOutcome) -> u64 {
    let texts = call.key().len() + call.fingerprint().len() + outcome.json().len();
    (texts + caller(call).len() + ROW_OVERHEAD) as u64
}

/// Returns one text for the caller and the key, which has no space.
pub(super) fn name(call: &KeyedCall) -> String {
    format!("{} {}", caller(call), call.key())
}

/// All who have the desk's token are one caller, whose name is empty.
fn caller(call: &KeyedCall) -> String {
    match call.caller() {
        Some(id) => format!("={id}"),
        None => String::new(),
    }
}
