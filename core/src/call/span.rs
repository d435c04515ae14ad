//! The span that the log uses for everything that happens during a call.
//!
//! Handlers log inside of it without knowing of it. Values that callers choose stay out, except for
//! IDs with a fixed form.

use tracing::Span;
use tracing::level_filters::LevelFilter;

use super::callee::Callee;
use crate::extensions::Extensions;
use crate::request_id::RequestId;
use crate::trace::TraceParent;
use crate::wire::Protocol;

/// The span of a call, if a subscriber wants it. Creating a span costs more than looking up the
/// procedure.
pub(super) struct CallSpan(Option<Span>);

impl CallSpan {
    /// Creates the span. Its names come from the service. The only texts from the caller are the
    /// trace that the call belongs to and the ID of the request, which are both well-formed.
    #[inline]
    pub(super) fn new(
        callee: &Callee,
        protocol: Protocol,
        extensions: Option<&Extensions>,
    ) -> Self {
        if LevelFilter::current() < LevelFilter::INFO {
            return Self(None);
        }
        let procedure = callee.name();
        let protocol = protocol.as_str();
        let parent = extensions
            .and_then(Extensions::get)
            .map(TraceParent::as_str);
        let request_id = extensions.and_then(Extensions::request_id);
        Self(Some(tracing::info_span!(
            "call",
            procedure,
            protocol,
            request_id = request_id.map(RequestId::as_str),
            traceparent = parent
        )))
    }

    #[inline]
    pub(super) fn in_scope<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(span) => span.in_scope(work),
            None => work(),
        }
    }
}
