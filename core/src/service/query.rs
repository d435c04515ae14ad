//! Calls with their parameters in a query string (JSON-RPC 1.1, section 6.3): idempotent procedures
//! only.

use std::sync::Arc;
use std::task::Context;

use bytestring::ByteString;

use super::admitted::Admitted;
use super::callable::Callable;
use super::callers::{Callers, Wait};
use super::dispatch::Dispatch;
use super::ending::{Interruption, Scene};
use super::reply::Reply;
use super::rest::in_place;
use super::starting::in_time;
use super::state::Service;
use crate::call::{Callee, Ended, Meta, Started};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::output::Output;
use crate::panic::caught;

impl Service {
    /// Runs a query, and notifies observers of it.
    pub(super) async fn run_query(
        &self,
        name: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let bare = Meta::bare(self.get_protocol(), self.begin());
        let dispatch = Dispatch::new(self, ByteString::new(), None, extensions);
        let reply = match self.callable(name).or(self.unknown()) {
            None => Reply::fault(bare, None, &self.not_found(name)),
            Some(callable) => {
                let callee = &callable.callee;
                let unfit = self.unfit(callable, query);
                let is_open = self.unknown().is_none() || !callee.is_guarded();
                if let Some(fault) = unfit.as_ref().filter(|_| is_open) {
                    let reply = Reply::fault(bare, None, fault).of(Arc::clone(callee));
                    self.tell_answered(&reply, Some(&dispatch));
                    return reply;
                }
                let meta = Meta {
                    request_bytes: query.len(),
                    ..bare
                };
                // A caller that the guards reject does not learn that there is such a procedure.
                let begin = |call: Admitted<'_, '_>| match &unfit {
                    Some(fault) => Started::Ended(Err(fault.clone())),
                    None => call.with_adapted(callable.adapter.adapt_query(&callable.plan, query)),
                };
                let mut output = dispatch.output(&meta);
                let start =
                    |cx: &mut Context<'_>| dispatch.start(callable, meta, &mut output, cx, begin);
                let ended = match in_place(start).await {
                    Started::Ended(result) => Ended { output, result },
                    Started::Running(rest) => dispatch.end(rest, begin).await,
                };
                Reply::ended(ended, meta, None, Some(Arc::clone(callee)))
            }
        };
        self.tell_answered(&reply, Some(&dispatch));
        reply
    }

    /// Returns the fault of a query that cannot run the procedure, or `None` if it can.
    fn unfit(&self, callable: &Callable, query: &str) -> Option<Fault> {
        let limit = self.limits().max_body_bytes;
        if query.len() > limit {
            let reason = format_args!("the query may have at most {limit} bytes");
            return Some(Fault::explained(code::REQUEST_TOO_LARGE, reason));
        }
        let reason = "the procedure is not marked idempotent: call it with POST";
        let fault = || Fault::explained(code::NOT_CALLABLE_WITH_GET, reason);
        (!callable.is_callable_with_get()).then(fault)
    }

    /// Checks whether a call of the procedure would be accepted. For content that is served alongside
    /// a procedure, such as the reference site alongside `rpc.describe`. A procedure that does not
    /// exist accepts everyone.
    ///
    /// # Errors
    /// Returns the response for a caller that is rejected.
    pub async fn admits(
        &self,
        procedure: &str,
        extensions: Option<&Arc<Extensions>>,
    ) -> Result<(), Box<Reply>> {
        let Some(callable) = self.callable(procedure) else {
            return Ok(());
        };
        let callee = &callable.callee;
        let meta = Meta::bare(self.get_protocol(), self.begin());
        let scene = Scene {
            callee,
            runtime: self.runtime.as_deref(),
            extensions: extensions.map(|it| &**it),
        };
        let fault = match self.admit(callee, scene.extensions).await {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(fault)) => scene.settle(fault),
            Err(interruption) => scene.interrupted(interruption),
        };
        // The error is bounded like the response to a call.
        let refused = Ended::failed(Output::new(self.limits().max_response_bytes, false), fault);
        let reply = Reply::ended(refused, meta, None, Some(Arc::clone(callee)));
        // Rejected attempts are reported to observers wherever they are made.
        self.tell_refused(&reply, extensions.cloned());
        Err(Box::new(reply))
    }

    /// Runs the guards of a procedure, and finds out who is calling if the procedure needs to know
    /// it.
    async fn admit(
        &self,
        callee: &Callee,
        extensions: Option<&Extensions>,
    ) -> Result<Result<(), Fault>, Interruption> {
        let info = CallInfo::new(&callee.description, self.get_protocol(), false, extensions);
        let panicked = Interruption::Panic;
        let callers = Callers::default();
        let attempt = caught(|| callers.attempt(self, callee, &info)).map_err(panicked)?;
        let deadline = self.now().and_then(|now| now.checked_add(callee.timeout));
        let asked = callers.ask_in_turn(callee, &info, Wait::Place(attempt));
        let verdict = in_time(asked, self.runtime.as_deref(), deadline).await?;
        let decide = || match &callee.access {
            None => verdict.map(drop),
            Some(access) => access.decide(verdict?, &info).map(drop),
        };
        caught(decide).map_err(panicked)
    }
}
