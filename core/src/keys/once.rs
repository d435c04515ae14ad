//! Commits the effects of a call and the record of its outcome in one transaction.
//!
//! A store beside the database cannot know whether a call that was cut off has had its effect. A
//! transaction that holds both can. The database is behind [`TransactionStore`], which users
//! implement.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::call::KeyedCall;
use super::outcome::KeptOutcome;
use super::running::RunningKey;
use super::store::Claim;

/// A database that commits the outcome of a call in the same transaction as its changes, for
/// [`Cx::once`](crate::Cx::once).
///
/// A transaction that is dropped must be rolled back.
///
/// This one stands for a database that runs one transaction at a time:
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Arc;
///
/// use docent::{BegunTransaction, Cx, Fault, KeptOutcome, KeyedCall, Once, TransactionStore};
/// use tokio::sync::{Mutex, OwnedMutexGuard};
///
/// #[derive(Clone, Default)]
/// struct Tables {
///     payments: Vec<u32>,
///     outcomes: HashMap<String, Record>,
/// }
///
/// #[derive(Clone)]
/// struct Record {
///     fingerprint: String,
///     outcome: KeptOutcome,
/// }
///
/// /// Two callers may use the same key.
/// fn name(call: &KeyedCall) -> String {
///     format!("{:?} {}", call.caller(), call.key())
/// }
///
/// #[derive(Default)]
/// struct Bank(Arc<Mutex<Tables>>);
///
/// struct Transaction {
///     committed: OwnedMutexGuard<Tables>,
///     changed: Tables,
/// }
///
/// impl TransactionStore for Bank {
///     type Transaction = Transaction;
///     type Error = Fault;
///
///     async fn begin(
///         &self,
///         call: Option<&KeyedCall>,
///     ) -> Result<BegunTransaction<Transaction>, Fault> {
///         let committed = Arc::clone(&self.0).lock_owned().await;
///         let record = call.and_then(|call| committed.outcomes.get(&name(call)));
///         Ok(match record {
///             None => {
///                 let changed = committed.clone();
///                 BegunTransaction::New(Transaction { committed, changed })
///             }
///             Some(record) if call.is_some_and(|call| record.fingerprint == call.fingerprint()) => {
///                 BegunTransaction::Kept(record.outcome.clone())
///             }
///             Some(_) => BegunTransaction::UsedOtherwise,
///         })
///     }
///
///     async fn commit(
///         &self,
///         mut transaction: Transaction,
///         record: Option<(&KeyedCall, &KeptOutcome)>,
///     ) -> Result<(), Fault> {
///         if let Some((call, outcome)) = record {
///             let fingerprint = call.fingerprint().to_owned();
///             let record = Record { fingerprint, outcome: outcome.clone() };
///             transaction.changed.outcomes.insert(name(call), record);
///         }
///         *transaction.committed = transaction.changed;
///         Ok(())
///     }
/// }
///
/// async fn pay(cx: Cx<Bank>, invoices: Vec<u32>) -> Result<Once<usize>, Fault> {
///     cx.once(cx.state(), async |transaction| {
///         transaction.changed.payments.extend(&invoices);
///         Ok(transaction.changed.payments.len())
///     })
///     .await
/// }
/// # use docent::{Procedure, Service};
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let bank = Bank::default();
/// # let tables = Arc::clone(&bank.0);
/// # let day = std::time::Duration::from_secs(86_400);
/// # let service = Service::builder("bank", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c42")
/// #     .state(bank)
/// #     .procedure(Procedure::new("pay", pay).repeatable(day).keys_without_caller())
/// #     .build()?;
/// # let call = r#"{"jsonrpc": "2.0", "method": "pay", "params": [7], "x-idempotency-key": "k1", "id": 1}"#;
/// # let first = service.handle(call).await;
/// # assert_eq!(first.as_deref(), Some(br#"{"jsonrpc":"2.0","result":1,"id":1}"#.as_slice()));
/// # assert_eq!(service.handle(call).await, first);
/// # assert_eq!(tables.lock().await.outcomes.len(), 1);
/// # Ok(())
/// # }
/// ```
#[cfg(feature = "keys")]
pub trait TransactionStore {
    /// A transaction, with the connection that it runs on.
    type Transaction;

    /// The error of the database.
    type Error;

    /// Begins a transaction. For a call with a key, it also claims the key until the transaction ends
    /// (in PostgreSQL with `pg_try_advisory_xact_lock`), and looks for the outcome of an earlier call.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    fn begin(
        &self,
        call: Option<&KeyedCall>,
    ) -> impl Future<Output = Result<BegunTransaction<Self::Transaction>, Self::Error>>;

    /// Writes the outcome if the call has a key, and commits.
    ///
    /// # Errors
    /// Returns an error if the transaction could not be committed, or if the key has an outcome. If it may have been
    /// committed nevertheless, declare that error with `retry = true`: the repeated call finds out.
    fn commit(
        &self,
        transaction: Self::Transaction,
        record: Option<(&KeyedCall, &KeptOutcome)>,
    ) -> impl Future<Output = Result<(), Self::Error>>;

    /// Rolls a transaction back because its work has failed. By default it drops the transaction.
    fn roll_back(&self, transaction: Self::Transaction) -> impl Future<Output = ()> {
        drop(transaction);
        std::future::ready(())
    }

    /// Looks for the outcome of an earlier call after a transaction has failed: what the earlier call did may be the
    /// reason. By default it finds nothing, which is right if [`begin`](Self::begin) sees every outcome that was committed
    /// before its transaction got the key.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    fn find(
        &self,
        call: &KeyedCall,
    ) -> impl Future<Output = Result<Option<EarlierCall>, Self::Error>> {
        let _ = call;
        std::future::ready(Ok(None))
    }
}

