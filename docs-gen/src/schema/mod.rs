//! The content of pages about values, before it is written: types in words, facts, texts and rows. Forms and the
//! search ask for the same.
//!
//! All of it is found from the [views](docent_describe::schema::View) of schemas, so it says what the schemas
//! accept; nothing here reads a schema. HTML and Markdown are written from the same rows. A test reads rows as
//! their readers do, and compares what they say with another implementation of JSON Schema.

mod conditions;
mod extent;
mod facts;
mod row;
mod row_name;
mod service;
mod shown;
#[cfg(test)]
mod tests;
mod texts;
mod tree;
mod unions;
mod words;

pub(crate) use facts::Fact;
pub(crate) use row::{CutReason, Fold, Row, without_head};
pub(crate) use row_name::RowName;
pub(crate) use service::{RUN_LENGTH, ServiceSchemas, is_answered, sides};
pub(crate) use texts::{Text, TextRole};
pub(crate) use tree::RowTree;
pub(crate) use unions::label;
pub(crate) use words::{Detail, Tail, TypeWords, described_kind};
