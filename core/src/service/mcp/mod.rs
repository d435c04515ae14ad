//! The Model Context Protocol: procedures as tools for agents.
//!
//! [`message`] defines what a transport gets back. [`answer`] handles a message by the
//! rules of its [`revision`], with its [`params`]. The texts about a service are prepared in [`tools`]. A
//! call of a tool starts in `dispatch`, like all calls, with its arguments in place in the body;
//! [`result`] turns its response into the result of a tool. A connection has a [`session`].
//!
//! The methods of the protocol are not procedures. `tools/list` and `server/discover` run as calls
//! of `rpc.describe` with other results, so its guards and observers apply.

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
