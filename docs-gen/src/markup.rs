//! HTML that is known to be safe, as a type.
//!
//! Templates write strings through their escaping. What has to be markup (a type with links in
//! it, highlighted JSON, rendered Markdown) is a [`Markup`], and the only ways to make one are to
//! append text that is escaped, text that was part of this program, or what the sanitiser let
//! through. It reaches a template as an object with one member, which is what the templates'
//! single raw helper looks for: text of a description is never an object, so it cannot pass as
//! one.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::text;

/// The member by which the raw helper knows markup.
pub(crate) const MARK: &str = "$markup";

/// A piece of HTML that can be written as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Markup(String);

impl Markup {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// What a template or the sanitiser has produced. Both are audited to produce safe markup.
    pub(crate) fn trusted(html: String) -> Self {
        Self(html)
    }

    /// The text, escaped.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut markup = Self::new();
        markup.text(text);
        markup
    }

    /// Appends text, escaped.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        text::escape_into(text, &mut self.0);
        self
    }

    /// Appends markup that is part of this program.
    pub(crate) fn raw(&mut self, html: &'static str) -> &mut Self {
        self.0.push_str(html);
        self
    }

    /// Appends markup that is safe already.
    pub(crate) fn markup(&mut self, other: &Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    /// Appends a link to a page of the site.
    pub(crate) fn link(&mut self, href: &str, text: &str) -> &mut Self {
        self.raw("<a href=\"")
            .text(href)
            .raw("\">")
            .text(text)
            .raw("</a>")
    }

    /// Appends text in a `code` element.
    pub(crate) fn code(&mut self, text: &str) -> &mut Self {
        self.raw("<code>").text(text).raw("</code>")
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl Serialize for Markup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(MARK, &self.0)?;
        map.end()
    }
}
