//! The revisions of the protocol, and the detection of a message's revision.

use docent_describe::json::shorten_bytes;
use serde::Serialize;

use super::message::{McpHeaders, McpStatus};
use super::params::{ClientMeta, VERSION};
use crate::fault::Fault;
use docent_describe::brief::{REASON, quote};

/// The code for header fields that are missing or do not match the message.
const HEADER_MISMATCH: i64 = -32020;
/// The code for a revision that the service does not support.
const UNSUPPORTED: i64 = -32022;

/// A revision of the Model Context Protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Revision {
    /// 2025-11-25, which begins with `initialize`.
    V2025_11_25,
    /// 2026-07-28, in which each request stands alone.
    V2026_07_28,
}

impl Revision {
    /// The supported revisions, newest first.
    pub(super) const ALL: [Self; 2] = [Self::V2026_07_28, Self::V2025_11_25];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    fn named(name: &str) -> Result<Self, Refused> {
        let found = Self::ALL.into_iter().find(|it| it.as_str() == name);
        found.ok_or_else(|| Refused::malformed(unsupported(name)))
    }

    /// Returns the revision of a message.
    ///
    /// A request of the newer revision names it in its `_meta`, and over HTTP also in a header field,
    /// which must be the same. The older revision has only the header field, and not on the first request.
    /// A message with neither counts as the older revision: its specification has servers assume an even
    /// older one then, which has the same `tools/list` and `tools/call`.
    pub(super) fn of(
        client: &ClientMeta<'_>,
        headers: Option<&McpHeaders>,
    ) -> Result<Self, Refused> {
        let said = client.version.as_deref();
        let header = headers.and_then(|headers| headers.version.as_deref());
        match (headers, header, said) {
            (Some(_), None, Some(_)) => {
                Err(mismatch("the header field MCP-Protocol-Version is missing"))
            }
            (Some(_), Some(header), Some(said)) if header != said => Err(mismatch(format_args!(
                "the header field MCP-Protocol-Version is {}, and {VERSION} is {}",
                quote(header),
                quote(said)
            ))),
            _ => header.or(said).map_or(Ok(Self::V2025_11_25), Self::named),
        }
    }

    /// Checks the requirements of the newer revision on each request.
    pub(super) fn check_request(
        self,
        client: &ClientMeta<'_>,
        headers: Option<&McpHeaders>,
        method: &str,
    ) -> Result<(), Refused> {
        if self == Self::V2025_11_25 {
            return Ok(());
        }
        client.check().map_err(Refused::malformed)?;
        let Some(headers) = headers else {
            return Ok(());
        };
        same("Mcp-Method", headers.method.as_deref(), "method", method)
    }

    /// Checks the header field with the name of the tool.
    pub(super) fn check_name(
        self,
        headers: Option<&McpHeaders>,
        name: &str,
    ) -> Result<(), Refused> {
        match headers {
            Some(headers) if self == Self::V2026_07_28 => {
                same("Mcp-Name", headers.name.as_deref(), "params.name", name)
            }
            _ => Ok(()),
        }
    }

    /// Returns the status of an error for the transport. In the older revision, only the response
    /// shows errors.
    pub(super) fn status(self, status: McpStatus) -> McpStatus {
        match self {
            Self::V2025_11_25 => McpStatus::Answered,
            Self::V2026_07_28 => status,
        }
    }
}

/// A message that is not answered with a result.
pub(super) struct Refused {
    pub(super) fault: Fault,
    pub(super) status: McpStatus,
}

impl Refused {
    pub(super) fn malformed(fault: Fault) -> Self {
        Self {
            fault,
            status: McpStatus::Malformed,
        }
    }
}

fn same(field: &str, header: Option<&str>, member: &str, said: &str) -> Result<(), Refused> {
    match header {
        Some(header) if header == said => Ok(()),
        Some(header) => Err(mismatch(format_args!(
            "the header field {field} is {}, and {member} is {}",
            quote(header),
            quote(said)
        ))),
        None => Err(mismatch(format_args!(
            "the header field {field} is missing"
        ))),
    }
}

fn mismatch(reason: impl std::fmt::Display) -> Refused {
    let message = format!("Header mismatch: {reason}");
    Refused::malformed(Fault::new(HEADER_MISMATCH, message))
}

fn unsupported(requested: &str) -> Fault {
    #[derive(Serialize)]
    struct Data<'a> {
        supported: [&'a str; 2],
        requested: &'a str,
    }
    Fault::new(UNSUPPORTED, "Unsupported protocol version").set_data(&Data {
        supported: Revision::ALL.map(Revision::as_str),
        requested: &shorten_bytes(requested, REASON),
    })
}
