//! Markdown for a person at a terminal: headings and names in styles, lists with bullets, links with
//! their addresses.
//!
//! It reads the pages of the reference site. It is not a renderer for all of Markdown: images and
//! quotes are shown by their text.

use std::mem;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::page::{Style, TextPage};

/// Adds Markdown to a page as text. The terminal wraps long lines.
pub(crate) fn push(page: &mut TextPage, markdown: &str) {
    let mut writer = Writer {
        page: mem::take(page),
        ..Writer::default()
    };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        writer.event(event);
    }
    writer.end_line();
    *page = writer.page;
}

/// The state between two events of the parser.
#[derive(Default)]
struct Writer {
    page: TextPage,
    /// The sign at the beginning of the next line.
    bullet: String,
    /// The enclosing lists, with the number of the next item for numbered ones.
    lists: Vec<Option<u64>>,
    /// The style of the enclosing heading or emphasis.
    style: Option<Style>,
    /// The target of the enclosing link, if it can be shown.
    link: Option<String>,
    /// True if the line has text.
    is_open: bool,
    /// True if an empty line comes before the next block.
    wants_gap: bool,
    /// True inside a block of code, whose lines are indented.
    in_code: bool,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => {
                for line in text.lines() {
                    self.text(None, &format!("    {line}"));
                    self.end_line();
                }
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.text(self.style, &text);
            }
            Event::Code(text) => self.text(Some(Style::VALUE), &text),
            Event::SoftBreak => self.text(None, " "),
            Event::HardBreak => self.end_line(),
            Event::Rule => self.end_block(),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading {
                level: HeadingLevel::H1,
                ..
            } => self.style = Some(Style::NAME),
            Tag::Heading { .. } | Tag::Strong | Tag::TableHead => {
                self.style = Some(Style::HEADING);
            }
            Tag::List(first) => {
                self.end_line();
                self.lists.push(first);
            }
            Tag::Item => {
                self.end_line();
                self.bullet = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
            }
            Tag::CodeBlock(_) => {
                self.end_line();
                self.in_code = true;
            }
            // Relative links lead to other pages of the site.
            Tag::Link { dest_url, .. } if dest_url.contains("://") => {
                self.link = Some(dest_url.into_string());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.style = None;
                self.end_block();
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Table => self.end_block(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.end_block();
            }
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.end_block();
            }
            TagEnd::Strong => self.style = None,
            TagEnd::Link => {
                if let Some(url) = self.link.take() {
                    self.text(None, &format!(" ({url})"));
                }
            }
            TagEnd::TableHead => {
                self.style = None;
                self.end_line();
            }
            TagEnd::Item | TagEnd::TableRow => self.end_line(),
            // Columns are not aligned: that would take all cells of a table before its first line.
            TagEnd::TableCell => self.text(Some(Style::DIM), "  |  "),
            _ => {}
        }
    }

    /// Adds text to the line. The gap and the bullet before it wait for the first text, so that an empty block leaves
    /// neither.
    fn text(&mut self, style: Option<Style>, text: &str) {
        if !self.is_open {
            if mem::take(&mut self.wants_gap) && !self.page.as_str().is_empty() {
                self.page.end();
            }
            let bullet = mem::take(&mut self.bullet);
            let depth = self.lists.len() - usize::from(!bullet.is_empty());
            self.page.space(2 * depth).text(&bullet);
            self.is_open = true;
        }
        self.page.piece(style, text);
    }

    fn end_line(&mut self) {
        if mem::take(&mut self.is_open) {
            self.page.end();
        }
    }

    /// Ends a block. An empty line follows it, except within a list.
    fn end_block(&mut self) {
        self.end_line();
        self.wants_gap = self.lists.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(markdown: &str) -> String {
        let mut page = TextPage::new(false);
        push(&mut page, markdown);
        page.as_str().to_owned()
    }

    #[test]
    fn a_page_reads_like_text() {
        let markdown = "# find\n\nFinds `books` of [Author](types/Author.md), and\nmore \
                        [here](https://a.example/x).\n\n## Parameters\n\n- `words`: string. What to \
                        look for.\n  - `a`: one\n- `limit`: integer\n\n1. one\n2. two\n\n```json\n{\n  \"a\": 1\n}\n```\n";
        assert_eq!(
            plain(markdown),
            "find\n\nFinds books of Author, and more here (https://a.example/x).\n\nParameters\n\n\
             - words: string. What to look for.\n  - a: one\n- limit: integer\n\n1. one\n2. two\n\n    \
             {\n      \"a\": 1\n    }\n"
        );
        assert_eq!(plain("- a `b`c **d**e\n\n  f"), "- a bc de\n  f\n");
    }

    #[test]
    fn nothing_in_it_is_obeyed() {
        let printed = plain("# a\u{1b}[2J\n\n`\u{202e}`\n\n    \u{9b}x\n\n<b \u{7}>");
        let is_obeyed = |character: char| {
            character.is_control() && character != '\n' || character == '\u{202e}'
        };
        assert!(!printed.contains(is_obeyed), "{printed:?}");
    }
}
