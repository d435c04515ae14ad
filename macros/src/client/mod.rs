//! The client's side of a procedure: a method with the same arguments and result.
//!
//! The macro does not know whether the client will be used. So the client requires nothing of its
//! types until it is called: each bound has a lifetime of its own (`for<'de>`), and the compiler
//! checks such a bound of a method only where the method is used.

mod parts;
mod types;

pub(crate) use parts::{ClientName, ClientSource, client, method_of_function};
