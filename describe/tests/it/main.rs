//! The integration tests of this crate, in one binary. A binary for each file would link the same
//! code again and again.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod components;
mod decimal;
mod documentation;
mod examples;
mod faults;
mod format;
mod golden;
mod javascript;
mod json;
mod library;
mod loose;
mod openapi;
mod params;
mod render;
mod sent;
mod type_code;
mod validator;
mod views;
