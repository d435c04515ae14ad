//! The labels of calls.
//!
//! Their names are part of what the guide promises, because dashboards use them.

use std::borrow::Cow;
use std::sync::Arc;

use prometheus_client::encoding::EncodeLabelSet;

/// The labels of a finished call.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct CallLabels {
    #[prometheus(flatten)]
    pub(super) procedure: ProcedureLabels,
    pub(super) protocol: &'static str,
    /// `ok`, `cancelled` (the caller disconnected), a code of the protocol or of the description, or `other`: a
    /// procedure with open errors may return any number.
    pub(super) code: Cow<'static, str>,
}

/// A procedure of a service.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ProcedureLabels {
    pub(super) mount: Arc<str>,
    pub(super) procedure: Arc<str>,
}
