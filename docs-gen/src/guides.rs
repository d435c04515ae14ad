//! Guide pages: Markdown by the authors of a site, under the rules for descriptions.
//!
//! Unlike a description, a guide can link to other guides by their files, to headings, and to
//! procedures and types by their names. Such links are checked when the site is built. Guides may also be written for
//! a repository: of a link to another of its files, only the text is on the page, with a warning.
//!
//! Links are replaced in the source, before it is rendered: the rest of the Markdown stays as its author wrote it,
//! also on the Markdown page.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use indexmap::IndexSet;
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use crate::links::Links;
use crate::markdown;
use crate::markdown::contents::{Contents, Heading};
use crate::markup::{Markup, PageForm};
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
    /// The Markdown, with what cannot be seen spelt out.
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
                let links = markdown::relative_links(&guide.source);
                order.extend(links.iter().filter_map(|to| {
                    let (path, _) = to.split_once('#').unwrap_or((to, ""));
                    Self::linked(&guides, at, path)
                }));
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

    /// Renders the guide at this position of the list without its title, in the form of the links.
    pub(crate) fn render(guides: &[Self], at: usize, links: &Links<'_>) -> Markup {
        let guide = &guides[at];
        let resolve = |to: &str| Self::resolve(guides, at, links, to).ok().flatten();
        let Relinked { source, pages } = relinked(guide.body(), resolve);
        match links.medium.form() {
            PageForm::Html => {
                let anchors: Vec<_> = guide
                    .headings
                    .iter()
                    .map(|heading| links.id(&heading.anchor()))
                    .collect();
                markdown::guide(&source, &pages, &anchors, &|name| {
                    links.to_name_elsewhere(name)
                })
            }
            PageForm::Markdown => markdown::render(PageForm::Markdown, &source),
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
            let (list, reason) = match Self::resolve(guides, at, links, &to) {
                Ok(Some(_)) if source.contains(&to) => continue,
                Ok(Some(_)) => (&mut *problems, "contains escapes; write it without them"),
                Ok(None) => (
                    &mut *warnings,
                    "leads to no guide, procedure or type; only its text is on the page",
                ),
                Err(reason) => (&mut *problems, reason),
            };
            let reason = format!("the link {to:?} {reason}");
            list.push(Problem::new(format!("guide {file}"), reason));
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

/// Replaces the targets of relative links by what `resolve` knows. A link that it does not know becomes its text.
fn relinked(source: &str, resolve: impl Fn(&str) -> Option<String>) -> Relinked {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut pages = HashSet::new();
    let mut open: Vec<OpenLink<'_>> = Vec::new();
    let events = markdown::events(source);
    for (_, definition) in events.reference_definitions().iter() {
        let range = target_range(source, definition.span.clone(), "]:", &definition.dest);
        edits.extend(range.zip(resolve(&definition.dest)));
    }
    for (event, range) in events.into_offset_iter() {
        if let Event::End(TagEnd::Link | TagEnd::Image) = event
            && let Some(OpenLink { to, text }) = open.pop()
            && markdown::is_relative(&to)
        {
            if let Some(href) = resolve(&to) {
                let target = target_range(source, range.clone(), "](", &to);
                edits.extend(target.map(|target| (target, href.clone())));
                pages.insert(href);
            } else {
                let around = [range.start..text.start, text.end..range.end];
                edits.extend(around.map(|range| (range, String::new())));
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
    edits.sort_by_key(|(range, _)| Reverse(range.start));
    edits.dedup_by_key(|(range, _)| range.start);
    let mut written = source.to_owned();
    for (range, text) in edits {
        written.replace_range(range, &text);
    }
    Relinked {
        source: written,
        pages,
    }
}

/// A link or an image around the next event.
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
