//! Carries out a request once, however often it is sent.
//!
//! A caller that lost its connection cannot know whether its request was carried out. To make a
//! retry safe, a request can carry a `request_id`. The transaction that carries out the request
//! also stores the result, and a retry with the same id returns that result instead of making a
//! second loan.

use docent::{KeptOutcome, RunningKey};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Store;
use super::db::Db;
use super::error::{Error, Result};
use super::keys::{self, KeptCall};
use super::value::values;
use crate::model::{Date, LibraryError, RequestId, RequestIdReused};

/// The number of days that a request is remembered. Without a limit, callers could fill the disk.
const MEMORY_DAYS: i32 = 30;

impl Store {
    /// Runs `work` in a transaction, or returns the stored result if the request was carried out
    /// before. Fails with [`Error::Repeated`] if a call with the same key was made before.
    ///
    /// Only successes are stored. What was rejected may be possible the next time.
    pub(super) fn once<P, T>(
        &self,
        procedure: &str,
        name: Option<&RequestId>,
        params: &P,
        work: impl Fn(&Db<'_>, Date) -> Result<T>,
    ) -> Result<T>
    where
        P: Serialize,
        T: Serialize + DeserializeOwned,
    {
        let key = self.key.as_deref();
        let written = self.write(name.is_some() || key.is_some(), |db| {
            let today = self.today();
            if let Some(key) = key {
                keys::begin(db, key)?;
            }
            let answer = match name {
                Some(name) => named(db, today, procedure, name, params, || work(db, today)),
                None => work(db, today),
            }?;
            let Some(key) = key else {
                return Ok((answer, None));
            };
            let outcome = KeptOutcome::from_result(&answer)?;
            keys::keep(db, key.call(), &outcome)?;
            Ok((answer, Some((key, outcome))))
        });
        let (answer, kept) = written.map_err(|error| match key {
            Some(key) => self.failed(key, error),
            None => error,
        })?;
        if let Some((key, outcome)) = kept {
            self.claims.was_written(key.call());
            key.committed(outcome);
        }
        Ok(answer)
    }

    /// Returns the error of a write with a key, which is [`Error::Repeated`] if the key has an outcome:
    /// an earlier call may also be the reason why this one was refused.
    fn failed(&self, key: &RunningKey, error: Error) -> Error {
        if matches!(error, Error::Repeated) {
            // Unless its outcome is found.
            key.is_running_elsewhere();
        }
        match error {
            Error::Library(_) | Error::Repeated => match self.outcome(key.call()) {
                Ok(None) => error,
                Ok(Some(found)) => {
                    match found {
                        KeptCall::Same(outcome) => {
                            self.claims.was_written(key.call());
                            key.found(outcome);
                        }
                        KeptCall::Other => key.is_used_otherwise(),
                    }
                    Error::Repeated
                }
                Err(unknown) => unknown,
            },
            Error::Unknown(_) => {
                key.is_in_doubt();
                error
            }
            error => error,
        }
    }
}

fn named<P, T>(
    db: &Db<'_>,
    today: Date,
    procedure: &str,
    name: &RequestId,
    params: &P,
    work: impl FnOnce() -> Result<T>,
) -> Result<T>
where
    P: Serialize,
    T: Serialize + DeserializeOwned,
{
    db.execute(
        "DELETE FROM requests WHERE day < ?1",
        values![today.plus_days(-MEMORY_DAYS)],
    )?;
    // Serialised from the decoded parameters, so that spelling and order in the request do not
    // matter.
    let params = serde_json::to_string(params)?;
    let before: Option<(String, String, String)> = db.first(
        "SELECT procedure, params, answer FROM requests WHERE id = ?1",
        values![name],
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    )?;
    if let Some((same_procedure, same_params, answer)) = before {
        if same_procedure != procedure || same_params != params {
            let request_id = name.clone();
            return Err(LibraryError::RequestIdReused(RequestIdReused { request_id }).into());
        }
        return Ok(serde_json::from_str(&answer)?);
    }
    let answer = work()?;
    db.execute(
        "INSERT INTO requests (id, procedure, params, answer, day) VALUES (?1, ?2, ?3, ?4, ?5)",
        values![
            name,
            procedure,
            params,
            serde_json::to_string(&answer)?,
            today
        ],
    )?;
    Ok(answer)
}
