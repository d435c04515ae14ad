//! The keys of calls, in the library's database: a repetition gets the same outcome from every
//! instance, also after a restart.
//!
//! The store blocks, so each of its functions runs on the blocking pool.

use std::convert::Infallible;
use std::sync::Arc;

use actix_web::web;
use docent::{BoxFuture, Claim, Fault, KeptOutcome, KeyStore, KeyUsage, KeyedCall, RpcError};

use super::error::ProcedureError;
use crate::store::{self, Store};

/// Keeps outcomes in the library's database.
#[derive(Clone)]
pub struct Keys(Store);

impl Keys {
    /// Returns the keys of the calls that a store serves.
    pub fn of(store: &Store) -> Self {
        Self(store.clone())
    }

    /// Runs a function of the store where it may block.
    fn run<T: Send + 'static>(
        &self,
        call: &Arc<KeyedCall>,
        work: impl FnOnce(Store, &Arc<KeyedCall>) -> store::Result<T> + Send + 'static,
    ) -> BoxFuture<Result<T, Fault>> {
        let store = self.0.clone();
        let call = Arc::clone(call);
        Box::pin(async move {
            match web::block(move || work(store, &call)).await {
                Ok(Ok(value)) => Ok(value),
                Ok(Err(error)) => Err(ProcedureError::<Infallible>::from(error).into_fault()),
                Err(error) => Err(Fault::internal(error)),
            }
        })
    }
}

impl KeyStore for Keys {
    fn claim(&self, call: &Arc<KeyedCall>) -> BoxFuture<Result<Claim, Fault>> {
        let claimed = self.run(call, |store, call| {
            let claim = store.claim_key(call)?;
            let held =
                (claim == Claim::Granted).then(|| ClaimGuard(Some((store, Arc::clone(call)))));
            Ok((claim, held))
        });
        Box::pin(async move {
            let (claim, held) = claimed.await?;
            if let Some(mut held) = held {
                // From here on, the service ends it.
                held.0 = None;
            }
            Ok(claim)
        })
    }

    fn keep(&self, call: &Arc<KeyedCall>, outcome: KeptOutcome) -> BoxFuture<Result<(), Fault>> {
        self.run(call, move |store, call| store.keep_outcome(call, &outcome))
    }

    fn release(&self, call: &Arc<KeyedCall>) -> BoxFuture<()> {
        let released = self.run(call, |store, call| {
            store.release_key(call);
            Ok(())
        });
        Box::pin(async move {
            // It fails only if the process ends, and its claims with it.
            let _ = released.await;
        })
    }

    fn usage(&self) -> Option<KeyUsage> {
        Some(self.0.key_usage())
    }
}

/// Ends a claim when dropped, because the call that made it is no longer waiting.
struct ClaimGuard(Option<(Store, Arc<KeyedCall>)>);

impl Drop for ClaimGuard {
    fn drop(&mut self) {
        if let Some((store, call)) = self.0.take() {
            // This may be a thread that must not block.
            std::thread::spawn(move || store.release_key(&call));
        }
    }
}
