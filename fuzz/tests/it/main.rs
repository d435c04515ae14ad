//! Everything in `corpus/` and `regressions/`, and an oracle that is wrong about nothing.
//!
//! One binary, because linking takes longer than testing.

mod corpus;
mod oracle;
mod rearrange;
