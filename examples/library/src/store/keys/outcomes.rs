//! The outcomes of calls with keys in the database.

use docent_server::{KeptOutcome, KeyedCall, RunningKey};

use crate::model::Date;
use crate::store::db::{Db, Row};
use crate::store::error::{Error, Result};
use crate::store::value::values;

/// What an outcome takes beside its texts, roughly.
const OVERHEAD: usize = 100;

/// What is known of a key.
pub(super) enum Found {
    /// The same call has ended like this.
    Same(KeptOutcome),
    /// Another call had the key.
    Other,
}

/// Begins the write of a call with a key. Fails with [`Error::Repeated`] if it was made before, or is
/// being made elsewhere.
pub(in crate::store) fn begin(db: &Db<'_>, key: &RunningKey, today: Date) -> Result<()> {
    let call = key.call();
    if let Some(claim) = db.dialect().claim
        && db.one::<u32>(claim, values![name(call)])? == 0
    {
        key.is_running_elsewhere();
        return Err(Error::Repeated);
    }
    match find(db, call, today)? {
        None => {
            key.begins();
            return Ok(());
        }
        Some(Found::Same(outcome)) => key.found(outcome),
        Some(Found::Other) => key.is_used_otherwise(),
    }
    Err(Error::Repeated)
}

/// Looks for the outcome of an earlier call with the same key.
pub(super) fn find(db: &Db<'_>, call: &KeyedCall, today: Date) -> Result<Option<Found>> {
    db.first(
        "SELECT fingerprint, result, error FROM outcomes \
         WHERE caller = ?1 AND key = ?2 AND until >= ?3",
        values![caller(call), call.key(), today],
        |row| {
            let fingerprint: String = row.get(0)?;
            Ok(if fingerprint == call.fingerprint() {
                Found::Same(outcome(row)?)
            } else {
                Found::Other
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

/// Writes the outcome of a call whose key has none, in the transaction of the call.
pub(in crate::store) fn keep(
    db: &Db<'_>,
    call: &KeyedCall,
    outcome: &KeptOutcome,
    today: Date,
) -> Result<()> {
    write(db, call, outcome, today, "")
}

/// Writes the outcome of a call, unless its key has one.
pub(super) fn add(db: &Db<'_>, call: &KeyedCall, outcome: &KeptOutcome, today: Date) -> Result<()> {
    write(db, call, outcome, today, " ON CONFLICT DO NOTHING")
}

/// Forgets the outcomes that are too old, and writes another one.
fn write(
    db: &Db<'_>,
    call: &KeyedCall,
    outcome: &KeptOutcome,
    today: Date,
    conflict: &str,
) -> Result<()> {
    const DAY: u64 = 24 * 60 * 60;
    db.execute("DELETE FROM outcomes WHERE until < ?1", values![today])?;
    // Dates have no time of day, so this is up to a day longer than necessary.
    let days = i32::try_from(call.keep_for().as_secs().div_ceil(DAY)).unwrap_or(i32::MAX);
    let insert = format!(
        "INSERT INTO outcomes (caller, key, fingerprint, result, error, bytes, until) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7){conflict}"
    );
    db.execute(
        &insert,
        values![
            caller(call),
            call.key(),
            call.fingerprint(),
            outcome.json(),
            i64::from(outcome.is_error()),
            i64::try_from(size(call, outcome)).unwrap_or(i64::MAX),
            today.plus_days(days)
        ],
    )
}

/// Returns how many outcomes there are, and how much room they take.
pub(super) fn count(db: &Db<'_>, today: Date) -> Result<(u64, u64)> {
    let whole = |number: i64| u64::try_from(number).unwrap_or_default();
    db.row(
        "SELECT count(*), CAST(coalesce(sum(bytes), 0) AS bigint) FROM outcomes WHERE until >= ?1",
        values![today],
        |row| Ok((whole(row.get(0)?), whole(row.get(1)?))),
    )
}

/// Returns how much room an outcome takes.
pub(super) fn size(call: &KeyedCall, outcome: &KeptOutcome) -> u64 {
    let texts = [call.key(), call.fingerprint(), outcome.json()];
    let texts: usize = texts.iter().map(|text| text.len()).sum();
    (texts + caller(call).len() + OVERHEAD) as u64
}

/// Returns one text for the caller and the key, which has no space.
pub(super) fn name(call: &KeyedCall) -> String {
    format!("{} {}", caller(call), call.key())
}

/// All who have the desk's token are one caller, whose name is empty.
fn caller(call: &KeyedCall) -> String {
    call.caller()
        .map_or_else(String::new, |id| format!("={id}"))
}
