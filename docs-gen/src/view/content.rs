//! The part of a page that is its own, by what the page is about.

use super::scope::{Content, Scope};
use crate::plan::Target;

impl Scope<'_> {
    /// The page's own part, and its title and summary.
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
