//! Calls with a key: each runs once, however often it is repeated.
//!
//! The key is claimed after the guards have accepted the call and its parameters have been checked.
//! The handler runs under the claim, and its outcome is kept. All of that is one task, so a call
//! that has timed out, or whose caller has disconnected, continues to its end like any other.

use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};

use docent_describe::json::Cursor;
use futures_util::FutureExt;

use super::builder::ServiceBuilder;
use super::callable::Callable;
use super::dispatch::{Dispatch, adapted, in_place};
use super::state::Service;
use crate::bind::{Plan, canonical};
use crate::call::Call;
use crate::code;
use crate::fault::Fault;
use crate::keys::{
    Claim, KeptOutcome, KeyStore, KeyUsage, KeyedCall, Progress, RunningKey, fingerprint,
};
use crate::output::{Ended, Output, Task};
use crate::panic::Panic;
use crate::procedure::{Invoke, Started};
use crate::runtime::BoxFuture;
use crate::wire::{ParsedRequest, key};

#[cfg(feature = "keys")]
impl<S> ServiceBuilder<S> {
    /// Sets the store that keeps the outcomes of calls with keys, for
    /// [repeatable](crate::Procedure::repeatable) procedures. The default is a
    /// [`MemoryKeyStore`](crate::MemoryKeyStore), which serves a single process. Services that
    /// [extend](Service::extend) this one use the same store.
    pub fn key_store(mut self, store: impl KeyStore) -> Self {
        self.registration.key_store = Some(Arc::new(store));
        self
    }
}

#[cfg(feature = "keys")]
impl Service {
    /// Returns the usage of the [key store](crate::ServiceBuilder::key_store). `None` if no procedure is
    /// repeatable, or if the [store](KeyStore::usage) does not know it.
    pub fn key_usage(&self) -> Option<KeyUsage> {
        self.inner.frame.registration.key_store.as_ref()?.usage()
    }
}

impl Dispatch<'_> {
    /// Starts a call with a key.
    #[cold]
    pub(super) fn start_with_key(
        &self,
        request: &ParsedRequest,
        call: &Arc<Call>,
        callable: &Callable,
        output: &mut Output,
        cx: &mut Context<'_>,
    ) -> Started {
        let Callable { handler, plan, .. } = callable;
        let keep_for = call.callee().description.repeatable.ok_or_else(|| {
            invalid("the procedure is not repeatable: calls of it cannot have a key")
        })?;
        let key = self.key(request)?.into_owned();
        let params = if request.protocol.adapts() {
            let by_name = callable.adapter.adapt_call(plan, self.params(request));
            Some(adapted(by_name, callable)?)
        } else {
            self.params(request).map(str::to_owned)
        };
        handler.accepts(plan, params.as_deref())?;
        let Some(store) = &self.service.inner.frame.registration.key_store else {
            // Cannot happen: `build()` ensures that there is a store.
            return Err(Fault::protocol(code::BUSY));
        };
        let procedure = call.callee().name().to_owned();
        let keyed = KeyedCall {
            caller: call.caller().map(|caller| caller.id().into_owned()),
            key,
            fingerprint: fingerprint(&procedure, &canonical(params.as_deref(), plan)),
            procedure,
            keep_for,
            runtime: call.runtime.clone(),
        };
        let running_key = Arc::new(RunningKey::new(keyed));
        // It cannot be set already: that happens once, before the handler starts.
        let _ = call.key.set(Arc::clone(&running_key));
        call.waits();
        let keeper = Keeper {
            service: self.service.clone(),
            call: Arc::clone(call),
            store: Arc::clone(store),
            key: running_key,
            has_claim: false,
            is_void: false,
        };
        let output_of_handler = if call.meta.notification {
            // The result of a notification is not sent, but a repetition may need it.
            Output::new(self.service.limits().max_response_bytes, false)
        } else {
            output.take()
        };
        let running = keeper.run(
            Arc::clone(handler),
            Arc::clone(plan),
            params,
            output_of_handler,
        );
        let mut task: Task = Box::pin(running);
        match task.as_mut().poll(cx) {
            Poll::Ready(ended) => ended.written_to(output).map(|()| None),
            Poll::Pending => Ok(Some(task)),
        }
    }

    /// Returns the key of a request.
    fn key<'a>(&'a self, request: &ParsedRequest) -> Result<Cow<'a, str>, Fault> {
        let member = request
            .key
            .and_then(|at| key::read_member(Cursor::at(&self.body, at.get()).value()));
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
            (None, Some(field)) => Ok(Cow::Borrowed(field)),
            (None, None) => Err(invalid(key::MALFORMED_REASON)),
        }
    }
}

