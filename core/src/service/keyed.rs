//! Calls with a key: each runs once, however often it is repeated.
//!
//! The key is claimed after the guards have accepted the call and its parameters have been checked.
//! The handler runs under the claim, and its outcome is kept. All of that is one task, so a call
//! that has timed out, or whose caller has disconnected, continues to its end like any other.

use std::borrow::Cow;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytestring::ByteString;

use super::admitted::Admitted;
use super::dispatch::Dispatch;
use super::keeper::Keeper;
use super::rest::in_place;
use crate::bind::{Params, Plan};
use crate::call::{Call, Ended, Started};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::keys::{Claim, KeyedCall, fingerprint};
use crate::output::Output;
use crate::panic::{Panic, caught};
use crate::procedure::{Invoke, Stage, Task};
use crate::wire::{Request, key};

impl Dispatch<'_> {
    /// Returns whether a request has a key and is for a procedure that is not idempotent.
    #[inline]
    pub(super) fn has_key(&self, request: &Request, is_idempotent: bool) -> bool {
        !is_idempotent && (request.key.is_some() || self.has_key_field())
    }

    /// Returns whether the message has a key in a field.
    pub(super) fn has_key_field(&self) -> bool {
        self.key_field(0).is_some()
    }

    fn key_field(&self, place: usize) -> Option<&[u8]> {
        let fields = self.extensions().and_then(Extensions::fields)?;
        fields.value(key::FIELD, place)
    }

    /// Starts a call with a key. Its parameters have the form of 2.0.
    #[cold]
    pub(super) fn start_with_key(
        &self,
        request: &Request,
        call: Admitted<'_, '_>,
        params: ByteString,
    ) -> Started<Task> {
        let Admitted {
            call,
            callable,
            output,
            waker,
        } = call;
        let keep_for = call.callee().repeatable.ok_or_else(|| {
            let reason = "the procedure is not repeatable: calls of it cannot have a key";
            Fault::explained(code::INVALID_REQUEST, reason)
        });
        let key = keep_for.and_then(|keep_for| Ok((self.key(request)?, keep_for)));
        let accepted = key.and_then(|key| {
            let params = given(&params);
            callable.handler.accepts(&callable.plan, params)?;
            Ok(key)
        });
        let (key, keep_for) = match accepted {
            Ok(key) => key,
            Err(fault) => return Started::Ended(Err(fault)),
        };
        let Some(store) = self.service.key_store() else {
            // Cannot happen: `build()` ensures that there is a store.
            return Started::Ended(Err(Fault::protocol(code::BUSY)));
        };
        let procedure = call.callee().name().to_owned();
        let params_text = given(&params).canonical(&callable.plan);
        let keyed = KeyedCall {
            caller: call.caller().map(|caller| caller.id().into_owned()),
            key: key.into_owned(),
            fingerprint: fingerprint(&procedure, &params_text),
            procedure,
            keep_for,
            runtime: call.runtime.clone(),
        };
        let stage = Arc::new(Stage::default());
        let work = Work {
            call: Arc::clone(call),
            handler: Arc::clone(&callable.handler),
            plan: Arc::clone(&callable.plan),
            params,
            output: if call.meta.notification {
                // The result of a notification is not sent, but a repetition may need it.
                Output::new(self.limit(), false)
            } else {
                output.take()
            },
            keeper: Keeper::new(self.service, call, store, keyed, &stage),
        };
        let mut task = Task::queued(Box::pin(work.run()), stage);
        match task.poll(waker) {
            Poll::Ready(ended) => Started::Ended(ended.written_to(output)),
            Poll::Pending => Started::Running(task),
        }
    }

    /// Returns the key of a request.
    fn key<'a>(&'a self, request: &Request) -> Result<Cow<'a, str>, Fault> {
        let invalid = |reason| Fault::explained(code::INVALID_REQUEST, reason);
        let member = request.key.and_then(|at| {
            let value = docent_describe::json::Cursor::at(self.text(), at.get()).value();
            key::read_member(value)
        });
        let field = match (self.key_field(0), self.key_field(1)) {
            (None, _) => None,
            (Some(_), Some(_)) => return Err(invalid("Idempotency-Key must be given once")),
            (Some(value), None) => Some(key::read_field(value).ok_or_else(|| {
                invalid("Idempotency-Key must have 1 to 255 visible ASCII characters")
            })?),
        };
        match (member, field) {
            (Some(member), Some(field)) if *member != *field => Err(invalid(
                "x-idempotency-key and Idempotency-Key must be the same, if both are given",
            )),
            (Some(member), _) => Ok(member),
            (None, field) => field
                .map(Cow::Borrowed)
                .ok_or_else(|| invalid(key::MALFORMED)),
        }
    }
}

/// Returns the parameters in a text, which is empty if there are none.
fn given(params: &str) -> Params<'_> {
    if params.is_empty() {
        Params::Absent
    } else {
        Params::given(params)
    }
}

/// A call with a key, before its handler starts.
struct Work {
    call: Arc<Call>,
    handler: Arc<dyn Invoke>,
    plan: Arc<Plan>,
    params: ByteString,
    output: Output,
    keeper: Keeper,
}

impl Work {
    async fn run(self) -> Ended {
        let Self {
            call,
            handler,
            plan,
            params,
            mut output,
            mut keeper,
        } = self;
        let refused = match keeper.claim().await {
            Ok(Claim::Granted) => None,
            Ok(Claim::Kept(outcome)) => return keeper.answer(&outcome, true),
            Ok(Claim::Running) => Some(Fault::protocol(code::STILL_RUNNING)),
            Ok(Claim::UsedOtherwise) => Some(Fault::protocol(code::KEY_USED_OTHERWISE)),
            Ok(Claim::Full { retry_after }) => Some(full("the store of keys is full", retry_after)),
            Ok(Claim::ShareFull { retry_after }) if call.caller().is_some() => {
                let reason = "this caller's share of the store of keys is full";
                Some(full(reason, retry_after))
            }
            Ok(Claim::ShareFull { retry_after }) => {
                let reason = "the share of unknown callers in the store of keys is full";
                Some(full(reason, retry_after))
            }
            Err(fault) => Some(fault),
        };
        if let Some(fault) = refused {
            return Ended::failed(output, fault);
        }
        let before = output.buffer.len();
        let start = in_place(|waker| {
            let call = Arc::clone(&call);
            caught(|| handler.start(call, &plan, given(&params), &mut output, waker))
        });
        let outcome = match start.await {
            Ok(Started::Ended(result)) => Ok(Ended { output, result }),
            Ok(Started::Running(task)) => follow(task, &keeper).await,
            Err(panic) => Err(panic),
        };
        keeper.end(before, outcome).await
    }
}

/// Returns the fault for a call whose outcome has no room in the store.
fn full(reason: &str, retry_after: Duration) -> Fault {
    Fault::later(code::BUSY, Some(reason), retry_after)
}

/// Polls a handler to its end.
async fn follow(mut task: Task, keeper: &Keeper) -> Result<Ended, Panic> {
    keeper.stage.runs(&task);
    std::future::poll_fn(|cx| match caught(|| task.poll(cx)) {
        Ok(polled) => polled.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}
