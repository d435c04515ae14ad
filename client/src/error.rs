//! The errors of a client's calls.
//!
//! They tell apart what a caller handles in different ways: an error that the procedure declares, any other error of
//! the service, a call without an answer, sent or not, and a malformed response.

use std::error::Error;
use std::fmt;

use docent_core::Fault;

use crate::transport::{Received, TransportError};

/// The maximum number of bytes that are shown of a malformed response.
const MAX_QUOTED_BYTES: usize = 100;

/// The error of a call. `E` is the error type of the procedure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError<E> {
    /// The procedure returned an error that `E` declares.
    #[error("the call failed: {0:?}")]
    Declared(E),
    /// The service answered with another error: one of the protocol, such as Invalid params, or one with a code
    /// that this client does not know.
    #[error("the call failed: {0}")]
    Fault(Fault),
    /// The parameters cannot be serialised. Nothing has been sent.
    #[error("the parameters cannot be serialised: {0}")]
    Params(#[source] serde_json::Error),
    /// The result does not have the type that the procedure returns.
    #[error("the result is not of the expected type: {0}")]
    Result(#[source] serde_json::Error),
    /// No complete response has arrived.
    #[error("no response: {0}")]
    Transport(TransportError),
    /// A body arrived that is not the response to this call.
    #[error("{0}")]
    Malformed(MalformedResponse),
}

impl<E> ClientError<E> {
    /// Returns the error of the procedure, if this is one.
    pub fn declared(&self) -> Option<&E> {
        match self {
            Self::Declared(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the error that the service answered with, if `E` does not declare it.
    pub fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

impl<E> From<TransportError> for ClientError<E> {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

/// A response that is not the JSON-RPC response to the call, such as the error page of a proxy.
#[derive(Debug)]
#[non_exhaustive]
pub struct MalformedResponse {
    pub(crate) problem: String,
    /// The response. It is boxed to keep the result of every call small.
    pub received: Box<Received>,
}

impl fmt::Display for MalformedResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let received = &self.received;
        let body = &received.body;
        f.write_str("this is not the response to the call: ")?;
        if let Some(status) = received.status {
            write!(f, "HTTP {status}, ")?;
        }
        if let Some(wait) = received.retry_after {
            write!(f, "retry after {wait:?}, ")?;
        }
        if let Some(location) = &received.location {
            let origin = received.origin.as_deref().unwrap_or("the service");
            write!(
                f,
                "a redirect from {origin} to {location:?}, which is not followed, "
            )?;
        }
        f.write_str(&self.problem)?;
        if let Some(media_type) = &received.media_type {
            write!(f, " ({})", media_type.escape_debug())?;
        }
        if body.is_empty() {
            return Ok(());
        }
        let beginning = &body[..body.len().min(MAX_QUOTED_BYTES)];
        write!(f, ": {:?}", String::from_utf8_lossy(beginning))?;
        if beginning.len() < body.len() {
            f.write_str("…")?;
        }
        Ok(())
    }
}

impl Error for MalformedResponse {}
