//! The views: the data that templates get, a page at a time.

/// Makes the data of a template. Other than with `json!`, the values are moved and not written anew.
macro_rules! view {
    ({ $($name:literal: $value:expr),* $(,)? }) => {
        serde_json::Value::Object(
            [$(($name.to_owned(), serde_json::Value::from($value))),*].into_iter().collect(),
        )
    };
}

mod about;
mod calls;
mod changes;
mod errors;
mod lists;
mod names;
mod nav;
mod overview;
mod procedure;
mod row;
mod scope;
mod shell;
mod signature;
mod terms;
mod types;
mod updates;
mod versions;
mod words;

use crate::plan::PageTarget;
use crate::schema::ServiceSchemas;
use crate::search::{Depth, SearchEntry, entries};
use crate::service::SiteService;
use crate::strings::Strings;
use procedure::ProcedureView;
pub(crate) use scope::{Content, PageScope};
pub(crate) use shell::{catalogue, missing, own_page, shell};
use types::TypeView;
pub(crate) use updates::updates;

/// The content of a page, before it is written as HTML and as Markdown.
pub(crate) enum PageView<'a> {
    Procedure(Box<ProcedureView<'a>>),
    Type(Box<TypeView<'a>>),
    Names(Vec<SearchEntry<'a>>),
    /// Nothing that takes long to find.
    Other,
}

impl<'a> PageView<'a> {
    /// Finds what a page says.
    pub(crate) fn new(
        service: &'a SiteService,
        schemas: &'a ServiceSchemas<'a>,
        strings: &'a Strings,
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
            PageTarget::Names => Self::Names(entries(service, Depth::Parts, strings)),
            _ => Self::Other,
        }
    }
}

impl PageScope<'_> {
    /// Writes the page's main part, with its title and summary.
    pub(crate) fn content(&self, view: &PageView<'_>) -> Content {
        match view {
            PageView::Procedure(view) => self.procedure_page(view),
            PageView::Type(view) => self.type_page(view),
            PageView::Names(found) => self.names(found),
            PageView::Other => match self.target {
                PageTarget::Idempotent => self.idempotent(),
                PageTarget::Changes => self.changes(),
                PageTarget::Guide(at) => self.guide(at),
                PageTarget::Group(group, part) => self.group(group, part),
                PageTarget::Code(index) => self.code(index),
                // Each page but these and the overview has a view.
                _ => self.overview(),
            },
        }
    }
}
