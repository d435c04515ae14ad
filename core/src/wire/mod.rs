//! Messages: the protocol version of a body, its requests, and the writing of responses.
//!
//! Reading is one pass over the text by [`Scanner`](docent_describe::json::Scanner), which checks
//! the grammar of the whole body and records where the members of each request are. Nothing is
//! copied: everything after this module works on spans of the body.
//!
//! Versions of the protocol differ only here: [`reading`] defines the order in which they are
//! detected, and reads a request by its version; [`writing`] uses that version to write the
//! response. Dispatch sees only a [`ParsedRequest`] and its [`Protocol`].
//!
//! The tests send bodies to a service, as callers do: `examples/conformance/tests/it` (`section7`,
//! `versions`, `requests`, `ids`, `batch`, `nesting`).

pub(crate) mod key;
mod members;
mod message;
mod protocol;
mod reading;
mod writing;

pub(crate) use message::{ClassifiedRequest, Invalid, Message, ParsedRequest, Span};
pub use protocol::{Protocol, Protocols};
pub(crate) use reading::{Rules, read};
#[cfg(feature = "mcp")]
pub(crate) use writing::{BEFORE_ERROR, BEFORE_RESULT};
pub(crate) use writing::{write_error_object, write_json};
