//! Calls whose parameters are a query string (JSON-RPC 1.1, section 6.3): idempotent procedures only.

use std::sync::Arc;

use bytestring::ByteString;

use super::callable::Callable;
use super::dispatch::Dispatch;
use super::ending::{Interruption, Scene};
use super::reply::Reply;
use super::state::Service;
use crate::call::{Ended, Meta};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::Attempt;
use crate::output::Output;
use crate::panic::caught;

impl Dispatch {
    async fn run_query(&self, name: &str, query: &str, bare: Meta) -> Reply {
        let service = &self.service;
        let Some(callable) = service.callable(name) else {
            return Reply::fault(bare, None, &service.not_found(name));
        };
        if let Some(fault) = service.refuse_query(callable, query) {
            return Reply::fault(bare, None, &fault).of(Arc::clone(&callable.callee));
        }
        let meta = Meta {
            request_bytes: query.len(),
            ..bare
        };
        self.run(callable, meta, None, |call| {
            call.with_adapted(callable.adapter.adapt_query(&callable.plan, query))
        })
        .await
    }
}

impl Service {
    /// Runs a query, and tells observers of it.
    pub(super) async fn run_query(
        self,
        name: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let bare = Meta::bare(self.protocol_of_get(), self.begin());
        let dispatch = Dispatch::new(self, ByteString::new(), None, extensions);
        let reply = dispatch.run_query(name, query, bare).await;
        dispatch.service.tell_answered(&reply);
        reply
    }

    /// Why a query is not run, where it is not.
    fn refuse_query(&self, callable: &Callable, query: &str) -> Option<Fault> {
        let limit = self.limits().body;
        if query.len() > limit {
            let reason = format_args!("the query may have at most {limit} bytes");
            return Some(Fault::explained(code::REQUEST_TOO_LARGE, reason));
        }
        (!callable.is_callable_with_get()).then(|| {
            Fault::explained(
                code::NOT_CALLABLE_WITH_GET,
                "the procedure is not marked idempotent: call it with POST",
            )
        })
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
        let (callee, protocol) = (&callable.callee, self.protocol_of_get());
        let meta = Meta::bare(protocol, self.begin());
        let attempt = Attempt::new(&callee.description, protocol, false, extensions);
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
        let refused = Ended::failed(Output::new(self.limits().response, false), fault);
        let reply = Reply::ended(refused, meta, None, Arc::clone(callee));
        // Whoever tries to get in is of interest, wherever they try.
        self.tell_answered(&reply);
        Err(Box::new(reply))
    }
}
