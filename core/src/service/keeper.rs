//! Keeps the outcome of a call with a key, however the call ends.

use std::sync::Arc;

use futures_util::FutureExt;

use super::ending::{Interruption, settled};
use super::state::Service;
use crate::call::{Call, Ended, Meta};
use crate::code;
use crate::fault::Fault;
use crate::keys::{Claim, KeptOutcome, KeyStore, KeyedCall, Progress, RunningKey};
use crate::output::Output;
use crate::panic::{Panic, caught};
use crate::procedure::Stage;
use crate::runtime::BoxFuture;

/// A call with a key, from its claim until its outcome is kept. If it is dropped in between, it
/// releases the key if the handler has not started. If the handler has started, it keeps the
/// outcome that the handler has committed, or else an error with an unknown outcome.
pub(super) struct Keeper {
    service: Service,
    call: Arc<Call>,
    store: Arc<dyn KeyStore>,
    keyed: Arc<KeyedCall>,
    key: Arc<RunningKey>,
    pub(super) stage: Arc<Stage>,
    /// Set while the key is claimed.
    holds: bool,
    /// Set if the call has ended without an outcome to keep.
    is_void: bool,
}

impl Keeper {
    pub(super) fn new(
        service: &Service,
        call: &Arc<Call>,
        store: &Arc<dyn KeyStore>,
        keyed: KeyedCall,
        stage: &Arc<Stage>,
    ) -> Self {
        let keyed = Arc::new(keyed);
        let key = Arc::new(RunningKey::new(Arc::clone(&keyed)));
        call.set_key(Arc::clone(&key));
        Self {
            service: service.clone(),
            call: Arc::clone(call),
            store: Arc::clone(store),
            keyed,
            key,
            stage: Arc::clone(stage),
            holds: false,
            is_void: false,
        }
    }

    /// Claims the key. If the call was given up meanwhile, it does not start.
    pub(super) async fn claim(&mut self) -> Result<Claim, Fault> {
        let claim = self.store.claim(&self.keyed).await?;
        self.holds = claim == Claim::Granted;
        if self.holds && !self.stage.begin() {
            self.holds = false;
            self.store.release(&self.keyed).await;
            return Err(Fault::not_started());
        }
        Ok(claim)
    }

    /// Keeps the outcome of the handler, if it must be kept. The result begins at `before` in the
    /// buffer.
    pub(super) async fn end(mut self, before: usize, outcome: Result<Ended, Panic>) -> Ended {
        let results = self.service.results();
        let (ended, is_known) = match outcome {
            Ok(ended) => (settled(&self.call, results, Ok(ended)), true),
            Err(panic) => {
                let interruption = Interruption::Panic(panic);
                (settled(&self.call, results, Err(interruption)), false)
            }
        };
        let progress = self.key.progress();
        let mismatch = ended.output.mismatch;
        let mut ended = match &progress {
            Progress::Committed(outcome) => self.answer(outcome, false),
            Progress::Found(outcome) => self.answer(outcome, true),
            Progress::Refused(code) => Ended::failed(ended.output, Fault::protocol(*code)),
            Progress::Open if !is_known => Ended {
                output: ended.output,
                result: ended.result.map_err(Fault::with_unknown_outcome),
            },
            Progress::Open | Progress::InTransaction | Progress::InDoubt => ended,
        };
        ended.output.mismatch = mismatch;
        let Ended { output, result } = ended;
        let kept = match (progress, &result) {
            (Progress::Committed(outcome) | Progress::Found(outcome), _) => Some(outcome),
            (Progress::Refused(_) | Progress::InDoubt, _) => None,
            // The changes of the handler were rolled back, and the error says nothing about the
            // call.
            (Progress::InTransaction, Err(fault)) if fault.code() == code::INTERNAL_ERROR => None,
            (_, Ok(())) => text_from(&output.buffer, before).map(KeptOutcome::result),
            (_, Err(fault)) => self.is_final(fault).then(|| KeptOutcome::of_fault(fault)),
        };
        if let Some(outcome) = kept {
            self.holds = false;
            let kept = self.store.keep(&self.keyed, outcome).await;
            self.report(kept);
        } else {
            self.is_void = true;
            self.store.release(&self.keyed).await;
            self.holds = false;
        }
        Ended { output, result }
    }

    /// Creates the answer from a kept outcome, whatever the handler returned.
    pub(super) fn answer(&self, outcome: &KeptOutcome, replayed: bool) -> Ended {
        let Meta {
            protocol,
            notification,
            ..
        } = self.call.meta;
        let mut output = Output::new(self.service.limits().max_response_bytes, false);
        output.replayed = replayed;
        if !notification {
            protocol.begin_result(&mut output.buffer);
        }
        let result = match outcome.fault() {
            Some(fault) => Err(fault),
            None => output.write_json(outcome.json()),
        };
        Ended { output, result }
    }

    /// Returns whether repetitions get the same error. Otherwise they run.
    fn is_final(&self, fault: &Fault) -> bool {
        let did_not_run = fault.is_protocols_own() && fault.code() == code::TIMED_OUT;
        !did_not_run && !self.call.callee().may_succeed_later(fault.code())
    }

    fn report(&self, kept: Result<(), Fault>) {
        if let Err(fault) = kept {
            let cause = fault.cause().unwrap_or(fault.message());
            let what = format_args!("the outcome of a call with a key was not kept: {cause}");
            self.call.in_span(|| self.call.report().noticed(what));
        }
    }

    /// Runs the remaining work in the runtime, or at once if there is no runtime.
    fn hand_over(&self, work: BoxFuture<()>) {
        let Some(runtime) = &self.call.runtime else {
            work.now_or_never();
            return;
        };
        if let Err(panic) = caught(|| runtime.spawn(work)) {
            self.call
                .in_span(|| self.call.report().panicked("the runtime", panic));
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if !self.holds {
            return;
        }
        if self.is_void || self.stage.is_unstarted() {
            return self.hand_over(self.store.release(&self.keyed));
        }
        let outcome = match self.key.progress() {
            Progress::Committed(outcome) | Progress::Found(outcome) => outcome,
            _ => {
                let callee = self.call.callee();
                let incident = callee.incidents.next(self.call.runtime.as_deref());
                KeptOutcome::of_fault(&Fault::incident(incident).with_unknown_outcome())
            }
        };
        let kept = self.store.keep(&self.keyed, outcome);
        self.hand_over(Box::pin(kept.map(drop)));
    }
}

/// Returns the text in a buffer from `before` on.
fn text_from(buffer: &[u8], before: usize) -> Option<String> {
    let text = buffer.get(before..)?;
    String::from_utf8(text.to_vec()).ok()
}
