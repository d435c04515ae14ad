//! Renders Markdown from a description as harmless HTML.
//!
//! The text of an author comes in, and [`Markup`] goes out: of blocks ([`linked`], [`in_row`]), for the middle of a
//! line ([`inline`], `phrase`), or of a guide ([`guide`]). On a Markdown page, the text stays as its author wrote it.
//!
//! | source | HTML |
//! |---|---|
//! | `<script>` | `&lt;script&gt;` |
//! | `![logo](https://a.example/x.png)` | `<a href="https://a.example/x.png">logo</a>` |
//! | `[x](javascript:alert(1))` | `x` |
//! | `` `Book` ``, the name of a type | `<a href="types/Book.html"><code>Book</code></a>` |
//!
//! The parser's events are filtered before any HTML is written ([`Filter`]): raw HTML becomes text, an image becomes a
//! link to it, and a link to anything but the web or a mail address becomes its text. To sanitise the finished HTML
//! would mean to parse it again as browsers do; only the tests do so, with a sanitiser that must find nothing to
//! remove.
//!
//! Rendering is also bounded, whatever a text contains: its length, its elements, the columns of its tables and the
//! depth of its lists. Elements beyond a bound stay as they are written, and text beyond the length is cut.

pub(crate) mod contents;
pub(crate) mod phrase;

use std::collections::HashSet;
use std::mem;

use docent_describe::json::{is_deceptive, shorten};
use pulldown_cmark::{
    Alignment, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd,
    html,
};

use crate::markup::{Markup, PageFormat};
use crate::samples;
use crate::text;

/// The maximum length of a text that is rendered, in characters. A longer one is truncated, because its
/// layout would use too much memory and time.
const MAX_TEXT_LENGTH: usize = 200_000;

/// The maximum number of elements of a text. The rest stays as it is written: otherwise, a page of 200,000 bytes could
/// have a node for each of them.
const MAX_ELEMENTS: usize = 5_000;

/// The maximum number of columns of a table. A wider one and the text after it stay as they are written.
const MAX_COLUMNS: usize = 40;

/// The maximum length of code that has colours, in bytes. Otherwise each pair of quotation marks would be an element.
const MAX_COLOURED: usize = 30_000;

/// The maximum depth of block quotes and lists, as 50,000 `>` in a row would be. Deeper ones are flat.
const MAX_NESTING: usize = 12;

/// Finds the address of something by its name or its relative address.
pub(crate) type Resolve<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Renders Markdown whose headings are bold text. On a Markdown page it stays as it is.
pub(crate) fn render(format: PageFormat, source: &str) -> Markup {
    linked(format, source, None, &|_| None)
}

/// Renders Markdown with its top-level headings at level `top`, and links from code that `resolve` finds.
pub(crate) fn linked(
    format: PageFormat,
    source: &str,
    top: Option<u8>,
    resolve: Resolve<'_>,
) -> Markup {
    match format {
        PageFormat::Html => Filter::new(top, resolve).html(source),
        PageFormat::Markdown => Markup::trusted(format, text::visible(source.trim()).into_owned()),
    }
}

/// Renders Markdown for a list row, where a Markdown page has a single line.
pub(crate) fn in_row(format: PageFormat, source: &str, resolve: Resolve<'_>) -> Markup {
    match format {
        PageFormat::Html => linked(format, source, None, resolve),
        PageFormat::Markdown => Markup::trusted(format, text::one_line(source)),
    }
}

/// Renders Markdown and removes the `<p>` of a single paragraph, for table cells and list rows.
pub(crate) fn inline(format: PageFormat, source: &str, resolve: Resolve<'_>) -> Markup {
    let rendered = in_row(format, source, resolve);
    if let Some(paragraph) = rendered.as_str().strip_prefix("<p>")
        && let Some(inner) = paragraph.trim_end().strip_suffix("</p>")
        && !inner.contains("<p>")
    {
        return Markup::trusted(format, inner.to_owned());
    }
    rendered
}

