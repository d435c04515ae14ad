//! Connections to the server, and what their errors mean.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod};
use tokio::time::error::Elapsed;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, NoTls};

use crate::store::error::{BoxError, Error, OpenErrorKind, Result};

/// The time for which the store repeats a transaction, or waits for a statement or a connection.
pub(super) const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// The number of connections of one instance.
///
/// A server has 100 by default, so ten instances can share one. More connections than cores of
/// the server make no write faster, because each has to wait for the disk.
const MAX_CONNECTIONS: usize = 8;

/// Returns the connections to the database at an address. They are opened when they are needed.
pub(super) fn pool(url: &str) -> std::result::Result<Pool, OpenErrorKind> {
    let recycling_method = RecyclingMethod::Fast;
    let manager = Manager::from_config(configure(url)?, NoTls, ManagerConfig { recycling_method });
    let pool = Pool::builder(manager).max_size(MAX_CONNECTIONS).build();
    Ok(pool.map_err(|error| Error::Broken(error.into()))?)
}

/// Reads the address, and adds what the store needs.
fn configure(url: &str) -> std::result::Result<Config, OpenErrorKind> {
    let mut config: Config = url
        .parse()
        .map_err(|error: tokio_postgres::Error| Error::Broken(error.into()))?;
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

/// Waits for the server, but no longer than [`CONNECTION_TIMEOUT`].
pub(super) async fn in_time<T, E>(
    answer: impl Future<Output = std::result::Result<T, E>>,
) -> Result<T>
where
    Error: From<E>,
{
    match tokio::time::timeout(CONNECTION_TIMEOUT, answer).await {
        Ok(answer) => Ok(answer?),
        Err(elapsed) => Err(Error::Disconnected(elapsed.into())),
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => error.into(),
            error => Self::Disconnected(error.into()),
        }
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
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

/// Returns the error of a transaction of the store of keys. A call without a key meets one only at its commit.
pub(in crate::store) fn unavailable(cause: BoxError) -> Error {
    match cause.downcast::<tokio_postgres::Error>() {
        Ok(error) => match Error::from(*error) {
            Error::Disconnected(cause) => Error::Unknown(cause),
            error => error,
        },
        Err(cause) if cause.is::<Elapsed>() => Error::Unknown(cause),
        Err(_) => Error::Busy,
    }
}

fn has_io_error(error: &tokio_postgres::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.is::<std::io::Error>() {
            return true;
        }
        cause = error.source();
    }
    false
}
