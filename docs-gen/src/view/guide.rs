//! A guide's page.

use pulldown_cmark::HeadingLevel;
use serde::Serialize;

use super::scope::{Content, PageScope};
use crate::guides::Guide;
use crate::markup::Markup;
use crate::templates::TemplateData;
use crate::text::shown_name;

/// The deepest level of headings in the contents of a guide.
const MAX_CONTENTS_LEVEL: HeadingLevel = HeadingLevel::H3;

/// The data of a guide's page.
#[derive(Serialize)]
struct GuidePage {
    name: String,
    text: Markup,
    contents: Vec<GuideHeading>,
}

/// A heading in the contents of a guide.
#[derive(Serialize)]
struct GuideHeading {
    name: String,
    href: String,
    /// True if it is below another one.
    nested: bool,
}

impl TemplateData for GuidePage {
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
    let page = GuidePage {
        name: shown_name(&guide.title),
        text: Guide::render(&scope.site.guides, at, &scope.text.links),
        contents: contents.collect(),
    };
    scope.page(page.name.clone(), None, &page)
}