fn invalid(reason: &str) -> Fault {
    Fault::explained(code::INVALID_REQUEST, reason)
}

/// A call with a key, from its claim until its outcome is kept. If it is dropped in between, it
/// releases the key if the handler has not started, or changes everything in one transaction. Otherwise
/// it keeps the outcome that the handler has committed, or else an error with an unknown outcome.
struct Keeper {
    service: Service,
    call: Arc<Call>,
    store: Arc<dyn KeyStore>,
    key: Arc<RunningKey>,
    /// Set while the key is claimed.
    has_claim: bool,
    /// Set if the call has ended without an outcome to keep.
    is_void: bool,
}

impl Keeper {
    /// Claims the key, and runs the handler if it is new.
    async fn run(
        mut self,
        handler: Arc<dyn Invoke>,
        plan: Arc<Plan>,
        params: Option<String>,
        mut output: Output,
    ) -> Ended {
        match self.store.claim(&self.key.call).await {
            Ok(Claim::Granted) => {}
            Ok(Claim::Kept(outcome)) => return self.ended_with(&outcome, true),
            Ok(refusal) => return Ended::failed(output, self.refused(&refusal)),
            Err(fault) => return Ended::failed(output, fault),
        }
        self.has_claim = true;
        if !self.call.begins() {
            return Ended::failed(output, Fault::not_started());
        }
        let before = output.buffer.len();
        let call = Arc::clone(&self.call);
        let handler = async {
            let started =
                in_place(|cx| handler.start(call, &plan, params.as_deref(), &mut output, cx));
            let result = match started.await {
                Ok(Some(task)) => return task.await,
                ended => ended.map(drop),
            };
            Ended { output, result }
        };
        let ended = AssertUnwindSafe(handler).catch_unwind().await;
        self.end(before, ended.map_err(Panic::new)).await
    }

    /// Keeps the outcome of the handler, if it must be kept. The result begins at `before` in the
    /// buffer.
    async fn end(mut self, before: usize, ended: Result<Ended, Panic>) -> Ended {
        let is_known = ended.is_ok();
        let Ended { mut output, result } = ended.unwrap_or_else(|panic| {
            Ended::failed(Output::lost(), self.call.panicked("a procedure", panic))
        });
        let progress = self.key.progress();
        // The result of a handler that did not get the key says nothing.
        let did_run = !matches!(progress, Progress::Found(_) | Progress::Refused(_));
        let result = if did_run {
            self.service.settle(&self.call, &mut output, result)
        } else {
            result
        };
        let mismatch = output.mismatch;
        let Ended { mut output, result } = match &progress {
            Progress::Committed(outcome) => self.ended_with(outcome, false),
            Progress::Found(outcome) => self.ended_with(outcome, true),
            Progress::Refused(refusal) => Ended::failed(output, self.refused(refusal)),
            Progress::Open if !is_known => Ended {
                output,
                result: result.map_err(Fault::with_unknown_outcome),
            },
            _ => Ended { output, result },
        };
        output.mismatch = mismatch;
        let kept = match (progress, &result) {
            (Progress::Committed(_) | Progress::Found(_), _) if self.store.requires_once() => None,
            (Progress::Committed(outcome) | Progress::Found(outcome), _) => Some(outcome),
            (Progress::Refused(_) | Progress::InDoubt, _) => None,
            // The changes of the handler were rolled back, and the error says nothing about the
            // call.
            (Progress::InTransaction, Err(fault)) if fault.code() == code::INTERNAL_ERROR => None,
            (_, Ok(())) => output
                .buffer
                .get(before..)
                .and_then(|result| str::from_utf8(result).ok())
                .map(KeptOutcome::result),
            (_, Err(fault)) => self.is_final(fault).then(|| KeptOutcome::of_fault(fault)),
        };
        if let Some(outcome) = kept {
            self.has_claim = false;
            if let Err(fault) = self.store.keep(&self.key.call, outcome).await {
                let cause = fault.cause().unwrap_or(fault.message());
                let what = format_args!("the outcome of a call with a key was not kept: {cause}");
                self.call.in_span(|| self.call.report().noticed(what));
            }
        } else {
            self.is_void = true;
            self.store.release(&self.key.call).await;
            self.has_claim = false;
        }
        Ended { output, result }
    }

