//! The Model Context Protocol: procedures as tools for agents.
//!
//! The protocol is JSON-RPC 2.0 with methods of its own, so a message is read by [`wire`](crate::wire) like any other:
//!
//! ```json
//! {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "hello", "arguments": {"name": "Ada"}}, "id": 1}
//! ```
//!
//! [`respond`] finds out the [`revision`] of the message and checks its [`params`]. A call of a tool is a call of its
//! procedure: it starts in `dispatch`, with the arguments where they stand in the body, and [`result`] rewrites the response
//! as the result of a tool before observers hear of it. There is no second way to a handler.
//!
//! The methods of the protocol are not procedures. `tools/list` and `server/discover` run as calls of `rpc.describe` that
//! send other bytes, so that its guards and observers apply. These bytes are prepared once for each revision ([`tools`]).
//!
//! A service keeps no sessions: a message over HTTP names its revision in header fields. Only a connection has a
//! [`session`], which remembers what `initialize` has agreed on. Header fields and statuses are values here ([`message`]);
//! a carrier gives them their form.
//!
//! The crate `rmcp` could do this too. It brings 31 crates that are not in the tree of `docent`, among them
//! `tower-service`, `http-body`, `chrono` and `rand`; the code here brings `base64`. It would parse each message into a tree
//! and call handlers itself, past guards, limits and observers. And it speaks for a server that keeps sessions, streams and
//! subscriptions, where a service with tools alone needs five methods. The official clients test what is here
//! (`cargo xtask mcp`, `cargo xtask inspector`).

mod builder;
mod message;
mod params;
mod respond;
mod result;
mod revision;
mod session;
pub(super) mod tools;

pub use message::{McpHeaders, McpReply, McpStatus};
pub(super) use respond::failed;
pub(crate) use session::McpSession;
