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
pub(crate) use scope::{Content, PageScope};
pub(crate) use shell::{catalogue, missing, own_page, shell};
pub(crate) use updates::updates;

impl PageScope<'_> {
    /// Returns the page's main part, with its title and summary.
    pub(crate) fn content(&self) -> Content {
        match self.target {
            PageTarget::Overview => self.overview(),
            PageTarget::Idempotent => self.idempotent(),
            PageTarget::Names => self.names(),
            PageTarget::Changes => self.changes(),
            PageTarget::Guide(at) => self.guide(at),
            PageTarget::Group(group, part) => self.group(group, part),
            PageTarget::Code(index) => self.code(index),
            PageTarget::Procedure(index) => self.procedure_page(index),
            PageTarget::Type(index) => self.type_page(index),
        }
    }
}
