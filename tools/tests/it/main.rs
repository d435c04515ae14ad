//! The integration tests of this crate, in one binary. A binary for each file would link the same
//! code again and again.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod client;
mod compare;
#[path = "../../../describe/tests/it/faults.rs"]
mod faults;
mod inclusion;
#[path = "../../../describe/tests/it/library.rs"]
mod library;
mod mcp;
#[path = "../../../describe/tests/it/member_samples.rs"]
mod member_samples;
mod members;
mod openrpc;
mod random;
mod read;
mod round_trip;
mod spec;
mod wire;
