//! Connections to the server, and what their errors mean.

use std::time::Duration;

use deadpool_postgres::{
    Client, ClientWrapper, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod,
};
use pollster::block_on;
use tokio::time::error::Elapsed;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, NoTls};

use crate::store::error::{BoxError, Error, OpenErrorKind, Result};

/// The time within which a connection must be free or made.
const CONNECTION_TIMEOUT: Duration = Duration::from_millis(800);

/// The time after which the server gives a statement or a transaction up.
const STATEMENT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The time within which the server must have answered a statement. A server that is only slow has given it up before.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// The number of connections of one instance.
///
/// A server has 100 by default, so ten instances can share one. More connections than cores of
/// the server make no write faster, because each has to wait for the disk.
const MAX_CONNECTIONS: usize = 8;

/// Returns the connections to a database. They are opened when they are needed.
pub(super) fn pool(config: &Config) -> std::result::Result<Pool, OpenErrorKind> {
    let recycling_method = RecyclingMethod::Fast;
    let manager = Manager::from_config(config.clone(), NoTls, ManagerConfig { recycling_method });
    let pool = Pool::builder(manager).max_size(MAX_CONNECTIONS).build();
    Ok(pool.map_err(|error| Error::Broken(error.into()))?)
}

/// Reads the address, and adds what the store needs.
pub(super) fn configure(url: &str) -> std::result::Result<Config, OpenErrorKind> {
    let mut config: Config = url
        .parse()
        .map_err(|error: tokio_postgres::Error| Error::Broken(error.into()))?;
    let timeout = STATEMENT_TIMEOUT.as_millis();
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
    config.options(&options).tcp_user_timeout(ANSWER_TIMEOUT);
    Ok(config)
}

/// Returns a connection.
pub(super) async fn connect(pool: &Pool) -> Result<Client> {
    in_time(CONNECTION_TIMEOUT, pool.get()).await
}

/// Waits for the server, but no longer than a limit.
pub(super) async fn in_time<T, E>(
    limit: Duration,
    answer: impl Future<Output = std::result::Result<T, E>>,
) -> Result<T>
where
    Error: From<E>,
{
    match tokio::time::timeout(limit, answer).await {
        Ok(answer) => Ok(answer?),
        Err(elapsed) => Err(Error::Disconnected(elapsed.into())),
    }
}

/// Closes a connection, which the pool then replaces.
pub(super) fn close(client: Client) {
    drop(Client::take(client));
}

/// A transaction that reads. Its connection goes back to the pool once the server has said that the transaction is over,
/// and is closed otherwise.
pub(super) struct Snapshot {
    /// `None` once it has ended.
    client: Option<Client>,
}

impl Snapshot {
    /// Creates it of a connection on which the transaction has begun.
    pub(super) fn new(client: Client) -> Self {
        Self {
            client: Some(client),
        }
    }

    pub(super) fn connection(&self) -> &ClientWrapper {
        self.client.as_ref().expect("it has not ended")
    }

    pub(super) fn end(mut self) {
        let commit = self.connection().batch_execute("COMMIT");
        if block_on(in_time(ANSWER_TIMEOUT, commit)).is_ok() {
            self.client = None;
        }
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            close(client);
        }
    }
}

impl From<PoolError> for Error {
    /// Whatever the reason, there is no connection on which something could have been changed.
    fn from(error: PoolError) -> Self {
        Self::Disconnected(error.into())
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
        if is_busy(state) {
            Self::Busy
        } else if is_lost(state) {
            Self::Disconnected(error.into())
        } else if is_unavailable(state) {
            Self::Unavailable(error.into())
        } else {
            Self::Broken(error.into())
        }
    }
}

/// Returns whether an error is about other transactions.
fn is_busy(state: &SqlState) -> bool {
    [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::QUERY_CANCELED,
        // Two transactions took the same number, or the same copy. The next attempt sees what the other did.
        SqlState::UNIQUE_VIOLATION,
    ]
    .contains(state)
}

/// Returns whether the connection ends with an error: it is broken, idle for too long, or the server stops.
fn is_lost(state: &SqlState) -> bool {
    let code = state.code();
    code.starts_with("08")
        || code.starts_with("57P")
        || *state == SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
}

/// Returns whether the server cannot do it now: its disk is full, it has no memory left, or it does not let anyone write.
fn is_unavailable(state: &SqlState) -> bool {
    state.code().starts_with("53") || *state == SqlState::READ_ONLY_SQL_TRANSACTION
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
