//! The integration tests of this crate, in one binary. A binary for each file would link the same
//! code again and again.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod compare;
mod components;
mod decimal;
mod documentation;
mod examples;
mod format;
mod golden;
mod inclusion;
mod json;
mod library;
mod loose;
mod openrpc;
mod random;
mod read;
mod render;
mod round_trip;
mod shape;
mod type_code;
mod validator;
