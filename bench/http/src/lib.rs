//! Two servers that do the same work: one of Docent, and one written by hand on actix-web.
//!
//! Both answer the calls of `bench` by POST and `sum` by GET with a validator, and both serve the same
//! document of about 250 kB: Docent as its description, the other as bytes.

pub mod bare;
pub mod docent;

/// How many procedures a service has, so that its description has about 250 kB.
pub const PROCEDURES: usize = 500;
