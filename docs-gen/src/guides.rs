//! Guide pages: Markdown by the authors of a site, under the rules for descriptions.
//!
//! Unlike a description, a guide can link to other guides by their files, to headings, and to
//! procedures and types by their names. Such links are checked when the site is built. Guides may also be written for
//! a repository: of a link to another of its files, only the text is on the page, with a warning.
//!
//! | in the guide `start.md` | on the page `guide/start.html` |
//! |---|---|
//! | `[Errors](errors.md#retries)` | `[Errors](errors.html#section.retries)` |
//! | `[find](book.find)` | `[find](../book.find.html)` |
//! | `[code](../src/main.rs)` | `code` |
//!
//! Links are replaced in the source, before it is rendered ([`relinked`]): the rest of the Markdown stays as its author
//! wrote it, also on the Markdown page.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use indexmap::IndexSet;
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use crate::links::Links;
use crate::markdown;
use crate::markdown::contents::{Contents, Heading};
use crate::markup::{Markup, PageFormat};
use crate::plan::PageTarget;
use crate::problem::Problem;
use crate::slug::Slugs;

/// A guide page.
#[derive(Debug)]
pub(crate) struct Guide {
    /// The file name, which other guides link to.
    file: String,
    /// The name of its page, without the extension.
    pub(crate) slug: String,
    /// The title, which is left out of the page below its head.
    pub(crate) title: String,
    /// The Markdown, with invisible characters spelt out.
    pub(crate) source: String,
    /// The offset in the source at which the title ends.
    body_start: usize,
    /// The headings to which links can lead.
    pub(crate) headings: Vec<Heading>,
}

impl Guide {
    /// Reads guides, and puts them in the order in which they are listed.
    pub(crate) fn read_all(
        sources: Vec<(String, String)>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Self> {
        let mut files = HashSet::new();
        let mut slugs = Slugs::default();
        let mut guides = Vec::new();
        for (file, source) in sources {
            let file = normal(&file).unwrap_or(file);
            if !files.insert(file.clone()) {
                problems.push(Problem::new(
                    format!("guide {file}"),
                    "was added twice; give each guide a file of its own",
                ));
            }
            let source = markdown::readable(&source);
            let contents = Contents::new(&source);
            guides.push(Self {
                slug: slugs.assign(stem(&file)),
                title: contents.title.unwrap_or_else(|| stem(&file).to_owned()),
                body_start: contents.body_start,
                headings: contents.headings,
                source,
                file,
            });
        }
        Self::ordered(guides)
    }

    /// Puts each guide that is named `index.md` first, and behind it the guides that it links to, in the order of its
    /// links. The others follow as they were added.
    fn ordered(guides: Vec<Self>) -> Vec<Self> {
        let mut order = IndexSet::new();
        for (at, guide) in guides.iter().enumerate() {
            if stem(&guide.file) == "index" {
                order.insert(at);
                for to in markdown::relative_links(&guide.source) {
                    let (path, _) = to.split_once('#').unwrap_or((&to, ""));
                    order.extend(Self::linked(&guides, at, path));
                }
            }
        }
        order.extend(0..guides.len());
        let mut guides: Vec<_> = guides.into_iter().map(Some).collect();
        order.iter().filter_map(|at| guides[*at].take()).collect()
    }

    /// Returns the position of the guide that a path leads to from the one at `at`.
    fn linked(guides: &[Self], at: usize, path: &str) -> Option<usize> {
        let (folder, _) = guides[at].file.rsplit_once('/').unwrap_or_default();
        let file = normal(&format!("{folder}/{path}"))?;
        guides.iter().position(|guide| guide.file == file)
    }

    /// Returns the Markdown below the title.
    pub(crate) fn body(&self) -> &str {
        self.source.get(self.body_start..).unwrap_or_default()
    }

    /// Renders the guide at this position of the list without its title, in the format of the links.
    pub(crate) fn render(guides: &[Self], at: usize, links: &Links<'_>) -> Markup {
        let guide = &guides[at];
        let Relinked { source, pages } = relinked(guide.body(), |to| {
            Self::resolve(guides, at, links, to).ok().flatten()
        });
        match links.medium.format() {
            PageFormat::Html => {
                let anchors: Vec<_> = guide
                    .headings
                    .iter()
                    .map(|heading| links.id(&heading.anchor()))
                    .collect();
                markdown::guide(&source, &pages, &anchors, &|name| {
                    links.to_name_elsewhere(name)
                })
            }
            PageFormat::Markdown => markdown::render(PageFormat::Markdown, &source),
        }
    }

    /// Finds links that lead nowhere. A link to what is not on the site is a warning.
    pub(crate) fn check(
        guides: &[Self],
        at: usize,
        links: &Links<'_>,
        problems: &mut Vec<Problem>,
        warnings: &mut Vec<Problem>,
    ) {
        let Self { file, source, .. } = &guides[at];
        for to in markdown::relative_links(source) {
            let target = Self::resolve(guides, at, links, &to);
            let reason = match target {
                Ok(Some(_)) if source.contains(&to) => continue,
                Ok(Some(_)) => "contains escapes; write it without them",
                Ok(None) => "leads to no guide, procedure or type; only its text is on the page",
                Err(reason) => reason,
            };
            let problem =
                Problem::new(format!("guide {file}"), format!("the link {to:?} {reason}"));
            if target == Ok(None) {
                warnings.push(problem);
            } else {
                problems.push(problem);
            }
        }
    }

    /// Returns the target of a relative link of a guide, or `None` if it leads to something that is not on the site,
    /// such as another file of the author's repository.
    fn resolve(
        guides: &[Self],
        at: usize,
        links: &Links<'_>,
        to: &str,
    ) -> Result<Option<String>, &'static str> {
        let (path, fragment) = to.split_once('#').unwrap_or((to, ""));
        let target = match Self::linked(guides, at, path) {
            _ if path.is_empty() => at,
            Some(found) => found,
            // Names of procedures are not files.
            None if fragment.is_empty() => return Ok(links.to_name(path)),
            None => return Ok(None),
        };
        if fragment.is_empty() {
            return Ok(Some(links.to(PageTarget::Guide(target))));
        }
        let heading = guides[target]
            .headings
            .iter()
            .find(|heading| heading.slug == fragment)
            .ok_or("leads to no heading of that guide")?;
        Ok(Some(
            links.to_anchor(PageTarget::Guide(target), &heading.anchor()),
        ))
    }
}

