//! Reads descriptions of JSON-RPC services in all formats, compares them, checks them and their services,
//! and writes clients from them. Tools do that; a service never does.
//!
//! [`read`](read::read) takes a document as it is found and returns the model of
//! [`docent_describe`]. [`compare`](compare::compare) lists the changes between two descriptions and
//! their effects on callers. It uses [`Includes`](inclusion::Includes), which decides whether
//! every value of one schema is a value of another. [`check`](check::check_live)
//! finds where a live service departs from its description. [`client`] has a function for each language, which
//! returns the files of a client. [`wire`] has the rules of JSON-RPC that any server keeps.

pub mod check;
pub mod client;
pub mod compare;
pub mod inclusion;
pub mod left_out;
pub mod locate;
pub mod params;
pub mod plain;
pub mod read;
pub mod request;
pub mod wire;

mod limits;
mod places;

#[doc(no_inline)]
pub use docent_describe::stable as describe;
