//! Carries out a request once, however often it is sent.
//!
//! A caller that lost its connection cannot know whether its request was carried out. It sends the request again, in one
//! of two ways:
//!
//! - with the key of the call. The outcome of the call is in the transaction of its changes. This is the work of
//!   `docent-keys`, in [`Store::once`].
//! - with the same `request_id`, from before calls had keys. The transaction that carries out the request also stores the
//!   result, and a repetition returns that instead of making a second loan.

use std::cell::Cell;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::db::Db;
use super::error::Result;
use super::value::values;
use crate::model::{Date, LibraryError, RequestId, RequestIdReused};

/// The number of days that a request is remembered. Without a limit, callers could fill the disk.
const MEMORY_DAYS: i32 = 30;

/// A transaction that changes the library.
pub struct WriteTransaction<'t> {
    pub(super) db: &'t Db<'t>,
    pub(super) today: Date,
    /// Set if the request has an id, so that it is safe to repeat it after a commit whose outcome is unknown.
    pub(super) is_named: &'t Cell<bool>,
}

impl WriteTransaction<'_> {
    /// Runs `work`, or returns the stored result if the request was carried out before.
    ///
    /// Only successes are stored. What was rejected may be possible the next time.
    pub(super) fn once_named<P, T>(
        &self,
        procedure: &str,
        id: Option<&RequestId>,
        params: &P,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<T>
    where
        P: Serialize,
        T: Serialize + DeserializeOwned,
    {
        let Some(id) = id else {
            return work();
        };
        self.is_named.set(true);
        self.db.execute(
            "DELETE FROM requests WHERE day < ?1",
            values![self.today.plus_days(-MEMORY_DAYS)],
        )?;
        // Serialised from the decoded parameters, so that spelling and order in the request do not
        // matter.
        let params = serde_json::to_string(params)?;
        let before: Option<(String, String, String)> = self.db.first(
            "SELECT procedure, params, answer FROM requests WHERE id = ?1",
            values![id],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        if let Some((same_procedure, same_params, answer)) = before {
            if same_procedure != procedure || same_params != params {
                let request_id = id.clone();
                return Err(LibraryError::RequestIdReused(RequestIdReused { request_id }).into());
            }
            return Ok(serde_json::from_str(&answer)?);
        }
        let answer = work()?;
        self.db.execute(
            "INSERT INTO requests (id, procedure, params, answer, day) VALUES (?1, ?2, ?3, ?4, ?5)",
            values![
                id,
                procedure,
                params,
                serde_json::to_string(&answer)?,
                self.today
            ],
        )?;
        Ok(answer)
    }
}
