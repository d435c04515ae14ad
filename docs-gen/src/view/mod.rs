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
mod facts;
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
                // The plan has the types in the order of the description.
                let name = service.plan.types.get_index(index).map(|(name, _)| name);
                let view = name.and_then(|name| TypeView::new(schemas, name));
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
        match (self.target, view) {
            (PageTarget::Procedure(index), PageView::Procedure(view)) => {
                self.procedure_page(index, view)
            }
            (PageTarget::Type(index), PageView::Type(view)) => self.type_page(index, view),
            (PageTarget::Idempotent, _) => self.idempotent(),
            (_, PageView::Names(found)) => self.names(found),
            (PageTarget::Changes, _) => self.changes(),
            (PageTarget::Guide(at), _) => self.guide(at),
            (PageTarget::Group(group, part), _) => self.group(group, part),
            (PageTarget::Code(index), _) => self.code(index),
            // Each other page has a view.
            (
                PageTarget::Overview
                | PageTarget::Procedure(_)
                | PageTarget::Type(_)
                | PageTarget::Names,
                _,
            ) => self.overview(),
        }
    }
}
