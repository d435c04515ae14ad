//! Markup that is known to be safe, as a type.
//!
//! Templates escape the strings that they write. Content that must be markup (a type with links in it,
//! highlighted JSON, rendered Markdown) is a [`Markup`]. It can only be made from escaped text, text
//! that is part of this program, and Markdown whose events are filtered:
//!
//! ```ignore
//! let mut line = Markup::new(PageFormat::Html);
//! line.raw("<b>").text("A&B").raw("</b> ").link("types/Book.html", "Book");
//! assert_eq!(line.as_str(), "<b>A&amp;B</b> <a href=\"types/Book.html\">Book</a>");
//! ```
//!
//! A template sees it as an object with one member, which the templates' only raw helper looks for. Text from a
//! description is never an object, so it cannot pass as one.
//!
//! A page is written in one of two [formats](PageFormat), and so is all the markup in it: in Markdown, the same calls
//! give `A&B [Book](types/Book.html)`.

use std::iter;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::text;

/// The member that marks markup for the raw helper.
pub(crate) const MARKUP_MEMBER: &str = "$markup";

/// The format that a page is written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum PageFormat {
    /// A page.
    #[default]
    Html,
    /// The Markdown page beside it, for readers that are programs.
    Markdown,
}

impl PageFormat {
    /// Escapes a text.
    pub(crate) fn escape(self, text: &str) -> String {
        let mut escaped = String::with_capacity(text.len() + 8);
        self.escape_into(text, &mut escaped);
        escaped
    }

    /// Appends a text, escaped.
    pub(crate) fn escape_into(self, text: &str, escaped: &mut String) {
        match self {
            Self::Html => text::escape_into(text, escaped),
            Self::Markdown => text::escape_markdown_into(text, escaped),
        }
    }
}

/// HTML or Markdown that can be written without escaping.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Markup {
    #[serde(skip)]
    format: PageFormat,
    // The name is `MARKUP_MEMBER`.
    #[serde(rename = "$markup")]
    written: String,
}

impl From<Markup> for Value {
    fn from(markup: Markup) -> Self {
        let mut object = Map::new();
        object.insert(MARKUP_MEMBER.to_owned(), markup.written.into());
        Self::Object(object)
    }
}

impl Markup {
    /// Creates empty markup.
    pub(crate) fn new(format: PageFormat) -> Self {
        Self {
            format,
            written: String::new(),
        }
    }

    /// Wraps the output of a template or of filtered Markdown. Callers make sure that it is harmless.
    pub(crate) fn trusted(format: PageFormat, written: String) -> Self {
        Self { format, written }
    }

    /// Escapes a text.
    pub(crate) fn escaped(format: PageFormat, text: &str) -> Self {
        let mut markup = Self::new(format);
        markup.text(text);
        markup
    }

