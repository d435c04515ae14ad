//! A guide's page: the guide itself, its headings as a table of contents, and links to the guides before and after it.
//! `crate::guides` reads guides and renders their text.

use pulldown_cmark::HeadingLevel;
use serde::Serialize;

use super::items::Neighbour;
use super::scope::{Link, PageContent, PageScope};
use crate::guides::Guide;
use crate::markup::Markup;
use crate::plan::PageTarget;
use crate::templates::TemplateData;
use crate::text::display_name;

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
pub(super) fn guide(scope: &PageScope<'_>, at: usize) -> PageContent {
    let guide = &scope.site.guides[at];
    let mut contents = Vec::new();
    for heading in &guide.headings {
        if heading.level <= MAX_CONTENTS_LEVEL {
            contents.push(GuideHeading {
                name: display_name(&heading.text),
                href: scope.text.links.same_page(&heading.anchor()),
                nested: heading.level == MAX_CONTENTS_LEVEL,
            });
        }
    }
    let before = at.checked_sub(1).and_then(|at| link(scope, at));
    let page = GuidePage {
        name: display_name(&guide.title),
        text: Guide::render(&scope.site.guides, at, &scope.text.links),
        contents,
        around: scope.text.neighbours(before, link(scope, at + 1)),
    };
    scope.page(page.name.clone(), None, &page)
}

/// Returns a link to a guide, if there is one at this position.
fn link(scope: &PageScope<'_>, at: usize) -> Option<Link> {
    let guide = scope.site.guides.get(at)?;
    Some(scope.text.link(&guide.title, PageTarget::Guide(at)))
}
