//! Commands as URLs: `exec:COMMAND`.
//!
//! A service that speaks over its standard input and output has no address. With a URL for its command, it is an input
//! like any other, and everything that takes an address takes it:
//!
//! ```text
//! docent list 'exec:npx -y @modelcontextprotocol/server-memory'
//!
//! http::Exchange ─► CommandService ─ send(message) ─► CommandPipes ─► a line to the command, a line from it
//!                         │                               └─ a thread for each pipe
//!                         └─ take, put_back ─► mcp::McpSession, which speaks over the same pipes
//! ```
//!
//! The [`Exchange`](crate::http::Exchange) keeps the [`CommandService`] of its URL, and returns each answer as a
//! response over HTTP: 200 with the line as its body, or 204. [`service`] speaks plain JSON-RPC, one message on each
//! line. After a message that may have no answer it sends one that every service answers, to see that there was none.
//! The [Model Context Protocol](crate::mcp) takes the pipes for itself, and gives them back if the command does not
//! speak it.
//!
//! [`address`] converts between commands and URLs. [`pipes`] runs the command without a shell and reads its lines in a
//! thread, so that a silent one runs into the time limit. A blocking read would be simpler, and would hang with it. A
//! command that ends is started again when the next request is sent, because a check goes on after a call has ended the
//! server.

mod address;
mod pipes;
mod service;

pub(crate) use address::{command_of, command_url, is_command};
pub(crate) use pipes::{CommandPipes, CommandUser, ResponseTime, warn_of_noise};
#[cfg(feature = "websocket")]
pub(crate) use service::with_key;
pub(crate) use service::{CommandService, PROBE_METHOD};
