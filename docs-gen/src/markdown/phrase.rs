//! Short texts of authors: a summary, a title, or the first sentence of a description.
//!
//! They stand where there is room for a line. In rows, cells and cards they are markup, and in `<meta>`, `llms.txt` and
//! the search index they are plain text. Both are made from the same events of the parser: those of words are kept, and
//! the bounds of paragraphs, lists and other blocks become blanks. So a phrase has no blocks, and may be in any element:
//!
//! | source | markup | plain text |
//! |---|---|---|
//! | ``A `book`.`` | `A <code>book</code>.` | `A book.` |
//! | `All:\n\n- *one*` | `All: <em>one</em>` | `All: one` |
//!
//! A phrase is cut by what it shows, not by its source: what is open at its end is closed there.

use docent_describe::json::shorten;
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::{Filter, Resolve, events, readable, written};
use crate::markup::{Markup, PageForm};
use crate::text;

/// The maximum number of characters that a phrase shows.
const MAX_PHRASE_LENGTH: usize = 240;

/// The maximum number of characters of a source that are read.
const MAX_SOURCE_LENGTH: usize = 10_000;

/// The part of a text that a phrase is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// As much of the text as there is room for.
    Start,
    /// The first sentence of the first block.
    Sentence,
}

/// Renders a summary or a title by an author, with links from code that `resolve` finds.
pub(crate) fn summary(form: PageForm, source: &str, resolve: Resolve<'_>) -> Markup {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    rendered(form, words(&source, Extent::Start), resolve)
}

/// Renders the first sentence of a text by an author, with links from code that `resolve` finds.
pub(crate) fn first_sentence(form: PageForm, source: &str, resolve: Resolve<'_>) -> Markup {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    rendered(form, words(&source, Extent::Sentence), resolve)
}

/// Returns a summary or a title by an author as plain text on one line.
pub(crate) fn plain(source: &str) -> String {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    text::one_line(&shown(&words(&source, Extent::Start)))
}

/// Returns the first sentence of a text by an author as plain text on one line.
pub(crate) fn plain_sentence(source: &str) -> String {
    let source = readable(&shorten(source, MAX_SOURCE_LENGTH));
    text::one_line(&shown(&words(&source, Extent::Sentence)))
}

/// Returns the words of a text with the emphasis and the links around them.
fn words(source: &str, extent: Extent) -> Vec<Event<'_>> {
    let mut words = Vec::new();
    let mut is_apart = false;
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
        if is_block_end && extent == Extent::Sentence && !words.is_empty() {
            break;
        }
        let Some(event) = word(event) else {
            is_apart = !words.is_empty();
            continue;
        };
        if is_apart && !matches!(event, Event::End(_)) {
            words.push(Event::Text(CowStr::Borrowed(" ")));
            is_apart = false;
        }
        words.push(event);
    }
    limited(words, extent)
}

/// Cuts words behind the first sentence if that is their extent, and in any case where there is no more room.
fn limited(words: Vec<Event<'_>>, extent: Extent) -> Vec<Event<'_>> {
    let text = shown(&words);
    let limit = text
        .char_indices()
        .nth(MAX_PHRASE_LENGTH)
        .map_or(text.len(), |(end, _)| end);
    if extent == Extent::Sentence
        && let Some(end) = sentence_end(&text)
        && end <= limit
    {
        return cut(words, end);
    }
    if limit == text.len() {
        return words;
    }
    let mut words = cut(words, limit);
    words.push(Event::Text(CowStr::Borrowed("…")));
    words
}

/// Returns an event that is about words. Raw HTML is text, and code of several lines is code in a line.
fn word(event: Event<'_>) -> Option<Event<'_>> {
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

/// Returns the text that words show.
fn shown(words: &[Event<'_>]) -> String {
    let mut shown = String::new();
    for word in words {
        if let Event::Text(text) | Event::Code(text) = word {
            shown.push_str(text);
        }
    }
    shown
}

/// Returns the end of the first sentence of a text, if another follows.
fn sentence_end(text: &str) -> Option<usize> {
    text.match_indices(". ")
        .map(|(at, _)| at + 1)
        .find(|end| text[end + 1..].starts_with(char::is_uppercase))
}

/// Returns the words up to an offset of the text that they show.
fn cut(words: Vec<Event<'_>>, end: usize) -> Vec<Event<'_>> {
    let mut kept = Vec::new();
    let mut open = Vec::new();
    let mut room = end;
    for word in words {
        if room == 0 {
            break;
        }
        let word = match word {
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
        };
        kept.push(word);
    }
    kept.extend(open.into_iter().rev().map(Event::End));
    kept
}

/// Returns the start of a text that there is room for, and takes the room.
fn first<'s>(text: CowStr<'s>, room: &mut usize) -> CowStr<'s> {
    if text.len() <= *room {
        *room -= text.len();
        return text;
    }
    CowStr::from(text[..std::mem::take(room)].to_owned())
}

/// Renders words.
fn rendered(form: PageForm, words: Vec<Event<'_>>, resolve: Resolve<'_>) -> Markup {
    let mut filter = Filter::new(None, resolve);
    let passed = words.into_iter().filter_map(|word| filter.pass(word));
    match form {
        PageForm::Html => written(passed, MAX_PHRASE_LENGTH),
        PageForm::Markdown => as_markdown(passed),
    }
}

/// Writes words as Markdown on one line.
fn as_markdown<'s>(words: impl Iterator<Item = Event<'s>>) -> Markup {
    let mut line = String::new();
    let mut targets = Vec::new();
    for word in words {
        match word {
            Event::Text(text) => text::escape_line_into(&text, &mut line),
            Event::Code(code) => {
                line.push_str(Markup::new(PageForm::Markdown).code(&code).as_str());
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
    Markup::trusted(PageForm::Markdown, line)
}
