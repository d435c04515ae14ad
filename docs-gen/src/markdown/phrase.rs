//! Short texts of authors: a summary, a title, or the first sentence of a description.
//!
//! They stand where there is room for a line. In rows, cells and cards they are markup, and in `<meta>`, `llms.txt` and
//! the search index they are plain text. Both are made from the same inline events of the parser: text, code, emphasis
//! and links. The bounds of paragraphs, lists and other blocks become blanks, so a phrase may be in any element:
//!
//! | source | markup | plain text |
//! |---|---|---|
//! | ``A `book`.`` | `A <code>book</code>.` | `A book.` |
//! | `All:\n\n- *one*` | `All: <em>one</em>` | `All: one` |
//!
//! A phrase is cut by its visible text, not by its source: an element that is open at its end is closed there.

use docent_describe::json::shorten;
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::{Filter, Resolve, events, readable, written};
use crate::markup::{Markup, PageFormat};
use crate::text;

/// The maximum number of visible characters of a phrase.
const MAX_PHRASE_LENGTH: usize = 240;

/// The maximum number of characters of a source that are read.
const MAX_SOURCE_LENGTH: usize = 10_000;

/// The part of a text that becomes a phrase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PhrasePart {
    /// As much of the text as there is room for.
    Start,
    /// The first sentence of the first block.
    Sentence,
}

/// Renders a summary or a title by an author, with links from code that `resolve` finds.
pub(crate) fn summary(format: PageFormat, source: &str, resolve: Resolve<'_>) -> Markup {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    rendered(format, inline_events(&source, PhrasePart::Start), resolve)
}

/// Renders the first sentence of a text by an author, with links from code that `resolve` finds.
pub(crate) fn first_sentence(format: PageFormat, source: &str, resolve: Resolve<'_>) -> Markup {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    rendered(
        format,
        inline_events(&source, PhrasePart::Sentence),
        resolve,
    )
}

/// Returns a summary or a title by an author as plain text on one line.
pub(crate) fn plain(source: &str) -> String {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    text::one_line(&visible_text(&inline_events(&source, PhrasePart::Start)))
}

/// Returns the first sentence of a text by an author as plain text on one line.
pub(crate) fn plain_sentence(source: &str) -> String {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    text::one_line(&visible_text(&inline_events(&source, PhrasePart::Sentence)))
}

/// Returns the text, code, emphasis and links of a part of a text, with blanks between its blocks.
fn inline_events(source: &str, part: PhrasePart) -> Vec<Event<'_>> {
    let mut phrase = Vec::new();
    let mut is_new_block = false;
    for event in events(source) {
        let is_block_end = matches!(
            event,
            Event::End(
                TagEnd::Paragraph
                    | TagEnd::Heading(_)
                    | TagEnd::Item
                    | TagEnd::CodeBlock
                    | TagEnd::HtmlBlock
                    | TagEnd::TableCell
            )
        );
        if is_block_end && part == PhrasePart::Sentence && !phrase.is_empty() {
            break;
        }
        let Some(event) = inline_event(event) else {
            is_new_block = !phrase.is_empty();
            continue;
        };
        if is_new_block && !matches!(event, Event::End(_)) {
            phrase.push(Event::Text(CowStr::Borrowed(" ")));
            is_new_block = false;
        }
        phrase.push(event);
    }
    limited(phrase, part)
}

/// Cuts a phrase behind its first sentence if that is all that is wanted, and in any case where there is no more room.
fn limited(phrase: Vec<Event<'_>>, part: PhrasePart) -> Vec<Event<'_>> {
    let text = visible_text(&phrase);
    let limit = text
        .char_indices()
        .nth(MAX_PHRASE_LENGTH)
        .map_or(text.len(), |(end, _)| end);
    if part == PhrasePart::Sentence
        && let Some(end) = sentence_end(&text)
        && end <= limit
    {
        return cut(phrase, end);
    }
    if limit == text.len() {
        return phrase;
    }
    let mut shortened = cut(phrase, limit);
    shortened.push(Event::Text(CowStr::Borrowed("…")));
    shortened
}

/// Returns an event that may be within a line. Raw HTML is text, and code of several lines is code in a line.
fn inline_event(event: Event<'_>) -> Option<Event<'_>> {
    match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Code(_)
        | Event::Start(
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. },
        )
        | Event::End(
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image,
        ) => Some(event),
        _ => None,
    }
}

/// Returns the text of a phrase without markup.
fn visible_text(phrase: &[Event<'_>]) -> String {
    let mut visible = String::new();
    for event in phrase {
        if let Event::Text(text) | Event::Code(text) = event {
            visible.push_str(text);
        }
    }
    visible
}

/// Returns the end of the first sentence of a text, if another follows.
fn sentence_end(text: &str) -> Option<usize> {
    text.match_indices(". ")
        .map(|(at, _)| at + 1)
        .find(|end| text[end + 1..].starts_with(char::is_uppercase))
}

/// Returns a phrase up to an offset of its visible text.
fn cut(phrase: Vec<Event<'_>>, end: usize) -> Vec<Event<'_>> {
    let mut start = Vec::new();
    let mut open = Vec::new();
    let mut room = end;
    for event in phrase {
        if room == 0 {
            break;
        }
        start.push(match event {
            Event::Text(text) => Event::Text(first(text, &mut room)),
            Event::Code(text) => Event::Code(first(text, &mut room)),
            Event::Start(tag) => {
                open.push(tag.to_end());
                Event::Start(tag)
            }
            other => {
                open.pop();
                other
            }
        });
    }
    start.extend(open.into_iter().rev().map(Event::End));
    start
}

/// Returns the start of a text that there is room for, and takes the room.
fn first<'s>(text: CowStr<'s>, room: &mut usize) -> CowStr<'s> {
    if text.len() <= *room {
        *room -= text.len();
        return text;
    }
    CowStr::from(text[..std::mem::take(room)].to_owned())
}

/// Renders a phrase, after it has passed the filter.
fn rendered(format: PageFormat, phrase: Vec<Event<'_>>, resolve: Resolve<'_>) -> Markup {
    let mut filter = Filter::new(None, resolve);
    let harmless = phrase.into_iter().filter_map(|event| filter.pass(event));
    match format {
        PageFormat::Html => written(harmless, MAX_PHRASE_LENGTH),
        PageFormat::Markdown => as_markdown(harmless),
    }
}

/// Writes a phrase as Markdown on one line.
fn as_markdown<'s>(phrase: impl Iterator<Item = Event<'s>>) -> Markup {
    let mut line = String::new();
    let mut targets = Vec::new();
    for event in phrase {
        match event {
            Event::Text(text) => text::escape_line_into(&text, &mut line),
            Event::Code(code) => {
                line.push_str(Markup::new(PageFormat::Markdown).code(&code).as_str());
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                line.push('[');
                targets.push(dest_url.replace('(', "%28").replace(')', "%29"));
            }
            Event::End(TagEnd::Link) => {
                line.push_str("](");
                text::escape_line_into(&targets.pop().unwrap_or_default(), &mut line);
                line.push(')');
            }
            Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) => line.push('*'),
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => line.push_str("**"),
            Event::Start(Tag::Strikethrough) | Event::End(TagEnd::Strikethrough) => {
                line.push_str("~~");
            }
            _ => {}
        }
    }
    Markup::trusted(PageFormat::Markdown, line)
}