/// The result of beginning a transaction in a [`TransactionStore`].
#[derive(Debug)]
#[non_exhaustive]
#[cfg(feature = "keys")]
pub enum BegunTransaction<T> {
    /// A transaction for a new call.
    New(T),
    /// The outcome of an earlier call with this key.
    Kept(KeptOutcome),
    /// The same call is running in another transaction.
    Running,
    /// The key was used for a call with another fingerprint.
    UsedOtherwise,
    /// The store has no room for another key.
    Full {
        /// The time until there may be room.
        retry_after: Duration,
    },
    /// The caller's [share](crate::KeyRoom::share_of) has no room for another key.
    ShareFull {
        /// The time until there may be room in the share.
        retry_after: Duration,
    },
}

/// An earlier call with the same key, as [`TransactionStore::find`] finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg(feature = "keys")]
pub enum EarlierCall {
    /// The same call has ended with this outcome.
    Kept(KeptOutcome),
    /// The key was used for a call with another fingerprint.
    UsedOtherwise,
}

/// The result of [`Cx::once`](crate::Cx::once), for the handler to return. As JSON, it is the value itself.
///
/// It has no value if the work did not run, because another call with the same key has done it or is doing it. The caller
/// then gets the outcome of that call, or an error that says why there is none.
///
/// A procedure that returns it keeps its outcomes in its own transactions, as
/// [stores](crate::KeyStore::requires_once) may demand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg(feature = "keys")]
pub struct Once<T>(Option<T>);

impl<T> Once<T> {
    /// Returns the value: always, if it is the result that a client has got. `None` if the work did not run.
    pub fn into_value(self) -> Option<T> {
        self.0
    }
}

/// The beginning of the schema's id of each [`Once`], which no other type has.
const SCHEMA_ID: &str = "docent::Once<";

/// The schema is that of the value.
impl<T: JsonSchema> JsonSchema for Once<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        format!("{SCHEMA_ID}{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// Returns whether a type of results is a [`Once`].
pub(crate) fn is_once<R: JsonSchema>() -> bool {
    R::schema_id().starts_with(SCHEMA_ID)
}

/// Implements [`Cx::once`](crate::Cx::once).
pub(crate) async fn once<D, T, E, F>(
    key: Option<&Arc<RunningKey>>,
    store: &D,
    work: F,
) -> Result<Once<T>, E>
where
    D: TransactionStore,
    T: Serialize,
    E: From<D::Error>,
    F: AsyncFnOnce(&mut D::Transaction) -> Result<T, E>,
{
    let Some(key) = key else {
        let BegunTransaction::New(mut transaction) = store.begin(None).await? else {
            // Only a call with a key can have been made before.
            return Ok(Once(None));
        };
        return match work(&mut transaction).await {
            Ok(value) => {
                store.commit(transaction, None).await?;
                Ok(Once(Some(value)))
            }
            Err(error) => {
                store.roll_back(transaction).await;
                Err(error)
            }
        };
    };
    let call = key.call();
    // Before there is a transaction, because nothing is changed without one.
    key.begins();
    let mut transaction = match store.begin(Some(call)).await? {
        BegunTransaction::New(transaction) => transaction,
        BegunTransaction::Kept(outcome) => {
            key.found(outcome);
            return Ok(Once(None));
        }
        BegunTransaction::Running => return Ok(refused(key, Claim::Running)),
        BegunTransaction::UsedOtherwise => return Ok(refused(key, Claim::UsedOtherwise)),
        BegunTransaction::Full { retry_after } => {
            return Ok(refused(key, Claim::Full { retry_after }));
        }
        BegunTransaction::ShareFull { retry_after } => {
            return Ok(refused(key, Claim::ShareFull { retry_after }));
        }
    };
    let value = match work(&mut transaction).await {
        Ok(value) => value,
        Err(error) => {
            store.roll_back(transaction).await;
            let earlier = store.find(call).await?;
            return earlier.map_or(Err(error), |earlier| Ok(repeated(key, earlier)));
        }
    };
    let Ok(outcome) = KeptOutcome::from_result(&value) else {
        // The call ends with this same error, and nothing is committed.
        return Ok(Once(Some(value)));
    };
    if let Err(error) = store.commit(transaction, Some((call, &outcome))).await {
        // The answer to the commit may be lost, so that this call itself is what is found.
        if let Ok(Some(earlier)) = store.find(call).await {
            return Ok(repeated(key, earlier));
        }
        key.is_in_doubt();
        return Err(error.into());
    }
    key.committed(outcome);
    Ok(Once(Some(value)))
}

/// Reports why the work did not run.
fn refused<T>(key: &RunningKey, reason: Claim) -> Once<T> {
    key.refuse(reason);
    Once(None)
}

/// Reports what became of an earlier call.
fn repeated<T>(key: &RunningKey, earlier: EarlierCall) -> Once<T> {
    match earlier {
        EarlierCall::Kept(outcome) => key.found(outcome),
        EarlierCall::UsedOtherwise => key.is_used_otherwise(),
    }
    Once(None)
}
