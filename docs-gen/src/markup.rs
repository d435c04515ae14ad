//! HTML that is known to be safe, as a type.
//!
//! Templates escape the strings that they write. What must be markup (a type with links in it,
//! highlighted JSON, rendered Markdown) is a [`Markup`]. It can only be made from escaped text,
//! text that is part of this program, and the sanitiser's output. A template sees it as an object
//! with one member, which the templates' only raw helper looks for. Text from a description is
//! never an object, so it cannot pass as one.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::text;

/// The member that marks markup for the raw helper.
pub(crate) const MARK: &str = "$markup";

/// HTML that can be written without escaping.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Markup(String);

impl Markup {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Wraps the output of a template or of the sanitiser. Both are audited to produce safe markup.
    pub(crate) fn trusted(html: String) -> Self {
        Self(html)
    }

    /// Escapes a text.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut markup = Self::new();
        markup.text(text);
        markup
    }

    /// Appends a text, escaped.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        text::escape_into(text, &mut self.0);
        self
    }

    /// Appends markup that is part of this program.
    pub(crate) fn raw(&mut self, html: &'static str) -> &mut Self {
        self.0.push_str(html);
        self
    }

    /// Appends markup that is already safe.
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
