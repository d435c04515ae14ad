//! Reads descriptions of JSON-RPC services in all formats, and compares them. Tools do that; a
//! service never does.
//!
//! [`read`](read::read) takes a document as it is found and returns the model of
//! [`docent_describe`]. [`compare`](compare::compare) lists the changes between two descriptions and
//! their effects on callers. It stands on [`Includes`](inclusion::Includes), which finds out whether
//! every value of one schema is a value of another.

pub mod compare;
pub mod inclusion;
pub mod read;
