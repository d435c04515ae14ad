//! GET's half of dispatch: parameters from a query string, and idempotent procedures only.

use std::sync::Arc;
use std::time::Instant;

use bytestring::ByteString;

use super::answered::Answered;
use super::dispatch::Exchange;
use super::ending::{Interruption, Scene, finish};
use super::start::{Asked, wait_for};
use super::{Entry, Reply, Service, caught};
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::guard::Attempt;
use crate::observer::Ending;
use crate::output::Output;

impl Service {
    pub(super) async fn answer_query(
        self,
        name: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let service = self.clone();
        let begun = service.begin();
        let answered = match self.readable(name, query) {
            Ok(entry) => self.run_query(entry, query, extensions, begun).await,
            Err((fault, entry)) => Answered::fault(service.protocol_of_get(), &fault, entry),
        };
        service.tell(&answered, Ending::Answered, service.since(begun));
        answered.into_reply()
    }

    /// The procedure that a query may be for; otherwise why there is none.
    fn readable(&self, name: &str, query: &str) -> Result<Arc<Entry>, (Fault, Option<Arc<Entry>>)> {
        let Some(entry) = self.inner.procedures.get(name).cloned() else {
            return Err((self.inner.not_found(name), None));
        };
        let limit = self.inner.frame.limits.body;
        if query.len() > limit {
            let reason = format_args!("the query may have at most {limit} bytes");
            let fault = Fault::explained(code::REQUEST_TOO_LARGE, reason);
            return Err((fault, Some(entry)));
        }
        if !entry.is_callable_with_get() {
            let fault = Fault::explained(
                code::NOT_CALLABLE_WITH_GET,
                "the procedure is not marked idempotent: call it with POST",
            );
            return Err((fault, Some(entry)));
        }
        Ok(entry)
    }

    async fn run_query(
        self,
        entry: Arc<Entry>,
        query: &str,
        extensions: Option<Arc<Extensions>>,
        begun: Option<Instant>,
    ) -> Answered {
        let protocol = self.protocol_of_get();
        let asked = Asked {
            protocol,
            notification: false,
            request_bytes: query.len(),
            begun,
        };
        let exchange = Exchange::new(self, ByteString::new(), None, extensions);
        let started = exchange.start(&entry, asked, |run| {
            match entry.adapter.adapt_query(&entry.plan, query) {
                Ok(adapted) => run.with_adapted(adapted),
                Err(error) => run.refused(error.into()),
            }
        });
        let ended = wait_for(started).await;
        let answer = finish(ended, protocol, None);
        Answered::to_query(answer, protocol, query, entry)
    }

    /// Whether a guard would let somebody call a procedure: for what is served beside it, such as
    /// the reference site beside `rpc.describe`.
    ///
    /// # Errors
    /// The answer for somebody who is not let in. A procedure that does not exist lets everybody in.
    pub fn admits(
        &self,
        procedure: &str,
        extensions: Option<&Extensions>,
    ) -> Result<(), Box<Reply>> {
        let Some(entry) = self.inner.procedures.get(procedure) else {
            return Ok(());
        };
        let begun = self.begin();
        let attempt = Attempt::new(
            &entry.description,
            self.protocol_of_get(),
            false,
            extensions,
        );
        let scene = Scene {
            entry,
            runtime: self.runtime.as_deref(),
        };
        let fault = match caught(|| entry.ask_guards(&attempt)) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(fault)) => scene.settle(fault),
            Err(panic) => scene.interrupted(Interruption::Panic(panic)),
        };
        let protocol = self.protocol_of_get();
        // It is bounded as the answer to a call is.
        let output = Output::new(self.inner.frame.limits.response, false);
        let answer = finish((output, Err(fault)), protocol, None);
        let refused = Answered::to_query(answer, protocol, "", Arc::clone(entry));
        // Whoever tries to get in is of interest, wherever they try.
        self.tell(&refused, Ending::Answered, self.since(begun));
        Err(Box::new(refused.into_reply()))
    }
}
