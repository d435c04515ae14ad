//! A message and its reply, as transports see them.

use std::sync::Arc;

use bytes::Bytes;

use crate::extensions::Extensions;
use crate::service::reply::Reply;

/// A message of the Model Context Protocol, with what the transport knows about it.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct McpMessage {
    /// The message, as JSON.
    pub body: Bytes,
    /// The header fields that must match the message. `None` for a transport without header fields,
    /// such as standard input: its callers cannot show credentials, so guarded procedures are not
    /// tools for them.
    pub headers: Option<McpHeaders>,
    /// The values that handlers can get by type.
    pub extensions: Option<Arc<Extensions>>,
}

/// The decoded values of the header fields that must match a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "transports create it, and it mirrors the specification"
)]
pub struct McpHeaders {
    /// `MCP-Protocol-Version`
    pub version: Option<String>,
    /// `Mcp-Method`
    pub method: Option<String>,
    /// `Mcp-Name`
    pub name: Option<String>,
}

impl McpMessage {
    /// Creates a message from a transport without header fields.
    pub fn new(body: impl Into<Bytes>) -> Self {
        Self {
            body: body.into(),
            ..Self::default()
        }
    }

    /// Sets the header fields.
    pub fn headers(mut self, headers: McpHeaders) -> Self {
        self.headers = Some(headers);
        self
    }

    /// Sets the values that handlers can get by type.
    pub fn extensions(mut self, extensions: Arc<Extensions>) -> Self {
        self.extensions = Some(extensions);
        self
    }
}

/// The response to a message, and its meaning for a transport.
#[derive(Debug)]
#[non_exhaustive]
pub struct McpReply {
    /// The response. It has no body if nothing is to be sent. A guard may have
    /// [denied](Reply::denial) the call.
    pub reply: Reply,
    /// The meaning of the response for the transport.
    pub status: McpStatus,
}

/// The meaning of a response for a transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum McpStatus {
    /// The message is a request, and this is the response (over HTTP: 200).
    Answered,
    /// The message is a notification (202).
    Accepted,
    /// The message breaks the rules of its revision (400).
    Malformed,
    /// The revision of the message has no such method (404).
    UnknownMethod,
}
