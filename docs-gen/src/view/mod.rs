//! The views: the data that templates get, a page at a time.

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
mod versions;
mod words;

use crate::plan::Target;
pub(crate) use scope::{Content, Scope};
pub(crate) use shell::{catalogue, catalogue_twin, missing, shell};

impl Scope<'_> {
    /// Returns the page's main part, with its title and summary.
    pub(crate) fn content(&self) -> Content {
        match self.target {
            Target::Overview => self.overview(),
            Target::Idempotent => self.idempotent(),
            Target::Names => self.names(),
            Target::Changes => self.changes(),
            Target::Guide(at) => self.guide(at),
            Target::Group(group, part) => self.group(group, part),
            Target::Code(index) => self.code(index),
            Target::Procedure(index) => self.procedure_page(index),
            Target::Type(index) => self.type_page(index),
        }
    }
}
