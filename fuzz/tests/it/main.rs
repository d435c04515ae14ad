//! Everything in `corpus/` and `regressions/`, an oracle that is wrong about nothing, and published
//! schemas that a validator which is not ours reads as the service does.
//!
//! One binary, because linking takes longer than testing.

mod attributes;
mod corpus;
mod differential;
mod oracle;
mod rearrange;
mod zoo;
