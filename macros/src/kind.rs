//! The kinds of handlers, each with an attribute of its own.

use syn::Attribute;

use crate::types::ends_with;

/// A kind of handler, by what it gives: one result, or a stream of items.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum HandlerKind {
    #[default]
    Procedure,
    Subscription,
}

impl HandlerKind {
    /// Returns the kind that an attribute is for, if it is one of ours.
    pub(crate) fn of_attribute(attribute: &Attribute) -> Option<Self> {
        [Self::Procedure, Self::Subscription]
            .into_iter()
            .find(|kind| ends_with(attribute.path(), kind.name()))
    }

    /// Returns the name of the attribute, which is also the word for the kind.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Procedure => "procedure",
            Self::Subscription => "subscription",
        }
    }
}