/// Renders a guide. `pages` are the addresses that its relative links may lead to, and `anchors` the `id`s of its
/// headings.
pub(crate) fn guide(
    source: &str,
    pages: &HashSet<String>,
    anchors: &[String],
    resolve: Resolve<'_>,
) -> Markup {
    let filter = Filter {
        anchors: anchors.iter(),
        pages: Some(pages),
        ..Filter::new(Some(2), resolve)
    };
    filter.html(source)
}

/// Returns the offset of the first block that is not rendered, because with it the text would have too many elements or
/// a table too many columns.
fn start_of_excess(source: &str) -> Option<usize> {
    // An element takes at least one character, and so does a column.
    let bars = source.bytes().filter(|byte| *byte == b'|').count();
    if source.len() < MAX_ELEMENTS / 2 && bars < MAX_COLUMNS {
        return None;
    }
    let mut elements = 0;
    let mut depth = 0_usize;
    let mut block = 0;
    for (event, range) in events(source).into_offset_iter() {
        if depth == 0 {
            block = range.start;
        }
        match &event {
            Event::Start(Tag::Table(columns)) if columns.len() > MAX_COLUMNS => {
                return Some(block);
            }
            Event::Start(_) => {
                depth += 1;
                elements += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::HardBreak | Event::Rule | Event::Code(_) => elements += 1,
            _ => {}
        }
        if elements > MAX_ELEMENTS {
            return Some(block);
        }
    }
    None
}

/// Returns the part of a text that is rendered, with invisible characters spelt out.
pub(crate) fn readable(source: &str) -> String {
    let source = text::visible(source);
    let cut = shorten(&source, MAX_TEXT_LENGTH);
    let mut readable = String::with_capacity(cut.len());
    for line in cut.split_inclusive('\n') {
        // Markers beyond the depth that is rendered would only cost parsing time.
        let depth = line
            .bytes()
            .take_while(|byte| matches!(byte, b'>' | b' ' | b'\t'))
            .count();
        let start = if depth > 64 {
            depth - 2 * MAX_NESTING
        } else {
            0
        };
        readable.push_str(&line[start..]);
    }
    readable
}

/// Returns the texts of Markdown without markup, section by section: each paragraph and each line of code is a text.
/// The first section is before all headings. Each heading starts another one, of which it is the first text. A text may
/// be empty.
pub(crate) fn sections(source: &str) -> Vec<Vec<String>> {
    let mut sections = Vec::new();
    let mut section = Vec::new();
    let mut text = String::new();
    for event in events(&readable(source)) {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                text.push_str(&part);
            }
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::Start(Tag::Heading { .. }) => sections.push(mem::take(&mut section)),
            Event::Start(Tag::Item)
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::TableCell
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock,
            ) => {
                // Only code has several lines.
                section.extend(text.lines().map(str::to_owned));
                text.clear();
            }
            _ => {}
        }
    }
    sections.push(section);
    sections
}

/// Parses Markdown.
pub(crate) fn events(source: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    Parser::new_ext(source, options)
}

/// Returns the targets of a guide's relative links, as they are written.
pub(crate) fn relative_links(source: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for event in events(source) {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event
            && is_relative(&dest_url)
        {
            targets.push(dest_url.into_string());
        }
    }
    targets
}

/// Returns whether an address has neither scheme nor host.
pub(crate) fn is_relative(address: &str) -> bool {
    let start = address.split(['/', '?', '#']).next().unwrap_or_default();
    !address.is_empty() && !start.contains(':')
}