    /// Appends a text, escaped.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.format.escape_into(text, &mut self.written);
        self
    }

    /// Appends HTML that is part of this program. Markdown leaves it out.
    pub(crate) fn raw(&mut self, html: &'static str) -> &mut Self {
        if self.format == PageFormat::Html {
            self.written.push_str(html);
        }
        self
    }

    /// Appends HTML that is part of this program, with an escaped text for each `{}`.
    pub(crate) fn html(&mut self, html: &'static str, texts: &[&str]) -> &mut Self {
        let mut parts = html.split("{}");
        self.raw(parts.next().unwrap_or_default());
        for (text, part) in texts.iter().zip(parts) {
            self.text(text).raw(part);
        }
        self
    }

    /// Appends markup between HTML that is part of this program, unless the markup is empty.
    pub(crate) fn wrapped(
        &mut self,
        start: &'static str,
        inner: &Self,
        end: &'static str,
    ) -> &mut Self {
        if inner.is_empty() {
            return self;
        }
        self.raw(start).markup(inner).raw(end)
    }

    /// Appends a text in a `span` of a class.
    pub(crate) fn span(&mut self, class: &'static str, text: &str) -> &mut Self {
        self.raw("<span class=\"").raw(class).raw("\">");
        self.text(text).raw("</span>")
    }

    /// Appends markup that is already safe.
    pub(crate) fn markup(&mut self, other: &Self) -> &mut Self {
        self.written.push_str(&other.written);
        self
    }

    /// Appends markup, separated by a space if neither part is empty. In HTML, the appended markup has
    /// an element of its own.
    pub(crate) fn apart(&mut self, other: &Self) -> &mut Self {
        if !self.written.is_empty() && !other.written.is_empty() {
            self.written.push(' ');
        }
        self.markup(other)
    }

    /// Begins an item of a list in Markdown, on a line of its own.
    pub(crate) fn item(&mut self, depth: usize) -> &mut Self {
        if !self.written.is_empty() {
            self.written.push('\n');
        }
        self.written.extend(iter::repeat_n("  ", depth));
        self.written.push_str("- ");
        self
    }

    /// Appends parts, with a separator between them.
    pub(crate) fn joined(mut self, separator: &str, parts: impl IntoIterator<Item = Self>) -> Self {
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                self.text(separator);
            }
            self.markup(&part);
        }
        self
    }

    /// Appends a name with line breaks allowed where a reader would put them: after a separator and
    /// before a capital.
    pub(crate) fn breakable(&mut self, name: &str) -> &mut Self {
        let mut start = 0;
        let mut before = ' ';
        for (at, character) in name.char_indices() {
            let is_start = is_separator(before) && !is_separator(character)
                || before.is_lowercase() && character.is_uppercase();
            if at > 0 && is_start {
                self.text(&name[start..at]).raw("<wbr>");
                start = at;
            }
            before = character;
        }
        self.text(&name[start..])
    }

    /// Appends a paragraph.
    pub(crate) fn paragraph(&mut self, other: &Self) -> &mut Self {
        if !self.written.is_empty() && self.format == PageFormat::Markdown {
            self.written.push_str("\n\n");
        }
        self.markup(other)
    }

    /// Appends a link to a page of the site.
    pub(crate) fn link(&mut self, href: &str, text: &str) -> &mut Self {
        match self.format {
            PageFormat::Html => self.html("<a href=\"{}\">{}</a>", &[href, text]),
            PageFormat::Markdown => {
                self.written.push('[');
                self.text(text).written.push_str("](");
                self.text(href).written.push(')');
                self
            }
        }
    }

    /// Appends a text as code.
    pub(crate) fn code(&mut self, text: &str) -> &mut Self {
        if self.format == PageFormat::Html {
            return self.raw("<code>").text(text).raw("</code>");
        }
        let text = text::one_line(text);
        let fence = text::fence(&text, 1);
        // A backtick at an edge of the code would be read as a part of the fence.
        let is_edged = text.starts_with('`') || text.ends_with('`');
        let blank = if is_edged { " " } else { "" };
        self.written.extend([&*fence, blank, &text, blank, &fence]);
        self
    }

    /// Returns several lines of code. In HTML that is only their text: a template writes the element
    /// around it.
    pub(crate) fn block(format: PageFormat, language: &str, code: &str) -> Self {
        if format == PageFormat::Html {
            return Self::escaped(format, code);
        }
        let code = text::visible(code);
        let fence = text::fence(&code, 3);
        Self::trusted(format, format!("{fence}{language}\n{code}\n{fence}"))
    }

    /// Returns the approximate number of visible characters of HTML.
    pub(crate) fn width(&self) -> usize {
        let mut width = 0;
        for part in self.written.split('<') {
            let tag_length = part.find('>').map_or(0, |end| end + 1);
            width += part.len() - tag_length;
        }
        width
    }

    /// Returns whether nothing has been written.
    pub(crate) fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// Returns what has been written.
    pub(crate) fn as_str(&self) -> &str {
        &self.written
    }

    /// Returns what has been written, for a file.
    pub(crate) fn into_string(self) -> String {
        self.written
    }
}

/// Returns whether a character separates the parts of a name.
fn is_separator(character: char) -> bool {
    "._/:-".contains(character)
}
