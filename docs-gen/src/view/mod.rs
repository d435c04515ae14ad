//! The views: the data that templates get.

mod about;
mod calls;
mod catalogue;
mod changes;
mod codes;
mod content;
mod errors;
mod facts;
mod guide;
mod lists;
mod missing;
mod names;
mod nav;
mod overview;
mod procedure;
mod related;
mod row;
mod scope;
mod shell;
mod signature;
mod terms;
mod tools;
mod tree;
mod types;
mod versions;
mod words;

pub(crate) use catalogue::{catalogue, catalogue_twin};
pub(crate) use missing::missing;
pub(crate) use scope::{Content, Scope};
pub(crate) use shell::{Inline, Shell, shell};
