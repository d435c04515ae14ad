//! The views: the data that templates get, a page at a time.
//!
//! A page is rendered in three steps. `PageView::new` finds what it says, which takes long for procedures and
//! types. `PageView::content` writes the main part, once as HTML and once as Markdown, from the same view. `shell`
//! puts the HTML into what surrounds every page.
//!
//! "How to change it" in `ARCHITECTURE.md` has what a page of a new kind needs. Tests in `tests/it/` go through all
//! pages, so they find links that lead nowhere, texts that are missing, and markup that is not escaped.

/// Makes the data of a template. Other than with `json!`, the values are moved and not written anew.
macro_rules! view {
    ({ $($name:literal: $value:expr),* $(,)? }) => {
        $crate::view::object(&mut [$(($name, serde_json::Value::from($value))),*])
    };
}

mod about;
mod calls;
mod changes;
mod credentials;
mod errors;
mod lists;
mod nav;
pub(crate) mod overview;
pub(crate) mod procedure;
mod row;
pub(crate) mod scope;
mod sent;
mod shell;
mod types;
mod updates;
mod words;

use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::links::{Links, Medium};
use crate::plan::PageTarget;
use crate::schema::{RUN_LENGTH, ServiceSchemas};
use crate::service::SiteService;
use crate::site::Site;
pub(crate) use overview::everything;
use procedure::ProcedureView;
pub(crate) use scope::{Content, PageScope};
pub(crate) use shell::{catalogue, missing, own_page, shell};
use types::TypeView;
pub(crate) use updates::updates;

/// Returns an object with these members, whose values are moved into it. To collect them would compile a sort for each
/// number of members.
fn object(members: &mut [(&str, Value)]) -> Value {
    let mut object = Map::new();
    for (name, value) in members {
        object.insert((*name).to_owned(), value.take());
    }
    Value::Object(object)
}

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
            PageTarget::Type(index) => {
                let view = TypeView::new(service, schemas, index);
                view.map_or(Self::Other, |view| Self::Type(Box::new(view)))
            }
            _ => Self::Other,
        }
    }

    /// Writes the page's main part, with its title and summary.
    pub(crate) fn content(&self, scope: &PageScope<'_>) -> Content {
        match self {
            Self::Procedure(view) => view.content(scope),
            Self::Type(view) => view.content(scope),
            Self::Other => match scope.target {
                PageTarget::Idempotent => lists::idempotent(scope),
                PageTarget::Changes => changes::changes(scope),
                PageTarget::Guide(at) => lists::guide(scope, at),
                PageTarget::Group(at, part) => lists::group(scope, at, part),
                PageTarget::Code(index) => errors::code_page(scope, index),
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
            let mut scope = PageScope::new(site, service, Medium::Markdown, target, &schemas);
            scope.text.links = Links::new(&service.plan, Medium::Markdown, PageTarget::Overview);
            writeln!(out, "{}\n", view.content(&scope).main.as_str().trim_end())?;
        }
    }
    Ok(())
}
