//! The title and the headings of a guide, with the anchors that links can lead to: `## Rate limits` has the slug
//! `rate-limits`, as on code hosts, so that links work in a repository and on the site.

use std::collections::HashSet;

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::events;

/// A heading of a guide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    /// The text, without markup.
    pub(crate) text: String,
    /// The slug by which links refer to the heading, made from the text as code hosts do.
    pub(crate) slug: String,
    /// The level as it is written.
    pub(crate) level: HeadingLevel,
}

impl Heading {
    /// Returns the anchor. It has a dot, so it cannot clash with the page's own.
    pub(crate) fn anchor(&self) -> String {
        format!("section.{}", self.slug)
    }
}

/// The title and the headings of a guide.
#[derive(Default)]
pub(crate) struct Contents {
    /// The heading of the first level at its start, if there is one.
    pub(crate) title: Option<String>,
    /// The offset at which the title ends.
    pub(crate) body_start: usize,
    /// The other headings, to which links can lead.
    pub(crate) headings: Vec<Heading>,
}

impl Contents {
    /// Returns a guide's title and its other headings.
    pub(crate) fn new(source: &str) -> Self {
        let mut contents = Self::default();
        let mut open_heading: Option<String> = None;
        let mut is_title = false;
        let mut taken = HashSet::new();
        for (index, (event, range)) in events(source).into_offset_iter().enumerate() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    is_title = index == 0 && level == HeadingLevel::H1;
                    open_heading = Some(String::new());
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut open_heading {
                        heading.push_str(&text);
                    }
                }
                Event::End(TagEnd::Heading(level)) => {
                    let text = open_heading.take().unwrap_or_default();
                    if is_title {
                        contents.title = Some(text);
                        contents.body_start = range.end;
                    } else {
                        let slug = unused(&slug(&text), &mut taken);
                        contents.headings.push(Heading { text, slug, level });
                    }
                }
                _ => {}
            }
        }
        contents
    }
}

/// Returns a heading in lower case, with hyphens for blanks and without other marks.
fn slug(text: &str) -> String {
    text.to_lowercase()
        .chars()
        .filter_map(|character| match character {
            ' ' | '-' => Some('-'),
            '_' => Some('_'),
            other => other.is_alphanumeric().then_some(other),
        })
        .take(200)
        .collect()
}

/// Returns the slug, with a number if another heading of the guide has it already.
fn unused(slug: &str, taken: &mut HashSet<String>) -> String {
    let start = if slug.is_empty() { "section" } else { slug };
    let mut slug = start.to_owned();
    let mut count = 1;
    while !taken.insert(slug.clone()) {
        slug = format!("{start}-{count}");
        count += 1;
    }
    slug
}
