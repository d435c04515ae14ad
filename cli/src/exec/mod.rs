//! Commands as URLs: `exec:COMMAND`.
//!
//! A service that speaks over its standard input and output has no address. With a URL for its
//! command, it is an input like any other. [`pipes`] runs the command; [`service`] speaks plain JSON-RPC with it, and
//! [`crate::mcp`] the Model Context Protocol.

mod address;
mod pipes;
mod service;

pub(crate) use address::{command_of, command_url, is_command};
pub(crate) use pipes::{AnswerTime, CommandPipes, CommandUser, warn_of_noise};
#[cfg(feature = "websocket")]
pub(crate) use service::with_key;
pub(crate) use service::{CommandService, PROBE_METHOD};
