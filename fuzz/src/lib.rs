//! What has to hold for every input.
//!
//! Each check is a function of bytes that panics where something does not hold: [`body`] of a POST,
//! [`query`] of a GET, [`description`] of a service and the [`site`] that is made of one.
//! `cargo xtask fuzz` hands them to libFuzzer; the tests of this crate hand them everything in
//! `corpus/` and `regressions/`, with nothing but a stable compiler.

mod body;
mod description;
mod json;
pub mod oracle;
mod params;
mod query;
mod rearrange;
mod service;

pub use body::{answer, body};
pub use description::{description, site};
pub use query::query;
pub use rearrange::rearrange;
pub use service::Setup;
