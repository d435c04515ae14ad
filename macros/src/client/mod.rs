//! The client's side of a procedure: a method with the same arguments and results.
//!
//! Whether anybody wants it is not known here. So it is written in such a way that it asks nothing of
//! the types before it is called: each bound has a lifetime of its own (`for<'de>`), and the compiler
//! checks such a bound of a method where the method is used.

mod parts;
mod types;

pub(crate) use parts::{ClientName, Source, client, method_of_function};
