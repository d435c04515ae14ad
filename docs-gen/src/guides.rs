//! Guide pages: Markdown by the authors of a site, under the rules for descriptions.
//!
//! Unlike a description, a guide can link to other guides by their files, to headings, and to
//! procedures and types by their names. Such links are checked when the site is built.
//!
//! Links are replaced in the source, before it is rendered: the rest of the Markdown stays as its author wrote it,
//! also on the Markdown page.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag};

use crate::links::Links;
use crate::markdown::{self, Heading};
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
    /// Takes guides in the order in which they are listed.
    pub(crate) fn read_all(
        sources: Vec<(String, String)>,
        problems: &mut Vec<Problem>,
    ) -> Vec<Self> {
        let mut files = HashSet::new();
        let mut guides = Vec::new();
        for (file, source) in sources {
            let file = normal(&file).unwrap_or(file);
            if !files.insert(file.clone()) {
                problems.push(Problem::new(format!("guide {file}"), "was given twice"));
            }
            let source = markdown::readable(&source);
            let contents = markdown::contents(&source);
            guides.push(Self {
                slug: String::new(),
                title: contents.title.unwrap_or_else(|| stem(&file).to_owned()),
                body_start: contents.body_start,
                headings: contents.headings,
                source,
                file,
            });
        }
        let slugs = Slugs::readable(guides.iter().map(|guide| stem(&guide.file)));
        for (guide, slug) in guides.iter_mut().zip(slugs) {
            guide.slug = slug;
        }
        guides
    }

    /// Returns the Markdown below the title.
    pub(crate) fn body(&self) -> &str {
        self.source.get(self.body_start..).unwrap_or_default()
    }

    /// Renders the guide at this position of the list without its title, in the form of the links.
    pub(crate) fn render(guides: &[Self], at: usize, links: &Links<'_>) -> Markup {
        let guide = &guides[at];
        let body = relinked(guide.body(), |to| Self::resolve(guides, at, links, to).ok());
        match links.medium.form() {
            PageForm::Html => {
                let anchors: Vec<_> = guide
                    .headings
                    .iter()
                    .map(|heading| links.id(&heading.anchor()))
                    .collect();
                markdown::guide(&body, &anchors, &|name| links.to_name_elsewhere(name))
            }
            PageForm::Markdown => markdown::render(PageForm::Markdown, &body, 2),
        }
    }

    /// Finds links that lead nowhere.
    pub(crate) fn check(guides: &[Self], at: usize, links: &Links<'_>) -> Vec<Problem> {
        let Self { file, source, .. } = &guides[at];
        markdown::relative_links(source)
            .into_iter()
            .filter_map(|to| {
                let reason = match Self::resolve(guides, at, links, &to) {
                    Ok(_) if source.contains(&to) => return None,
                    Ok(_) => "has escapes in it; write the address without them".to_owned(),
                    Err(reason) => reason,
                };
                let reason = format!("the link {to:?} {reason}");
                Some(Problem::new(format!("guide {file}"), reason))
            })
            .collect()
    }

    /// Returns the target of a relative link of a guide.
    fn resolve(guides: &[Self], at: usize, links: &Links<'_>, to: &str) -> Result<String, String> {
        let (path, fragment) = to.split_once('#').unwrap_or((to, ""));
        let (folder, _) = guides[at].file.rsplit_once('/').unwrap_or_default();
        let file = normal(&format!("{folder}/{path}"));
        let mut files = guides.iter().map(|guide| &guide.file);
        let target = match files.position(|known| Some(known) == file.as_ref()) {
            _ if path.is_empty() => at,
            Some(found) => found,
            // Names of procedures are not files.
            None if fragment.is_empty() => {
                return links
                    .to_name(path)
                    .ok_or_else(|| "leads to no guide, procedure or type".to_owned());
            }
            None => return Err("leads to no guide".to_owned()),
        };
        if fragment.is_empty() {
            return Ok(links.to(PageTarget::Guide(target)));
        }
        let heading = guides[target]
            .headings
            .iter()
            .find(|heading| heading.slug == fragment)
            .ok_or_else(|| "leads to no heading of that guide".to_owned())?;
        Ok(links.to_anchor(PageTarget::Guide(target), &heading.anchor()))
    }
}

/// Returns Markdown with its relative links replaced by what `resolve` returns for their targets. Links
/// that it does not know stay as they are.
fn relinked(source: &str, resolve: impl Fn(&str) -> Option<String>) -> String {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    let events = markdown::events(source);
    for (_, definition) in events.reference_definitions().iter() {
        let range = target_range(source, definition.span.clone(), "]:", &definition.dest);
        found.extend(range.zip(resolve(&definition.dest)));
    }
    for (event, range) in events.into_offset_iter() {
        if let Event::Start(
            Tag::Link {
                link_type,
                dest_url,
                ..
            }
            | Tag::Image {
                link_type,
                dest_url,
                ..
            },
        ) = event
            && link_type == LinkType::Inline
        {
            let range = target_range(source, range, "](", &dest_url);
            found.extend(range.zip(resolve(&dest_url)));
        }
    }
    // From the end on, a replacement moves no other target.
    found.sort_by_key(|(range, _)| Reverse(range.start));
    found.dedup_by_key(|(range, _)| range.start);
    let mut written = source.to_owned();
    for (range, href) in found {
        written.replace_range(range, &href);
    }
    written
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
