//! The labels of calls.

use std::fmt;
use std::sync::Arc;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};

/// How calls of a procedure have ended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Call {
    pub(super) mount: Arc<str>,
    pub(super) procedure: Arc<str>,
    pub(super) protocol: &'static str,
    pub(super) code: Code,
}

/// A procedure of a service.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Place {
    pub(super) mount: Arc<str>,
    pub(super) procedure: Arc<str>,
}

/// A service.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Mounted {
    pub(super) mount: Arc<str>,
}

/// The code of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Code {
    /// A result.
    Ok,
    /// Neither: the caller left, and the call was given up.
    Cancelled,
    /// An error of the protocol's or of the description's.
    Known(i64),
    /// Any other: a procedure whose codes are open may answer with any number.
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
