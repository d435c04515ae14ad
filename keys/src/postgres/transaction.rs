//! Transactions on connections of the pool, and on connections of handlers.
//!
//! A connection goes back to the pool only when the database has answered on it that its transaction is over. One that
//! does not answer is closed, and the pool replaces it.

use std::fmt;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use deadpool_postgres::{Client, ClientWrapper};
use docent_core::{BegunTransaction, EarlierCall, KeptOutcome, KeyedCall, TransactionStore};
use futures_util::FutureExt;
use tokio::runtime::Handle;

use super::ledger::SetAside;
use super::{PostgresKeys, in_time};
use crate::error::Error;

/// A transaction of a [`PostgresKeys`], which is a connection for its handler. Dropping it rolls it back.
pub struct PostgresTransaction {
    /// `None` once it has ended.
    client: Option<Client>,
    deadline: Duration,
    /// The room for the outcome of its call.
    pub(super) set_aside: Option<SetAside>,
}

impl PostgresTransaction {
    pub(super) async fn begin(client: Client, deadline: Duration) -> Result<Self, Error> {
        // From here on, it may have begun.
        let mut transaction = Self::begun(client, deadline);
        let begun = in_time(deadline, transaction.batch_execute("BEGIN")).await;
        transaction.close_if_late(begun)?;
        Ok(transaction)
    }

    fn begun(client: Client, deadline: Duration) -> Self {
        Self {
            client: Some(client),
            deadline,
            set_aside: None,
        }
    }

    /// Closes the connection if the database has not answered on it.
    pub(super) fn close_if_late<T>(&mut self, outcome: Result<T, Error>) -> Result<T, Error> {
        if outcome.as_ref().is_err_and(Error::is_late) {
            close(self.client.take());
        }
        outcome
    }

    pub(super) async fn commit(mut self) -> Result<(), Error> {
        let outcome = in_time(self.deadline, self.batch_execute("COMMIT")).await;
        if let Err(error) = self.close_if_late(outcome) {
            // The database reports the error before it gives up the claim, which would keep out another attempt.
            self.roll_back().await;
            return Err(error);
        }
        self.client = None;
        Ok(())
    }

    /// Rolls back, and waits until the database has done it.
    pub(super) async fn roll_back(mut self) {
        if let Some(client) = self.client.take() {
            roll_back(client, self.deadline).await;
        }
    }
}

async fn roll_back(client: Client, deadline: Duration) {
    let ended = in_time(deadline, client.batch_execute("ROLLBACK")).await;
    if ended.is_err() {
        close(Some(client));
    }
}

/// Returns a connection to its pool, or closes it if the database has not answered on it.
pub(super) fn usable<T>(client: Client, outcome: Result<T, Error>) -> Result<T, Error> {
    if outcome.as_ref().is_err_and(Error::is_late) {
        close(Some(client));
    }
    outcome
}

/// Closes a connection, which the pool then replaces.
fn close(client: Option<Client>) {
    drop(client.map(Client::take));
}

impl Drop for PostgresTransaction {
    fn drop(&mut self) {
        let Some(client) = self.client.take() else {
            return;
        };
        let Ok(runtime) = Handle::try_current() else {
            // Nothing can wait for an answer here.
            return close(Some(client));
        };
        let mut rest = Box::pin(roll_back(client, self.deadline));
        // The first poll sends the statement.
        if rest.as_mut().now_or_never().is_none() {
            runtime.spawn(rest);
        }
    }
}

impl Deref for PostgresTransaction {
    type Target = ClientWrapper;

    fn deref(&self) -> &ClientWrapper {
        self.client.as_ref().expect("it has not ended")
    }
}

impl fmt::Debug for PostgresTransaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresTransaction")
            .finish_non_exhaustive()
    }
}

/// A store for one call, with a transaction of its handler. See [`PostgresKeys::within`].
#[derive(Debug)]
pub struct WithinPostgres {
    keys: PostgresKeys,
    /// `None` once it is used.
    transaction: Mutex<Option<PostgresTransaction>>,
}

impl WithinPostgres {
    pub(super) fn new(keys: PostgresKeys, client: Client) -> Self {
        let transaction = PostgresTransaction::begun(client, keys.deadline);
        Self {
            keys,
            transaction: Mutex::new(Some(transaction)),
        }
    }
}

impl TransactionStore for WithinPostgres {
    type Transaction = PostgresTransaction;
    type Error = Error;

    async fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> Result<BegunTransaction<PostgresTransaction>, Error> {
        let unused = self
            .transaction
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(transaction) = unused else {
            return Err(Error::used_twice());
        };
        self.keys.prepare().await?;
        self.keys.claim_in(transaction, call).await
    }

    async fn commit(
        &self,
        transaction: PostgresTransaction,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> Result<(), Error> {
        self.keys.commit(transaction, record).await
    }

    async fn roll_back(&self, transaction: PostgresTransaction) {
        transaction.roll_back().await;
    }

    async fn find(&self, call: &KeyedCall) -> Result<Option<EarlierCall>, Error> {
        self.keys.find(call).await
    }
}
