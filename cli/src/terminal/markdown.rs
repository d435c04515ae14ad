//! Markdown for a person at a terminal.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::page::{Style, TextPage, width};

/// The maximum width of lines, however wide the terminal is.
const WIDEST: usize = 100;
/// The minimum width of code inside a text, however deeply it is indented.
const NARROWEST: usize = 24;

/// Adds Markdown to a page: headings, lists, code, and paragraphs wrapped to the columns.
pub(crate) fn push(page: &mut TextPage, markdown: &str, columns: usize) {
    let mut writer = Writer {
        page,
        columns: columns.min(WIDEST),
        indent: 0,
        bullet: None,
        lists: Vec::new(),
        styles: Vec::new(),
        words: Words::default(),
        link: None,
        wants_gap: false,
        in_code: false,
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(markdown, options) {
        writer.event(event);
    }
    writer.flush();
}

/// The words of a paragraph, each with its style. Pieces of one word are not separated.
#[derive(Default)]
struct Words {
    words: Vec<Vec<(Option<Style>, String)>>,
    /// True if the next piece belongs to the last word.
    is_open: bool,
}

impl Words {
    fn push(&mut self, text: &str, style: Option<Style>) {
        for (index, part) in text.split(char::is_whitespace).enumerate() {
            self.is_open &= index == 0;
            if part.is_empty() {
                continue;
            }
            let piece = (style, part.to_owned());
            match self.words.last_mut() {
                Some(word) if self.is_open => word.push(piece),
                _ => self.words.push(vec![piece]),
            }
            self.is_open = true;
        }
    }
}

struct Writer<'p> {
    page: &'p mut TextPage,
    columns: usize,
    indent: usize,
    /// The sign at the beginning of the next line.
    bullet: Option<String>,
    /// The enclosing lists, with the number of the next item for numbered ones.
    lists: Vec<Option<u64>>,
    styles: Vec<Style>,
    words: Words,
    /// The target of the enclosing link, if it can be shown.
    link: Option<String>,
    /// True if an empty line comes before the next block.
    wants_gap: bool,
    in_code: bool,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => self.code(&text),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                self.words.push(&text, self.styles.last().copied());
            }
            Event::Code(text) => self.words.push(&text, Some(Style::Value)),
            Event::SoftBreak => self.words.is_open = false,
            Event::HardBreak => {
                self.flush();
                self.wants_gap = false;
            }
            Event::Rule => {
                self.flush();
                self.wants_gap = true;
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                let is_title = level == HeadingLevel::H1;
                self.styles.push(if is_title {
                    Style::Name
                } else {
                    Style::Heading
                });
            }
            Tag::Paragraph => self.flush(),
            Tag::List(first) => {
                self.flush();
                self.wants_gap &= self.lists.is_empty();
                self.lists.push(first);
            }
            Tag::Item => {
                let bullet = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
                self.flush();
                // The signs of nested items move to the right.
                self.indent += 2;
                self.bullet = Some(bullet);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.in_code = true;
                if let CodeBlockKind::Fenced(_) = kind {
                    self.gap();
                }
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.indent += 2;
            }
            Tag::Strong | Tag::TableHead => self.styles.push(Style::Heading),
            Tag::Link { dest_url, .. } => {
                self.styles.push(Style::Value);
                // Relative links lead to other pages of the site.
                let is_shown = dest_url.contains("://");
                self.link = is_shown.then(|| dest_url.into_string());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
                self.wants_gap = true;
            }
            TagEnd::Paragraph => {
                self.flush();
                self.wants_gap = true;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.wants_gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                self.bullet = None;
                self.indent = self.indent.saturating_sub(2);
            }
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.wants_gap = true;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.indent = self.indent.saturating_sub(2);
            }
            TagEnd::Strong => _ = self.styles.pop(),
            TagEnd::Link => {
                self.styles.pop();
                if let Some(url) = self.link.take() {
                    self.words.push(&format!(" ({url})"), None);
                }
            }
            TagEnd::TableHead => {
                self.flush();
                self.styles.pop();
                self.wants_gap = false;
            }
            TagEnd::TableRow => {
                self.flush();
                self.wants_gap = false;
            }
            TagEnd::TableCell => self.words.push("  |  ", Some(Style::Dim)),
            TagEnd::Table => self.wants_gap = true,
            _ => {}
        }
    }

    fn gap(&mut self) {
        if self.wants_gap && !self.page.as_str().is_empty() {
            self.page.end();
        }
        self.wants_gap = false;
    }

    /// Writes code, without wrapping it.
    fn code(&mut self, text: &str) {
        for line in text.lines() {
            self.page.space(self.indent + 4).text(line).end();
        }
    }

    /// Wraps and writes the collected words.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words).words;
        if words.is_empty() {
            return;
        }
        self.gap();
        let bullet = self.bullet.take();
        let start = bullet
            .as_ref()
            .map_or(self.indent, |_| self.indent.saturating_sub(2));
        self.page.space(start);
        let mut column = start;
        if let Some(bullet) = bullet {
            self.page.text(&bullet);
            column += bullet.len();
        }
        let end = self.columns.max(self.indent + NARROWEST);
        let mut is_first = true;
        for word in words {
            let taken: usize = word.iter().map(|(_, text)| width(text)).sum();
            if !is_first && column + 1 + taken > end {
                self.page.end().space(self.indent);
                column = self.indent;
            } else if !is_first {
                self.page.space(1);
                column += 1;
            }
            is_first = false;
            column += taken;
            for (style, text) in word {
                match style {
                    Some(style) => self.page.styled(style, &text),
                    None => self.page.line(&text),
                };
            }
        }
        self.page.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(markdown: &str, columns: usize) -> String {
        let mut page = TextPage::new(false);
        push(&mut page, markdown, columns);
        page.as_str().to_owned()
    }

    #[test]
    fn a_page_reads_like_text() {
        let markdown = "# find\n\nFinds `books` of [Author](types/Author.md), and\nmore \
                        [here](https://a.example/x).\n\n## Parameters\n\n- `words`: string. What to \
                        look for.\n  - `a`: one\n- `limit`: integer\n\n1. one\n2. two\n\n```json\n{\n  \"a\": 1\n}\n```\n";
        assert_eq!(
            plain(markdown, 40),
            "find\n\nFinds books of Author, and more here\n(https://a.example/x).\n\nParameters\n\n\
             - words: string. What to look for.\n  - a: one\n- limit: integer\n\n1. one\n2. two\n\n    \
             {\n      \"a\": 1\n    }\n"
        );
    }

    #[test]
    fn words_are_wrapped_by_the_columns_that_they_take() {
        assert_eq!(
            plain("日本語 日本語 日本語 日本語 日本語", 24),
            "日本語 日本語 日本語\n日本語 日本語\n"
        );
        assert_eq!(plain("- a `b`c **d**e\n\n  f", 24), "- a bc de\n\n  f\n");
    }

    #[test]
    fn nothing_in_it_is_obeyed() {
        let shown = plain("# a\u{1b}[2J\n\n`\u{202e}`\n\n    \u{9b}x\n\n<b \u{7}>", 80);
        let is_obeyed = |it: char| it.is_control() && it != '\n' || it == '\u{202e}';
        assert!(!shown.contains(is_obeyed), "{shown:?}");
    }
}