/// Makes the events of an author's text harmless.
struct Filter<'f> {
    /// The level of the top headings, if headings are part of the page's outline.
    top: Option<u8>,
    /// Finds the pages that code can link to.
    resolve: Resolve<'f>,
    /// The addresses of pages that relative links may lead to, if the text is a guide.
    pages: Option<&'f HashSet<String>>,
    /// The `id`s of the next headings.
    anchors: std::slice::Iter<'f, String>,
    /// The number of block quotes, lists and items that are open.
    depth: usize,
    /// The links that are open; true for one that is rendered as a link.
    links: Vec<bool>,
    /// The language of the code block that is open.
    language: Option<String>,
    /// The length of the code that has had colours so far.
    coloured: usize,
    /// The levels of the last heading and of its parents, as they are written.
    headings: Vec<HeadingLevel>,
}

impl<'f> Filter<'f> {
    /// Creates a filter for a description, whose top-level headings are at level `top`.
    fn new(top: Option<u8>, resolve: Resolve<'f>) -> Self {
        Self {
            top,
            resolve,
            pages: None,
            anchors: [].iter(),
            depth: 0,
            links: Vec::new(),
            language: None,
            coloured: 0,
            headings: Vec::new(),
        }
    }

    /// Renders a text as HTML.
    fn html(mut self, source: &str) -> Markup {
        let source = readable(source);
        let end = start_of_excess(&source).unwrap_or(source.len());
        let events = events(&source[..end]).filter_map(|event| self.pass(event));
        let mut markup = written(events, end);
        if end < source.len() {
            markup.raw("<pre><code>").text(&source[end..]);
            markup.raw("</code></pre>");
        }
        markup
    }

    /// Returns the link from code that is a name, unless it is in a link already. The NUL tells `written` that the link
    /// stays on the site.
    fn link_from_name(&self, name: &str) -> Option<Event<'static>> {
        let href = (self.resolve)(name).filter(|_| !self.links.contains(&true))?;
        let mut link = Markup::new(PageFormat::Html);
        link.raw("<a\0href=\"").text(&href).raw("\">");
        link.code(name).raw("</a>");
        Some(Event::InlineHtml(link.into_string().into()))
    }

    /// Returns an event as it may be rendered, or `None` if it is left out. Raw HTML becomes text.
    fn pass<'a>(&mut self, event: Event<'a>) -> Option<Event<'a>> {
        match event {
            Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
            Event::Text(text) => Some(self.text(text)),
            Event::Code(name) => Some(self.link_from_name(&name).unwrap_or(Event::Code(name))),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            other => Some(other),
        }
    }

    /// Returns text, with colours if it is code.
    fn text<'a>(&mut self, text: CowStr<'a>) -> Event<'a> {
        let Some(language) = &self.language else {
            return Event::Text(text);
        };
        self.coloured += text.len();
        if self.coloured > MAX_COLOURED {
            return Event::Text(text);
        }
        let code = samples::from_markdown(language, &text);
        Event::InlineHtml(code.into_string().into())
    }

    /// Returns the start of an element without what could do harm, or `None` if it is left out.
    fn start<'a>(&mut self, tag: Tag<'a>) -> Option<Event<'a>> {
        match tag {
            // An image becomes a link, because fetching it would tell its host who reads this page.
            Tag::Link {
                dest_url, title, ..
            }
            | Tag::Image {
                dest_url, title, ..
            } => {
                let is_page = self.pages.is_some_and(|pages| pages.contains(&*dest_url));
                let is_harmless = is_page || is_allowed(&dest_url);
                // HTML has no links within links.
                let is_link = is_harmless && !self.links.contains(&true);
                self.links.push(is_link);
                is_link.then_some(Event::Start(Tag::Link {
                    link_type: LinkType::Inline,
                    dest_url,
                    title,
                    id: CowStr::Borrowed(""),
                }))
            }
            Tag::Heading { level, .. } => {
                self.headings.retain(|&above| above < level);
                self.headings.push(level);
                let Some(level) = self.level() else {
                    return Some(Event::InlineHtml("<p><strong>".into()));
                };
                Some(Event::Start(Tag::Heading {
                    level,
                    id: self.anchors.next().cloned().map(CowStr::from),
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }))
            }
            Tag::HtmlBlock => Some(Event::Start(Tag::Paragraph)),
            // Alignment would be an inline style, which the content policy forbids.
            Tag::Table(columns) => Some(Event::Start(Tag::Table(vec![
                Alignment::None;
                columns.len()
            ]))),
            Tag::CodeBlock(kind) => {
                self.language = language(&kind).map(str::to_owned);
                let plain = CodeBlockKind::Fenced(CowStr::Borrowed(""));
                Some(Event::Start(Tag::CodeBlock(plain)))
            }
            Tag::BlockQuote(_) => self
                .enter_block()
                .then_some(Event::Start(Tag::BlockQuote(None))),
            Tag::List(_) | Tag::Item => self.enter_block().then_some(Event::Start(tag)),
            other => Some(Event::Start(other)),
        }
    }

    /// Returns the end of an element, if its start was rendered.
    fn end<'a>(&mut self, tag: TagEnd) -> Option<Event<'a>> {
        match tag {
            TagEnd::Link | TagEnd::Image => self
                .links
                .pop()
                .unwrap_or_default()
                .then_some(Event::End(TagEnd::Link)),
            TagEnd::Heading(_) => Some(match self.level() {
                Some(level) => Event::End(TagEnd::Heading(level)),
                None => Event::InlineHtml("</strong></p>\n".into()),
            }),
            TagEnd::HtmlBlock => Some(Event::End(TagEnd::Paragraph)),
            TagEnd::CodeBlock => {
                self.language = None;
                Some(Event::End(tag))
            }
            TagEnd::BlockQuote(_) => self
                .leave_block()
                .then_some(Event::End(TagEnd::BlockQuote(None))),
            TagEnd::List(_) | TagEnd::Item => self.leave_block().then_some(Event::End(tag)),
            other => Some(Event::End(other)),
        }
    }

    /// Enters a block quote, list or item, and returns whether it is rendered.
    fn enter_block(&mut self) -> bool {
        self.depth += 1;
        self.depth <= MAX_NESTING
    }

    /// Leaves a block quote, list or item, and returns whether it was rendered.
    fn leave_block(&mut self) -> bool {
        self.depth = self.depth.saturating_sub(1);
        self.depth < MAX_NESTING
    }

    /// Returns the level at which the last heading is rendered. A page has one outline, whatever levels
    /// the author used: no heading is above `top` or more than one level below its parent.
    fn level(&self) -> Option<HeadingLevel> {
        let level = usize::from(self.top?) + self.headings.len() - 1;
        Some(HeadingLevel::try_from(level).unwrap_or(HeadingLevel::H6))
    }
}

