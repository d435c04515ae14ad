//! Calls with their parameters in a query string (JSON-RPC 1.1, section 6.3): idempotent procedures
//! only.

use std::sync::Arc;

use bytestring::ByteString;

use super::callable::Callable;
use super::dispatch::{Dispatch, DispatchInput};
use super::reply::Reply;
use super::state::Service;
use crate::call::Meta;
use crate::code;
use crate::extensions::Extensions;
use crate::fault::Fault;

impl Service {
    /// Calls an idempotent procedure with parameters from a query string (JSON-RPC 1.1, section
    /// 6.3), for GET. Other procedures are rejected and do not run.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c33")
    ///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).idempotent())
    ///     .build()?;
    /// let response = service.query("hello", "", None).await.into_body();
    /// assert_eq!(response.unwrap(), br#"{"jsonrpc":"2.0","result":"hello","id":null}"#);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn query(
        &self,
        procedure: &str,
        query: &str,
        extensions: Option<Arc<Extensions>>,
    ) -> Reply {
        let bare = Meta::bare(self.get_protocol(), self.begin());
        let dispatch = Dispatch::new(self, ByteString::new(), None, extensions);
        let reply = match self.callable(procedure).or(self.unknown()) {
            None => Reply::fault(bare, None, &self.not_found(procedure)),
            Some(callable) => {
                // A caller that the guards reject does not learn that there is such a procedure.
                let is_open = self.unknown().is_none() || !callable.callee.is_guarded();
                match self.check_query(callable, query) {
                    Err(fault) if is_open => {
                        Reply::fault(bare, None, &fault).with_callee(Arc::clone(&callable.callee))
                    }
                    _ => {
                        let meta = Meta {
                            request_bytes: query.len(),
                            ..bare
                        };
                        dispatch
                            .call(callable, meta, None, DispatchInput::Query(query))
                            .await
                    }
                }
            }
        };
        self.notify_answered(&reply, Some(&dispatch));
        reply
    }

    /// Returns the error of a query that is unfit to run the procedure.
    pub(super) fn check_query(&self, callable: &Callable, query: &str) -> Result<(), Fault> {
        let limit = self.limits().max_body_bytes;
        if query.len() > limit {
            let reason = format_args!("the query may have at most {limit} bytes");
            return Err(Fault::explained(code::REQUEST_TOO_LARGE, reason));
        }
        if callable.is_callable_with_get() {
            return Ok(());
        }
        let reason = "the procedure is not marked idempotent: call it with POST";
        Err(Fault::explained(code::NOT_CALLABLE_WITH_GET, reason))
    }
}
