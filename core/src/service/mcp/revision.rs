//! The revisions of the protocol, and the detection of a message's revision.
//!
//! A revision is found out for each message, because the service keeps no sessions. Only this file
//! knows what differs between them.

use docent_describe::json::shorten_bytes;
use serde_json::json;

use super::message::{McpHeaders, McpStatus};
use super::params::{ClientMeta, VERSION_MEMBER};
use crate::fault::Fault;
use docent_describe::brief::{MAX_REASON_BYTES, quote};

/// The code for header fields that are missing or do not match the message.
const HEADER_MISMATCH: i64 = -32020;
/// The code for a revision that the service does not support.
const UNSUPPORTED_VERSION: i64 = -32022;

/// A revision of the Model Context Protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Revision {
    /// 2024-11-05, the first.
    V2024_11_05,
    /// 2025-03-26, the only one with batches.
    V2025_03_26,
    /// 2025-06-18, the first with structured results, and with the version in a header field.
    V2025_06_18,
    /// 2025-11-25, the last that begins with `initialize`.
    V2025_11_25,
    /// 2026-07-28, in which each request stands alone.
    V2026_07_28,
}

impl Revision {
    /// The supported revisions, newest first.
    pub(super) const ALL_SUPPORTED: [Self; 5] = [
        Self::V2026_07_28,
        Self::V2025_11_25,
        Self::V2025_06_18,
        Self::V2025_03_26,
        Self::V2024_11_05,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL_SUPPORTED
            .into_iter()
            .find(|revision| revision.as_str() == name)
    }

    /// Returns the revision that `initialize` agrees on if the client asks for this version: the newest that
    /// there can be if it is not supported.
    pub(super) fn agreed(version: &str) -> Self {
        Self::from_name(version)
            .filter(|found| !found.is_stateless())
            .unwrap_or(Self::V2025_11_25)
    }

    /// Returns whether each request stands alone: there is no `initialize`.
    pub(super) fn is_stateless(self) -> bool {
        self >= Self::V2026_07_28
    }

    /// Returns whether results of tools have structured content, and a schema.
    pub(super) fn has_structure(self) -> bool {
        self >= Self::V2025_06_18
    }

    /// Returns the revision of a message.
    ///
    /// A request of the newest revision names it in its `_meta`, and over HTTP also in a header field,
    /// which must be the same. Others have only the header field, from 2025-06-18 on, and not on the first
    /// request. A message with neither counts as 2025-03-26, as the specification says. Without header
    /// fields, the connection has agreed on a revision.
    pub(super) fn detect(
        client: &ClientMeta<'_>,
        headers: Option<&McpHeaders>,
        agreed: Option<Self>,
    ) -> Result<Self, MessageError> {
        let claimed = client.version.as_deref();
        let header = headers.and_then(|headers| headers.version.as_deref());
        if let (Some(_), Some(claimed)) = (headers, claimed) {
            check_same("MCP-Protocol-Version", header, VERSION_MEMBER, claimed)?;
        }
        match header.or(claimed) {
            Some(name) => {
                Self::from_name(name).ok_or_else(|| MessageError::malformed(unsupported(name)))
            }
            None if headers.is_some() => Ok(Self::V2025_03_26),
            None => Ok(agreed.unwrap_or(Self::V2025_11_25)),
        }
    }

    /// Checks the requirements of the newest revision on each request.
    pub(super) fn check_request(
        self,
        client: &ClientMeta<'_>,
        headers: Option<&McpHeaders>,
        method: &str,
    ) -> Result<(), MessageError> {
        if !self.is_stateless() {
            return Ok(());
        }
        client.check().map_err(MessageError::malformed)?;
        let Some(headers) = headers else {
            return Ok(());
        };
        check_same("Mcp-Method", headers.method.as_deref(), "method", method)
    }

    /// Checks the header field with the name of the tool.
    pub(super) fn check_name(
        self,
        headers: Option<&McpHeaders>,
        name: &str,
    ) -> Result<(), MessageError> {
        match headers {
            Some(headers) if self.is_stateless() => {
                check_same("Mcp-Name", headers.name.as_deref(), "params.name", name)
            }
            _ => Ok(()),
        }
    }

    /// Returns the status of an error for the transport. In older revisions, only the response shows
    /// errors.
    pub(super) fn status(self, status: McpStatus) -> McpStatus {
        if self.is_stateless() {
            status
        } else {
            McpStatus::Answered
        }
    }
}

/// A message that is answered with an error.
pub(super) struct MessageError {
    pub(super) fault: Fault,
    pub(super) status: McpStatus,
}

impl MessageError {
    pub(super) fn malformed(fault: Fault) -> Self {
        Self {
            fault,
            status: McpStatus::Malformed,
        }
    }
}

fn check_same(
    field: &str,
    header: Option<&str>,
    member: &str,
    claimed: &str,
) -> Result<(), MessageError> {
    match header {
        Some(header) if header == claimed => Ok(()),
        Some(header) => Err(mismatch(format_args!(
            "the header field {field} is {}, and {member} is {}",
            quote(header),
            quote(claimed)
        ))),
        None => Err(mismatch(format_args!(
            "the header field {field} is missing"
        ))),
    }
}

fn mismatch(reason: impl std::fmt::Display) -> MessageError {
    let message = format!("Header mismatch: {reason}");
    MessageError::malformed(Fault::new(HEADER_MISMATCH, message))
}

fn unsupported(requested: &str) -> Fault {
    let supported = Revision::ALL_SUPPORTED.map(Revision::as_str);
    let requested = shorten_bytes(requested, MAX_REASON_BYTES);
    let data = json!({ "supported": supported, "requested": requested });
    Fault::new(UNSUPPORTED_VERSION, "Unsupported protocol version").set_data(&data)
}
