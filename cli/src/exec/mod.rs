//! Commands as URLs: `exec:COMMAND`.
//!
//! A service that speaks over its standard input and output has no address. With a URL for its command, it is an input
//! like any other, and everything that takes an address takes it:
//!
//! ```text
//! docent list 'exec:npx -y @modelcontextprotocol/server-memory'
//! ```
//!
//! [`address`] converts between commands and URLs, [`pipes`] runs the command without a shell and reads its lines in a
//! thread, so that a silent one runs into the time limit. [`service`] speaks plain JSON-RPC over the pipes, and
//! [`crate::mcp`] the Model Context Protocol. A command that ends is started again when the next request is sent,
//! because a check goes on after a call has ended the server.

mod address;
mod pipes;
mod service;

pub(crate) use address::{command_of, command_url, is_command};
pub(crate) use pipes::{CommandPipes, CommandUser, ResponseTime, warn_of_noise};
#[cfg(feature = "websocket")]
pub(crate) use service::with_key;
pub(crate) use service::{CommandService, PROBE_METHOD};