/// Writes events that have been filtered, of a text of about this length. Links that leave the site get a `rel`. The
/// replacements change only markup: all text is escaped and has no NUL.
fn written<'e>(events: impl Iterator<Item = Event<'e>>, length: usize) -> Markup {
    let mut html = String::with_capacity(length * 3 / 2);
    html::push_html(&mut html, events);
    let html = html
        .trim_end()
        .replace("<a href=", "<a rel=\"noopener noreferrer\" href=")
        .replace("<a\0href=", "<a href=")
        .replace(" />", ">");
    Markup::trusted(PageFormat::Html, html)
}

/// Returns the language of a code block: `rust` of `rust,no_run`.
fn language<'k>(kind: &'k CodeBlockKind<'_>) -> Option<&'k str> {
    match kind {
        CodeBlockKind::Fenced(info) => info.split([',', ' ']).next(),
        CodeBlockKind::Indented => None,
    }
}

/// Returns whether an address is clearly a web or mail address. Relative addresses are not, because
/// their authors did not mean them relative to this site.
pub(crate) fn is_allowed(address: &str) -> bool {
    let has_scheme = ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| text::has_scheme(address, scheme));
    has_scheme
        && !address.chars().any(|character| {
            character.is_control() || character.is_whitespace() || is_deceptive(character)
        })
}

#[cfg(test)]
mod tests;
