//! Calls whose parameters are a query string (JSON-RPC 1.1, section 6.3): idempotent procedures only.

use std::sync::Arc;

use bytestring::ByteString;

use super::callable::Callable;
use super::dispatch::Dispatch;
use super::ending::{Interruption, Scene};
use super::reply::Reply;
use super::state::Service;
use crate::call::{Callee, Ended, Meta};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::CallInfo;
use crate::output::Output;
use crate::panic::caught;

impl Service {
    /// Runs a query, and tells observers of it.
    pub(super) async fn run_query(
        &self,
        name: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let bare = Meta::bare(self.get_protocol(), self.begin());
        let reply = match self.queried(name, query) {
            Ok(callable) => {
                let meta = Meta {
                    request_bytes: query.len(),
                    ..bare
                };
                let dispatch = Dispatch::new(self, ByteString::new(), None, extensions);
                let started = dispatch.start(callable, meta, |call| {
                    call.with_adapted(callable.adapter.adapt_query(&callable.plan, query))
                });
                Reply::ended(started.await, meta, None, Arc::clone(&callable.callee))
            }
            Err((fault, callee)) => {
                let reply = Reply::fault(bare, None, &fault);
                match callee {
                    Some(callee) => reply.of(Arc::clone(callee)),
                    None => reply,
                }
            }
        };
        self.tell_answered(&reply);
        reply
    }

    /// The procedure that a query may run; otherwise why there is none, and which it would be.
    fn queried(&self, name: &str, query: &str) -> Result<&Callable, (Fault, Option<&Arc<Callee>>)> {
        let Some(callable) = self.callable(name) else {
            return Err((self.not_found(name), None));
        };
        let limit = self.limits().max_body_bytes;
        let fault = if query.len() > limit {
            let reason = format_args!("the query may have at most {limit} bytes");
            Fault::explained(code::REQUEST_TOO_LARGE, reason)
        } else if !callable.is_callable_with_get() {
            Fault::explained(
                code::NOT_CALLABLE_WITH_GET,
                "the procedure is not marked idempotent: call it with POST",
            )
        } else {
            return Ok(callable);
        };
        Err((fault, Some(&callable.callee)))
    }

    /// Returns whether the guards would accept a call of a procedure. For what is served alongside
    /// it, such as the reference site alongside `rpc.describe`.
    ///
    /// # Errors
    /// The response for a caller that the guards reject. A procedure that does not exist accepts
    /// everyone.
    pub fn admits(
        &self,
        procedure: &str,
        extensions: Option<&Extensions>,
    ) -> Result<(), Box<Reply>> {
        let Some(callable) = self.callable(procedure) else {
            return Ok(());
        };
        let (callee, protocol) = (&callable.callee, self.get_protocol());
        let meta = Meta::bare(protocol, self.begin());
        let attempt = CallInfo::new(&callee.description, protocol, false, extensions);
        let scene = Scene {
            callee,
            runtime: self.runtime.as_deref(),
        };
        let fault = match caught(|| callee.ask_guards(&attempt)) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(fault)) => scene.settle(fault),
            Err(panic) => scene.interrupted(Interruption::Panic(panic)),
        };
        // It is bounded as the answer to a call is.
        let refused = Ended::failed(Output::new(self.limits().max_response_bytes, false), fault);
        let reply = Reply::ended(refused, meta, None, Arc::clone(callee));
        // Failed attempts are reported wherever they are made.
        self.tell_answered(&reply);
        Err(Box::new(reply))
    }
}
