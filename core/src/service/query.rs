//! GET's half of dispatch: parameters from a query string, and idempotent procedures only.

use std::sync::Arc;

use bytestring::ByteString;

use super::dispatch::{Answered, Exchange, wait_for};
use super::ending::{Interruption, failed, finish, settle};
use super::{Reply, Service, caught};
use crate::bind::Params;
use crate::cx::Extensions;
use crate::fault::{Fault, code};
use crate::guard::Attempt;

impl Service {
    pub(super) async fn answer_query(
        self,
        name: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let protocol = self.protocol_of_get();
        let Some(entry) = self.inner.procedures.get(name).cloned() else {
            return Reply::fault_of(protocol, &Fault::protocol(code::METHOD_NOT_FOUND));
        };
        let limit = self.inner.frame.limits.body;
        if query.len() > limit {
            let reason = format_args!("the query may have at most {limit} bytes");
            let fault = Fault::explained(code::REQUEST_TOO_LARGE, reason);
            return Reply::fault_of(protocol, &fault).of(entry, None);
        }
        if !entry.is_callable_with_get() {
            let fault = Fault::explained(
                code::NOT_CALLABLE_WITH_GET,
                "the procedure is not marked idempotent: call it with POST",
            );
            return Reply::fault_of(protocol, &fault).of(entry, None);
        }
        let exchange = Exchange::new(self, ByteString::new(), None, extensions);
        let started = exchange.start(&entry, protocol, false, |run| {
            match entry.query.params(&entry.plan, query) {
                Ok(params) => run.with(Params::given(&params)),
                Err(error) => run.refused(error.into()),
            }
        });
        let watch = exchange.service.watch();
        let ended = wait_for(&entry, started).await;
        let answer = finish(&entry, ended, protocol, None);
        let answered = Answered::to_query(answer, protocol, query, entry);
        watch.end(&answered);
        answered.into_reply()
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
        let attempt = Attempt {
            procedure: &entry.description,
            protocol: self.protocol_of_get(),
            notification: false,
            extensions,
        };
        let asked = caught(|| entry.ask_guards(&attempt));
        let asked = asked.unwrap_or_else(|panic| failed(entry, Interruption::Panic(panic)).1);
        let Err(fault) = asked else {
            return Ok(());
        };
        let mut fault = settle(entry, fault);
        let denial = fault.take_denial();
        let refused = Reply::fault_of(self.protocol_of_get(), &fault);
        Err(Box::new(refused.of(Arc::clone(entry), denial)))
    }
}
