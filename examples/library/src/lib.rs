//! A lending library: the service that the `library` example offers, kept in one SQLite file.
//!
//! From the inside out: [`model`] is the vocabulary that callers see, and its documentation becomes
//! the reference documentation; [`store`] keeps the catalogue and the loans and knows the rules of
//! lending; [`clock`] says which day it is; [`settings`] reads the command line. The store blocks,
//! so whoever calls it from asynchronous code does so on a blocking pool.

pub mod clock;
pub mod model;
pub mod settings;
pub mod store;
