//! The rows of pages: values with their names, types, facts and texts, before anything is written.
//!
//! Schemas come in as [views](docent_describe::schema::View), and a flat list of [`Row`]s goes out. Nothing here reads
//! a schema, and nothing here knows HTML or Markdown. The parameter
//!
//! ```json
//! {"name": "order", "schema": {"type": "object", "required": ["id"], "properties": {
//!     "id": {"type": "integer", "minimum": 1, "description": "The number on the invoice."},
//!     "items": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}}}
//! ```
//!
//! becomes, if `Item` has been unfolded on the page already:
//!
//! ```text
//! depth  RowName  TypePhrase              Fact        Text
//! 0      order    object
//! 1      id       integer, required       at least 1  The number on the invoice.
//! 1      items    array of (shared) Item
//! ```
//!
//! [`RowTree`] decides which rows a page has: first the members that every alternative has, then each alternative with
//! what it adds, then conditions. It unfolds a shared type once a page, while there is room (`extent`, `visible`). The
//! list is flat so that deep schemas cost no call stack: each row knows its depth, and how many folds end with it.
//!
//! `view/row` writes the rows, and `view/phrases` writes types and facts in the language of the page. The search walks
//! over the same rows. A test reads rows as a reader would, and compares what they say with another implementation of
//! JSON Schema.

mod conditions;
mod elements;
mod extent;
mod facts;
mod row;
mod row_name;
mod service;
#[cfg(test)]
mod tests;
mod texts;
mod tree;
mod type_phrase;
mod unions;
mod visible;

pub(crate) use facts::Fact;
pub(crate) use row::{CutReason, Fold, Row, without_head};
pub(crate) use row_name::RowName;
pub(crate) use service::{RUN_LENGTH, ServiceSchemas, is_answered, sides};
pub(crate) use texts::{Text, TextRole};
pub(crate) use tree::RowTree;
pub(crate) use type_phrase::{Detail, Tail, TypePhrase, described_kind};
pub(crate) use unions::label;
