//! The calls that benchmarks make, answered by Docent and by hand.
//!
//! A [`case`] is a body and what it is about: `sum`, `named`, `large-result`. [`docent`] answers it with a service, and
//! [`floor`] with a table of functions and nothing else, which is the least that anybody could do. The work is the same
//! on both sides: `bench show` prints what each answers, and their ratio is what Docent costs. The types that both
//! decode are in [`types`].
//!
//! ```text
//! bench sync sum 1000       a service whose handler runs in place
//! bench floor sum 1000      the same by hand
//! ```
//!
//! Nothing is timed here. `bench/compare` counts instructions and takes turns, since times depend on the machine.

pub mod case;
pub mod docent;
pub mod floor;
pub mod threads;
pub mod types;
