//! Servers that do the same work: one of Docent, and two written by hand on actix-web.
//!
//! All of them answer `sum`, by POST and by GET with a validator, and send the same document: Docent as
//! its description, the others as bytes. `bare` answers all calls of `bench`, from a table of procedures,
//! and sends all the header fields that Docent sends; `plain` has handlers for `sum` alone.

pub mod bare;
pub mod docent;
pub mod plain;

/// The number of procedures of a service, so that its description has about 250 kB.
pub const PROCEDURES: usize = 500;
