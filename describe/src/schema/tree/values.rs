//! The keywords of a schema that hold no schemas: annotations, and the limits of numbers and
//! lengths.
//!
//! They are stored as they are written. `range.rs` and views combine several of them.

use crate::json::Json;

/// The author's texts and marks, which do not constrain values.
#[derive(Debug, Default, PartialEq)]
pub struct Annotations<'j> {
    /// The title, unless it is blank.
    pub title: Option<&'j str>,
    /// The description, unless it is blank.
    pub description: Option<&'j str>,
    /// The value that applies if none is sent.
    pub default: Option<&'j Json>,
    /// Examples.
    pub examples: &'j [Json],
    /// True if the value is deprecated.
    pub deprecated: bool,
    /// True if only the service sends the value.
    pub read_only: bool,
    /// True if only callers send the value.
    pub write_only: bool,
}

/// A range of counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// The least count; `None` stands for 0.
    pub least: Option<u64>,
    /// The greatest count; `None` if there is no limit.
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
