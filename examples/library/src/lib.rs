//! A lending library: the service of the `library` example, stored in one SQLite file or in PostgreSQL.
//!
//! From the inside out: [`model`] has the types that callers see, and their documentation becomes
//! the reference. [`store`] keeps the catalogue and the loans and enforces the rules of lending.
//! [`api`] turns the store's functions into procedures. [`clock`] provides the date, [`token`] the
//! token that write calls require, and [`settings`] parses the command line.

pub mod api;
pub mod clock;
pub mod model;
pub mod settings;
pub mod store;
pub mod token;
