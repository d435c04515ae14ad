//! The calls that benchmarks make, answered by Docent and by hand.

pub mod case;
pub mod docent;
pub mod floor;
pub mod threads;
pub mod types;
