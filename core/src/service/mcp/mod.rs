//! The Model Context Protocol: procedures as tools for agents.
//!
//! [`message`] is what a transport passes in and gets back. [`answer`] finds out what a message asks for:
//! by the rules of its [`revision`], from its [`params`]. What a service says about itself is prepared in
//! [`tools`]. A call of a tool starts where all calls start, in `dispatch`, with the arguments where they
//! stand in the body; [`result`] makes the result of a tool of its response.
//!
//! The methods of the protocol are no procedures. `tools/list` and `server/discover` are calls of
//! `rpc.describe` that send something else, so its guards and observers apply.

mod answer;
mod builder;
mod message;
mod params;
mod result;
mod revision;
pub(super) mod tools;

pub use message::{McpHeaders, McpMessage, McpReply, McpStatus};
