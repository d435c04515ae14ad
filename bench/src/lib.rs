//! The calls that benchmarks make, answered by Docent and by hand.
//!
//! The work is the same on both sides: `bench show` prints what each answers.

pub mod case;
pub mod docent;
pub mod floor;
pub mod threads;
pub mod types;
