//! The pages: what each says, and the data that its templates get.
//!
//! A page of a service comes in as a [`PageTarget`], and its main part goes out, as HTML or as Markdown:
//!
//! ```text
//! crate::pages ─► PageView::new ─► PageView::content, once for each format ─► PageContent { title, main, … } ─► shell
//!                 rows, examples   data of the page ─► template
//! ```
//!
//! `PageView::new` finds the content, which takes long for procedures and types, and does not depend on the format, so
//! it is found once for both. `content` writes the main part, and `shell` puts the HTML into the surroundings of every
//! page: head, navigation, footer. The data of a template is a struct in a file of the page's name:
//!
//! ```ignore
//! #[derive(Serialize)]
//! struct GuidePage {
//!     name: String,
//!     text: Markup,
//!     contents: Vec<GuideHeading>,
//! }
//! ```
//!
//! `guide.hbs` and `markdown/guide.hbs` write it with `{{name}}` and `{{html text}}`. Files that several pages use have
//! no template of their own: `row/` and `phrases` write values, `items` lists of procedures, `calls` samples and forms.
//! A function gets no more than it needs: a [`PageScope`] if it asks the service or the site, and only its `PageText`
//! if it does not (`scope`). "How to change it" in `ARCHITECTURE.md` has what a page of a new kind needs.

mod about;
mod calls;
mod catalogue;
#[cfg(feature = "publish")]
mod changes;
mod code;
mod code_message;
mod credentials;
mod error_table;
mod errors;
mod examples;
mod group;
mod guide;
mod items;
mod llms;
mod missing;
mod nav;
#[cfg(not(feature = "publish"))]
mod no_version_marks;
mod overview;
mod phrases;
mod procedure;
#[cfg(feature = "publish")]
mod rewording;
mod row;
mod scope;
mod sent;
mod shared_type;
mod shell;
mod types;
#[cfg(feature = "publish")]
mod updates;
#[cfg(feature = "publish")]
mod version_marks;

use std::io::{self, Write};

use crate::links::{Links, Medium};
use crate::plan::PageTarget;
use crate::schema::{RUN_LENGTH, ServiceSchemas};
use crate::service::SiteService;
use crate::site::Site;
pub(crate) use catalogue::catalogue;
pub(crate) use llms::llms;
pub(crate) use missing::missing;
pub(crate) use overview::{OverviewPage, first_samples};
pub(crate) use procedure::AboutProcedure;
use procedure::ProcedureView;
pub(crate) use row::tree;
pub(crate) use scope::{PageContent, PageScope};
use shared_type::TypeView;
#[cfg(feature = "publish")]
pub(crate) use shell::InlineParts;
pub(crate) use shell::{Shell, shell, site_page};
#[cfg(feature = "publish")]
pub(crate) use updates::updates;

/// The content of a page, before it is written as HTML and as Markdown.
pub(crate) enum PageView<'a> {
    Procedure(Box<ProcedureView<'a>>),
    Type(Box<TypeView<'a>>),
    /// Nothing that takes long to find.
    Other,
}

impl<'a> PageView<'a> {
    /// Finds what a page says.
    pub(crate) fn new(
        service: &'a SiteService,
        schemas: &'a ServiceSchemas<'a>,
        target: PageTarget,
    ) -> Self {
        match target {
            PageTarget::Procedure(index) => {
                Self::Procedure(Box::new(ProcedureView::new(service, schemas, index)))
            }
            PageTarget::Type(index) => match TypeView::new(service, schemas, index) {
                Some(view) => Self::Type(Box::new(view)),
                None => Self::Other,
            },
            _ => Self::Other,
        }
    }

    /// Writes the page's main part, with its title and summary.
    pub(crate) fn content(&self, scope: &PageScope<'_>) -> PageContent {
        match self {
            Self::Procedure(view) => view.content(scope),
            Self::Type(view) => view.content(scope),
            Self::Other => match scope.target {
                PageTarget::Idempotent => group::idempotent(scope),
                #[cfg(feature = "publish")]
                PageTarget::Changes => changes::changes(scope),
                // No version has a page of changes.
                #[cfg(not(feature = "publish"))]
                PageTarget::Changes => overview::overview(scope),
                PageTarget::Types => types::types_page(scope),
                PageTarget::Errors => errors::errors_page(scope),
                PageTarget::Guide(at) => guide::guide(scope, at),
                PageTarget::Group(at, part) => group::group(scope, at, part),
                PageTarget::Code(index) => code::code_page(scope, index),
                // Each page but these and the overview has a view, unless there is nothing to say.
                PageTarget::Overview | PageTarget::Procedure(_) | PageTarget::Type(_) => {
                    overview::overview(scope)
                }
            },
        }
    }
}

/// Writes all Markdown pages of a service one after the other, with links that start from its folder.
pub(crate) fn write_all_pages(
    site: &Site,
    service: &SiteService,
    out: &mut dyn Write,
) -> io::Result<()> {
    let guides = (0..site.guides.len()).map(PageTarget::Guide);
    let targets: Vec<_> = service.plan.targets().into_iter().chain(guides).collect();
    for run in targets.chunks(RUN_LENGTH) {
        let schemas = service.schemas();
        for &target in run {
            let view = PageView::new(service, &schemas, target);
            let mut scope = PageScope::new(site, service, Medium::Markdown, target, &schemas)
                .with_marked_changes();
            scope.text.links = Links::new(&service.plan, Medium::Markdown, PageTarget::Overview);
            writeln!(out, "{}\n", view.content(&scope).main.as_str().trim_end())?;
        }
    }
    Ok(())
}
