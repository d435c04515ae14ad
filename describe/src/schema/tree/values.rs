//! The keywords of a schema that hold no schemas: annotations, and the limits of numbers and
//! lengths.
//!
//! They are kept as they are written. What several of them say together is found in `range.rs` and
//! by views.

use crate::json::Json;

/// The texts and marks of an author, which ask nothing of a value.
#[derive(Debug, Default, PartialEq)]
pub struct Annotations<'j> {
    /// The title, unless it is blank.
    pub title: Option<&'j str>,
    /// The description, unless it is blank.
    pub description: Option<&'j str>,
    /// The value that stands for one that is left out.
    pub default: Option<&'j Json>,
    /// Examples.
    pub examples: &'j [Json],
    /// True if the value is about to go.
    pub deprecated: bool,
    /// True if only the service sends the value.
    pub read_only: bool,
    /// True if only callers send the value.
    pub write_only: bool,
}

/// The least and the most of something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// The least. Without it, none is enough.
    pub least: Option<u64>,
    /// The most.
    pub most: Option<u64>,
}

/// The constraints on numbers, each as it is written.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NumberKeywords<'j> {
    /// `minimum`
    pub least: Option<&'j str>,
    /// `exclusiveMinimum`
    pub above: Option<&'j str>,
    /// `maximum`
    pub most: Option<&'j str>,
    /// `exclusiveMaximum`
    pub below: Option<&'j str>,
    /// `multipleOf`
    pub multiple_of: Option<&'j str>,
}
