//! Properties that must hold for every input.
//!
//! Each check takes bytes and panics if a property does not hold:
//!
//! | check | takes |
//! |---|---|
//! | [`body`] | a POST |
//! | [`query`] | a GET |
//! | [`mcp`] | a message of an agent |
//! | [`connection`] | the bytes of a connection |
//! | [`description`] | a service's description |
//! | [`site`] | a description to generate pages from |
//!
//! The right response is predicted by the [`oracle`], which shares no code with what it checks. `cargo xtask fuzz`
//! runs the checks with libFuzzer. The tests of this crate run them on everything in `corpus/` and `regressions/`, and
//! need only a stable compiler.

mod body;
mod connection;
mod corpus;
mod description;
mod json;
mod mcp;
pub mod oracle;
mod params;
mod query;
mod rearrange;
mod service;

pub use body::{body, response};
pub use connection::{Conversation, check_conversation, connection, converse, sent_bytes};
pub use corpus::{StoredInput, stored_inputs};
pub use description::{description, site};
pub use mcp::mcp;
pub use query::query;
pub use rearrange::rearrange;
pub use service::Setup;
