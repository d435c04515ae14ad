//! JSON: text that is checked and then read without a tree, and the tree that descriptions are stored in.
//!
//! Everything that reads JSON text is here, and nothing else in the workspace has loops over its bytes. Text from
//! outside goes through the grammar once. What follows relies on that, and makes no tree unless one is stored:
//!
//! ```text
//! body ── Scanner ──▶ checked text ──┬── Cursor ───▶ values, strings and numbers, one after the other
//!                                    ├── de ───────▶ Rust values: parameters, results
//!                                    └── parse ────▶ Json: a tree, for descriptions
//! ```
//!
//! - [`Scanner`] checks the grammar of a text, and finds where its values begin and end.
//! - [`Cursor`] walks over checked text. [`unescape`] reads its strings, [`Decimal`] its numbers.
//! - [`de`] decodes checked text to Rust types.
//! - [`Json`] keeps members in order, and every number as it was written.
//! - [`Pointer`] says where a value is, and [`pointer_to`] finds that out from an offset.
//!
//! `serde_json::Value` would not do for descriptions: it rejects `1e400`, turns large integers into doubles, and sorts
//! or keeps members depending on a feature that any crate in a build may enable. A description must say what its author
//! wrote.

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
