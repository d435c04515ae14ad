//! Rules of JSON-RPC that can be seen from outside, for any server.
//!
//! The rules are data: each has a request, and a schema for the response. They follow [JSON-RPC 2.0] and
//! the draft of 1.1, by whose sections they are named. Those of connections have frames, and a schema for all that comes.
//!
//! [JSON-RPC 2.0]: https://www.jsonrpc.org/specification

mod habits;
mod rule;

pub use habits::{Habits, is_json_rpc};
pub use rule::{WireCarrier, WireFrame, WireNeed, WireRule, rules};