    /// Returns the error for a call that did not get its key.
    fn refused(&self, refusal: &Claim) -> Fault {
        match refusal {
            Claim::UsedOtherwise => Fault::protocol(code::KEY_USED_OTHERWISE),
            Claim::Full { retry_after } => {
                let reason = "the store of keys is full";
                Fault::busy(reason, *retry_after)
            }
            Claim::ShareFull { retry_after } => {
                let reason = match self.call.caller() {
                    Some(_) => "this caller's share of the store of keys is full",
                    None => "the share of unknown callers in the store of keys is full",
                };
                Fault::busy(reason, *retry_after)
            }
            Claim::Running | Claim::Granted | Claim::Kept(_) => {
                Fault::protocol(code::STILL_RUNNING)
            }
        }
    }

    /// Ends the call with a kept outcome, whatever the handler returned.
    fn ended_with(&self, outcome: &KeptOutcome, replayed: bool) -> Ended {
        let meta = self.call.meta;
        let mut output = Output::new(self.service.limits().max_response_bytes, false);
        output.replayed = replayed;
        if !meta.notification {
            meta.protocol.begin_result(&mut output.buffer);
        }
        let result = match outcome.fault() {
            Some(fault) => Err(fault),
            None => output.write_json(outcome.json()),
        };
        Ended { output, result }
    }

    /// Returns whether repetitions get the same error. Otherwise they run.
    fn is_final(&self, fault: &Fault) -> bool {
        if fault.is_protocols_own() && matches!(fault.code(), code::TIMED_OUT | code::BUSY) {
            // The handler has not run.
            return false;
        }
        match self.call.callee().declared(fault.code()) {
            Some(declared) => declared.retry != Some(true),
            None => true,
        }
    }

    /// Runs the remaining work in the runtime, or at once if there is no runtime.
    fn hand_over(&self, work: BoxFuture<()>) {
        if self.call.runtime.is_some() {
            self.call.hand_over(work);
        } else {
            work.now_or_never();
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if !self.has_claim {
            return;
        }
        if self.is_void || self.call.give_up() {
            return self.hand_over(self.store.release(&self.key.call));
        }
        let outcome = match self.key.progress() {
            Progress::Committed(outcome) | Progress::Found(outcome) => outcome,
            // Nothing was changed, or the database knows the outcome.
            Progress::InTransaction | Progress::InDoubt | Progress::Refused(_) => {
                return self.hand_over(self.store.release(&self.key.call));
            }
            Progress::Open => {
                let incident = self
                    .call
                    .callee()
                    .incidents
                    .next(self.call.runtime.as_deref());
                KeptOutcome::of_fault(&Fault::incident(incident).with_unknown_outcome())
            }
        };
        let keeping = self.store.keep(&self.key.call, outcome).map(drop);
        self.hand_over(Box::pin(keeping));
    }
}