/// A guide with the links of its page.
struct Relinked {
    source: String,
    /// The addresses of the site's pages that the source links to.
    pages: HashSet<String>,
}

/// Replaces the targets of relative links by the addresses that `resolve` finds. A link without an address becomes its
/// text.
fn relinked(source: &str, resolve: impl Fn(&str) -> Option<String>) -> Relinked {
    let mut edits: Vec<Edit> = Vec::new();
    let mut pages = HashSet::new();
    let mut open: Vec<OpenLink<'_>> = Vec::new();
    let events = markdown::events(source);
    for (_, definition) in events.reference_definitions().iter() {
        let range = target_range(source, definition.span.clone(), "]:", &definition.dest);
        if let (Some(range), Some(text)) = (range, resolve(&definition.dest)) {
            edits.push(Edit { range, text });
        }
    }
    for (event, range) in events.into_offset_iter() {
        if let Event::End(TagEnd::Link | TagEnd::Image) = event
            && let Some(OpenLink { to, text }) = open.pop()
            && markdown::is_relative(&to)
        {
            if let Some(href) = resolve(&to) {
                if let Some(target) = target_range(source, range.clone(), "](", &to) {
                    edits.push(Edit {
                        range: target,
                        text: href.clone(),
                    });
                }
                pages.insert(href);
            } else {
                edits.push(Edit::removal(range.start..text.start));
                edits.push(Edit::removal(text.end..range.end));
            }
        }
        if let Some(link) = open.last_mut() {
            link.text.end = range.end;
        }
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            let is_image = source[range.start..].starts_with('!');
            let start = range.start + "[".len() + usize::from(is_image);
            open.push(OpenLink {
                to: dest_url,
                text: start..start,
            });
        }
    }
    // From the end on, an edit moves no other.
    edits.sort_by_key(|edit| Reverse(edit.range.start));
    edits.dedup_by_key(|edit| edit.range.start);
    let mut written = source.to_owned();
    for edit in edits {
        written.replace_range(edit.range, &edit.text);
    }
    Relinked {
        source: written,
        pages,
    }
}

/// A replacement of a range of a source by a text.
struct Edit {
    range: Range<usize>,
    text: String,
}

impl Edit {
    /// Removes a range.
    fn removal(range: Range<usize>) -> Self {
        Self {
            range,
            text: String::new(),
        }
    }
}

/// A link or an image that contains the next event.
struct OpenLink<'s> {
    /// The target.
    to: CowStr<'s>,
    /// The range of its text so far.
    text: Range<usize>,
}

/// Returns the range of a relative link's target `to` in the source: inside `link`, after `before`.
fn target_range(source: &str, link: Range<usize>, before: &str, to: &str) -> Option<Range<usize>> {
    if !markdown::is_relative(to) {
        return None;
    }
    let text = &source[link.clone()];
    let from = text.rfind(before)? + before.len();
    let start = link.start + from + text[from..].find(to)?;
    Some(start..start + to.len())
}

/// Returns the name of a file without its folder and its extension.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Returns the path without `.` and `..`, or `None` if it leads out of its folder.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
