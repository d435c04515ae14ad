//! Rules of JSON-RPC that can be seen from outside, for any server.
//!
//! The rules are data: each has a request, and a schema for the response. They follow [JSON-RPC 2.0] and the draft of
//! 1.1, by whose sections they are named:
//!
//! ```json
//! {
//!   "rule": "method-not-found",
//!   "code": -32601,
//!   "clause": "5.1",
//!   "says": "A method that does not exist gets -32601.",
//!   "send": "{\"jsonrpc\": \"2.0\", \"method\": \"no.such.procedure\", \"id\": 1}",
//!   "answer": {"$ref": "#/components/schemas/Response", "required": ["error"], …}
//! }
//! ```
//!
//! A [`WireRule`] says what to send, and judges the body that comes back. Rules about connections have
//! [frames](WireFrame) in place of the request, and a schema for all that comes. As tests in code, the rules could be
//! run against our own server only; as data, `docent check` runs them against any server. The sender of the requests also
//! decides which rules apply to a server ([`WireNeed`], [`WireCarrier`]).
//!
//! A server that departs from the specification in the same way everywhere breaks one rule and not all: its [`Habits`]
//! are learnt first, and the other rules are judged apart from them.
//!
//! [JSON-RPC 2.0]: https://www.jsonrpc.org/specification

mod habits;
mod rule;

pub use habits::{Habits, is_json_rpc};
pub use rule::{WireCarrier, WireFrame, WireNeed, WireRule, rules};
