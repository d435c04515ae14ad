//! A guide's page.

use pulldown_cmark::HeadingLevel;
use serde::Serialize;

use super::items::Neighbour;
use super::scope::{Content, PageScope};
use crate::guides::Guide;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::templates::TemplateData;
use crate::text::shown_name;

/// The deepest level of headings in the contents of a guide.
const MAX_CONTENTS_LEVEL: HeadingLevel = HeadingLevel::H3;

/// The data of a guide's page.
#[derive(Serialize)]
struct GuidePage<'a> {
    name: String,
    text: Markup,
    contents: Vec<GuideHeading>,
    /// The guides before and after this one.
    around: Vec<Neighbour<'a>>,
}

/// A heading in the contents of a guide.
#[derive(Serialize)]
struct GuideHeading {
    name: String,
    href: String,
    /// True if it is below another one.
    nested: bool,
}

impl TemplateData for GuidePage<'_> {
    const TEMPLATE: &'static str = "guide";
}

/// Returns a guide's page.
pub(super) fn guide(scope: &PageScope<'_>, at: usize) -> Content {
    let guide = &scope.site.guides[at];
    let listed = guide
        .headings
        .iter()
        .filter(|heading| heading.level <= MAX_CONTENTS_LEVEL);
    let contents = listed.map(|heading| GuideHeading {
        name: shown_name(&heading.text),
        href: scope.text.links.same_page(&heading.anchor()),
        nested: heading.level == MAX_CONTENTS_LEVEL,
    });
    let [before, after] = [at.checked_sub(1), Some(at + 1)].map(|at| {
        let title = &scope.site.guides.get(at?)?.title;
        Some(scope.text.link(title, PageTarget::Guide(at?)))
    });
    let page = GuidePage {
        name: shown_name(&guide.title),
        text: Guide::render(&scope.site.guides, at, &scope.text.links),
        contents: contents.collect(),
        around: scope.text.neighbours(before, after),
    };
    scope.page(page.name.clone(), None, &page)
}
