//! A lending library: the service that the `library` example offers, kept in one SQLite file.
//!
//! From the inside out: [`model`] is the vocabulary that callers see, and its documentation becomes
//! the reference documentation; [`store`] keeps the catalogue and the loans and knows the rules of
//! lending; [`api`] makes procedures of what the store can do; [`clock`] says which day it is;
//! [`token`] is what callers bring who change something; [`settings`] reads the command line.

pub mod api;
pub mod clock;
pub mod model;
pub mod settings;
pub mod store;
pub mod token;
