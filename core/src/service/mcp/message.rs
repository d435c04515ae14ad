//! The header fields of a message and its reply, as transports see them.
//!
//! The protocol uses header fields and statuses where JSON-RPC has none. This crate knows them as
//! values; a transport gives them their form.

use crate::service::reply::Reply;

/// The decoded values of the header fields that must match a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "transports create it, and it mirrors the specification"
)]
#[cfg(feature = "mcp")]
pub struct McpHeaders {
    /// `MCP-Protocol-Version`
    pub version: Option<String>,
    /// `Mcp-Method`
    pub method: Option<String>,
    /// `Mcp-Name`
    pub name: Option<String>,
}

/// The response to a message, and its meaning for a transport.
#[derive(Debug)]
#[non_exhaustive]
#[cfg(feature = "mcp")]
pub struct McpReply {
    /// The response. It has no body if nothing is to be sent. A guard may have
    /// [rejected](Reply::rejection) the call.
    pub reply: Reply,
    /// The meaning of the response for the transport.
    pub status: McpStatus,
}

/// The meaning of a response for a transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[cfg(feature = "mcp")]
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
