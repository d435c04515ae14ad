//! A connection that comes back after it was lost.
//!
//! Statements are prepared once for each connection, and again after it was replaced.

use postgres::error::SqlState;
use postgres::{Client, Config, IsolationLevel, NoTls};

use super::transaction::{Prepared, Transaction, parameters};
use super::{Access, CONNECTION_TIMEOUT};
use crate::store::db::Db;
use crate::store::error::{Error, OpenErrorKind, Result};
use crate::store::value::values;

/// A connection, and how to open it again.
pub(super) struct Connection {
    config: Config,
    open: Option<Open>,
}

struct Open {
    client: Client,
    prepared: Prepared,
}

/// Reads the address, and adds what the store needs.
pub(super) fn configure(url: &str) -> std::result::Result<Config, OpenErrorKind> {
    let mut config: Config = url
        .parse()
        .map_err(|error: postgres::Error| Error::Broken(error.into()))?;
    let timeout = CONNECTION_TIMEOUT.as_millis();
    let own = format!(
        "-c statement_timeout={timeout} -c lock_timeout={timeout} \
         -c idle_in_transaction_session_timeout={timeout}"
    );
    let options = match config.get_options() {
        // The address counts.
        Some(given) => format!("{own} {given}"),
        None => own,
    };
    // Not on the command line, where other users of the machine can read it.
    if config.get_password().is_none()
        && let Some(password) = std::env::var_os("PGPASSWORD")
    {
        config.password(password.as_encoded_bytes());
    }
    if config.get_application_name().is_none() {
        config.application_name("library");
    }
    config
        .options(&options)
        .connect_timeout(CONNECTION_TIMEOUT)
        .tcp_user_timeout(CONNECTION_TIMEOUT);
    Ok(config)
}

impl Connection {
    pub(super) fn new(config: Config) -> Self {
        Self { config, open: None }
    }

    /// Returns the client, connected.
    pub(super) fn open(&mut self) -> Result<&mut Client> {
        Ok(&mut self.connected()?.client)
    }

    fn connected(&mut self) -> Result<&mut Open> {
        if !self.is_open() {
            let client = self.config.connect(NoTls)?;
            self.open = Some(Open {
                client,
                prepared: Prepared::default(),
            });
        }
        Ok(self.open.as_mut().expect("it was opened above"))
    }

    /// Returns whether it was opened and, as far as is known, not lost since.
    pub(super) fn is_open(&self) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| !open.client.is_closed())
    }

    /// Runs a statement with one text outside of a transaction, and returns the number that is its
    /// result.
    pub(super) fn number(&mut self, sql: &str, text: &str) -> Result<i32> {
        let outcome = self.connected()?.number(sql, text);
        if let Err(Error::Disconnected(_)) = outcome {
            self.open = None;
        }
        outcome
    }

    /// Runs `work` in a transaction that is committed if `work` succeeds, and rolled back if it
    /// fails.
    pub(super) fn run<T>(
        &mut self,
        access: Access,
        work: impl Fn(&Db<'_>) -> Result<T>,
    ) -> Result<T> {
        let outcome = self.attempt(access, work);
        if let Err(Error::Disconnected(_) | Error::Unknown(_)) = outcome {
            self.open = None;
        }
        outcome
    }

    fn attempt<T>(&mut self, access: Access, work: impl Fn(&Db<'_>) -> Result<T>) -> Result<T> {
        let Open { client, prepared } = self.connected()?;
        let transaction = match access {
            // A snapshot: nothing it reads can change, and it never has to be repeated.
            Access::Read => client
                .build_transaction()
                .isolation_level(IsolationLevel::RepeatableRead)
                .read_only(true),
            Access::Write => client
                .build_transaction()
                .isolation_level(IsolationLevel::Serializable),
        }
        .start()?;
        let transaction = Transaction::new(transaction, prepared);
        let value = work(&transaction)?;
        match transaction.commit() {
            Ok(()) => Ok(value),
            // The answer to the commit is lost. It may have been carried out.
            Err(Error::Disconnected(cause)) if access == Access::Write => {
                Err(Error::Unknown(cause))
            }
            Err(error) => Err(error),
        }
    }
}

impl Open {
    fn number(&mut self, sql: &str, text: &str) -> Result<i32> {
        let values = values![text];
        let statement = self.prepared.get(&mut self.client, sql, values)?;
        let row = self.client.query_one(&statement, &parameters(values))?;
        Ok(row.try_get(0)?)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(open) = self.open.take() {
            // A client has a runtime of its own, which cannot be dropped inside another, and a server
            // that shuts down drops its state there.
            std::thread::spawn(move || drop(open));
        }
    }
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        let Some(state) = error.code() else {
            // Not an answer of the server: the connection could not be made, or broke.
            return if error.is_closed() || has_io_error(&error) {
                Self::Disconnected(error.into())
            } else {
                Self::Broken(error.into())
            };
        };
        let state = state.clone();
        if [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
            SqlState::QUERY_CANCELED,
            // Two transactions took the same number, or the same copy. The next attempt sees what
            // the other did.
            SqlState::UNIQUE_VIOLATION,
        ]
        .contains(&state)
        {
            Self::Busy
        } else if state.code().starts_with("08")
            || [
                SqlState::ADMIN_SHUTDOWN,
                SqlState::CRASH_SHUTDOWN,
                SqlState::CANNOT_CONNECT_NOW,
                SqlState::TOO_MANY_CONNECTIONS,
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            ]
            .contains(&state)
        {
            Self::Disconnected(error.into())
        } else {
            Self::Broken(error.into())
        }
    }
}

fn has_io_error(error: &postgres::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.is::<std::io::Error>() {
            return true;
        }
        cause = error.source();
    }
    false
}
