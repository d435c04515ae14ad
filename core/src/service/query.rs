//! GET's half of dispatch: parameters from a query string, and idempotent procedures only.

use std::sync::Arc;

use bytestring::ByteString;

use super::dispatch::{Exchange, wait_for};
use super::ending::finish;
use super::{Entry, Reply, Service};
use crate::bind::Params;
use crate::cx::Extensions;
use crate::fault::{Fault, code};

impl Service {
    pub(super) async fn answer_query(
        self,
        name: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let protocol = self.inner.frame.protocols.get;
        let Some(entry) = self.inner.procedures.get(name).cloned() else {
            return Reply::fault_of(protocol, &Fault::protocol(code::METHOD_NOT_FOUND));
        };
        let params = match params(&entry, query) {
            Ok(params) => params,
            Err(fault) => return Reply::fault_of(protocol, &fault).of(&entry),
        };
        let exchange = Exchange::new(self, ByteString::new(), None, extensions);
        let limit = exchange.limit();
        let started = exchange.start(&entry, protocol, false, Params::given(&params), limit);
        let ended = wait_for(&entry, started).await;
        let (body, code) = finish(&entry, ended, protocol, None);
        Reply::new(Some(body), protocol, code).of(&entry)
    }
}

/// The text of the parameters; for a procedure that GET must not run, its refusal.
fn params(entry: &Entry, query: &str) -> Result<String, Fault> {
    if !entry.is_callable_with_get() {
        return Err(Fault::explained(
            code::NOT_CALLABLE_WITH_GET,
            "the procedure is not marked idempotent: call it with POST",
        ));
    }
    Ok(entry.query.params(&entry.plan, query)?)
}
