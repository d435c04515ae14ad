//! The main part of a page, by its target.

use super::scope::{Content, Scope};
use crate::plan::Target;

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
