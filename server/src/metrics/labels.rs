//! The labels of calls.

use std::fmt;
use std::sync::Arc;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};

/// The labels of a finished call.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct CallLabels {
    #[prometheus(flatten)]
    pub(super) procedure: ProcedureLabels,
    pub(super) protocol: &'static str,
    pub(super) code: Code,
}

/// A procedure of a service.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ProcedureLabels {
    pub(super) mount: Arc<str>,
    pub(super) procedure: Arc<str>,
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Code {
    /// The call returned a result.
    Ok,
    /// The caller disconnected and the call was cancelled.
    Cancelled,
    /// A code of the protocol or of the description.
    Known(i64),
    /// Any other code: a procedure with open errors may return any number.
    Other,
}

impl EncodeLabelValue for Code {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        match self {
            Self::Ok => "ok".encode(encoder),
            Self::Cancelled => "cancelled".encode(encoder),
            Self::Known(code) => code.encode(encoder),
            Self::Other => "other".encode(encoder),
        }
    }
}
