//! Tests of the corpus and the regressions, of the oracle itself, and of published schemas, which
//! an independent validator must read as the service does.
//!
//! One binary, because linking takes longer than testing.

mod attributes;
mod corpus;
mod differential;
mod oracle;
mod rearrange;
mod renderings;
mod zoo;
