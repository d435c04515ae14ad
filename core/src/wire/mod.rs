//! Messages: the protocol version of a body, its requests, and the writing of responses.
//!
//! The text of a body comes in, and the positions of its parts go out. For
//!
//! ```text
//! {"jsonrpc": "2.0", "method": "sum", "params": [1, 2], "id": 7}
//! ```
//!
//! that is a [`ParsedRequest`] with `Protocol::V2_0`, the span of `sum`, that of `[1, 2]` and that of `7`:
//!
//! ```text
//! body ─ read ─► Message: Single, or a Batch of ClassifiedRequest: Request(ParsedRequest), or Invalid { reason, id }
//!          └ Scanner ─► MessageMembers ─ classify: which version is it? ─┘
//! protocol.begin_result(buffer), the handler's result, protocol.end_result(buffer, id) ─► response
//! ```
//!
//! Reading is one pass by [`Scanner`](docent_describe::json::Scanner), which checks the grammar of the whole body and
//! records where the members of each request are. Nothing is copied or decoded: a tree would have to be built for calls
//! that are refused, and would lose how a number or an `id` was written.
//!
//! Versions of the protocol differ only here: [`reading`] has the order in which they are detected and reads a request
//! by its version; [`writing`] writes the response in that version. Dispatch sees only the [`Protocol`]. The meaning of
//! parameters is up to [`bind`](crate::bind), and that of a procedure's name to [`service`](crate::service).
//!
//! The tests send bodies to a service, as callers do: `examples/conformance/tests/it` (`section7`, `versions`,
//! `requests`, `ids`, `batch`, `nesting`).

pub(crate) mod key;
mod members;
mod message;
mod protocol;
mod reading;
mod writing;

pub(crate) use message::{ClassifiedRequest, Invalid, Message, ParsedRequest, TextSpan};
pub use protocol::{Protocol, Protocols};
pub(crate) use reading::{WireRules, read};
#[cfg(feature = "mcp")]
pub(crate) use writing::{BEFORE_ERROR, BEFORE_RESULT};
pub(crate) use writing::{write_error_object, write_json};
