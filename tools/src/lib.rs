//! Reads descriptions of JSON-RPC services in all formats, compares them, checks them and their services,
//! and writes clients from them. Tools do that; a service never does, and does not link this crate.
//!
//! | module | takes | gives |
//! |---|---|---|
//! | [`read`] | a document as it is found | the model of [`docent_describe`], and warnings |
//! | [`compare`] | two descriptions | changes, each with its effect on callers |
//! | [`inclusion`] | schemas of two descriptions | whether every value of one is a value of the other |
//! | [`check`] | a description, and a way to its service | findings: where the two disagree, and what is undocumented |
//! | [`client`] | a description | the files of a client in Rust, TypeScript or Python |
//! | [`wire`] | what any server sent back | which rules of JSON-RPC it breaks |
//!
//! There is no terminal and no network here. The command `docent` has both, and hands a live check its transport.

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
