//! The key of a call, for its handler.
//!
//! A handler needs it only if it keeps its outcome in a transaction of its own. Otherwise the
//! service keeps the outcome by itself.

use std::sync::Arc;

use serde::Serialize;

use super::context::Cx;
use crate::caller::CallerArg;
use crate::keys::{Once, RunningKey, TransactionStore, once};

#[cfg(feature = "keys")]
impl<S, U: CallerArg> Cx<S, U> {
    /// Returns the key of the call, if it has one, for handlers that keep its outcome in a transaction
    /// of their own; see [`RunningKey`].
    pub fn running_key(&self) -> Option<&Arc<RunningKey>> {
        self.call.key.get()
    }

    /// Runs `work` in a transaction of a database and, if the call has a
    /// [key](crate::Procedure::repeatable), keeps its outcome in the same transaction. Either both are
    /// committed or neither is, whatever happens to the process, the connection or the caller.
    ///
    /// If an earlier call with the same key has been committed, `work` does not run, and the caller
    /// gets the outcome of that call. If `work` fails or panics, the transaction is rolled back. For a
    /// call without a key, this is an ordinary transaction.
    ///
    /// ```
    /// # use std::convert::Infallible;
    /// # use std::sync::Mutex;
    /// use docent::{BegunTransaction, Cx, Fault, KeptOutcome, KeyedCall, Once, TransactionStore};
    ///
    /// # struct Bank;
    /// # struct Transaction;
    /// # impl Transaction { async fn pay(&mut self, _: u32) -> Result<u32, Fault> { Ok(7) } }
    /// # impl TransactionStore for Bank {
    /// #     type Transaction = Transaction;
    /// #     type Error = Fault;
    /// #     async fn begin(&self, _: Option<&KeyedCall>) -> Result<BegunTransaction<Transaction>, Fault> { Ok(BegunTransaction::New(Transaction)) }
    /// #     async fn commit(&self, _: Transaction, _: Option<(&KeyedCall, &KeptOutcome)>) -> Result<(), Fault> { Ok(()) }
    /// # }
    /// async fn pay(cx: Cx<Bank>, invoices: Vec<u32>) -> Result<Once<u32>, Fault> {
    ///     cx.once(cx.state(), async |transaction| {
    ///         let mut receipt = 0;
    ///         for invoice in &invoices {
    ///             receipt = transaction.pay(*invoice).await?;
    ///         }
    ///         Ok(receipt)
    ///     })
    ///     .await
    /// }
    /// # let _: docent::Procedure<Bank> = docent::Procedure::new("pay", pay);
    /// ```
    ///
    /// # Errors
    /// Returns the errors of `work` and those of the database.
    ///
    /// A blocking handler uses [`once_blocking`](Self::once_blocking).
    pub async fn once<D, T, E, F>(&self, store: &D, work: F) -> Result<Once<T>, E>
    where
        D: TransactionStore,
        T: Serialize,
        E: From<D::Error>,
        F: AsyncFnOnce(&mut D::Transaction) -> Result<T, E>,
    {
        once(self.running_key(), store, work).await
    }

    /// Does what [`once`](Self::once) does, for a [blocking](crate::Procedure::blocking) handler: waits for the database
    /// on this thread.
    ///
    /// # Errors
    /// Returns the errors of `work` and those of the database.
    pub fn once_blocking<D, T, E, F>(&self, store: &D, work: F) -> Result<Once<T>, E>
    where
        D: TransactionStore,
        T: Serialize,
        E: From<D::Error>,
        F: FnOnce(&mut D::Transaction) -> Result<T, E>,
    {
        let work = async |transaction: &mut D::Transaction| work(transaction);
        pollster::block_on(once(self.running_key(), store, work))
    }
}
