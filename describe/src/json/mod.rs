//! JSON as a description stores it: in order, and with every number as it was written.
//!
//! `serde_json::Value` rejects `1e400`, turns large integers into doubles, and sorts or keeps
//! members depending on a feature that any crate in a build may enable. A description must say what
//! its author wrote, so it has its own tree.
//!
//! Everything that reads JSON text without a tree is here as well, for the wire and for binding:
//! the grammar ([`Scanner`]), walking over checked text ([`Cursor`]), numbers ([`Decimal`]),
//! strings ([`unescape`]) and locations ([`Pointer`]).

mod cursor;
pub mod de;
mod locate;
mod name;
mod number;
mod parse;
mod pointer;
mod private;
mod scan;
mod shorten;
mod string;
mod value;
mod write;

pub use cursor::{Cursor, Quoted};
pub(crate) use locate::cursor_at;
pub use locate::pointer_to;
pub use name::Name;
pub use number::{Decimal, is_number};
pub use parse::MAX_DEPTH;
pub use pointer::Pointer;
pub(crate) use pointer::inner;
pub use private::{PRIVATE_PREFIX, find_private_name};
pub use scan::{Scanner, SyntaxError, SyntaxErrorKind};
pub use shorten::{shorten, shorten_bytes, shorten_quoted};
pub use string::{LoneSurrogate, is_deceptive, push_quoted, unescape, unescape_lossy};
pub use value::{Json, Object};
