//! Builds the objects of a rendering, member by member.
//!
//! Every format leaves out what the author has not declared. So each method here decides itself whether
//! there is anything to add, and a rendering is one chain in the order of its members.

use crate::json::{Json, Name, Object};

impl Object {
    /// Adds the members whose names are not in use yet.
    pub(super) fn with_new<N: Into<Name>, V: Into<Json>>(
        mut self,
        more: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        for (name, value) in more {
            self.or_insert_with(name, || value.into());
        }
        self
    }

    /// Adds a text if there is one.
    pub(super) fn text(self, name: &str, value: Option<&String>) -> Self {
        self.maybe(name, value.map(String::as_str))
    }

    /// Adds an array if it is not empty.
    pub(super) fn list<V: Into<Json>>(
        self,
        name: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() {
            return self;
        }
        self.list_always(name, values)
    }

    /// Adds an array, empty or not.
    pub(super) fn list_always<V: Into<Json>>(
        self,
        name: impl Into<Name>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        let values: Vec<Json> = values.into_iter().map(Into::into).collect();
        self.with(name, values)
    }

    /// Adds an object if it is not empty.
    pub(super) fn object(self, name: &str, members: Self) -> Self {
        self.maybe(name, (!members.is_empty()).then_some(members))
    }

    /// Adds the texts that there are, as paragraphs of one.
    pub(super) fn paragraphs(self, name: &str, texts: &[Option<&str>]) -> Self {
        let paragraphs: Vec<&str> = texts.iter().copied().flatten().collect();
        if paragraphs.is_empty() {
            return self;
        }
        self.with(name, paragraphs.join("\n\n"))
    }

    /// Adds members that the format does not define. They cannot replace members that it defines,
    /// because those have been added before.
    pub(super) fn extensions(self, extensions: &Object) -> Self {
        self.with_new(
            extensions
                .iter()
                .filter(|(name, _)| name.as_str().starts_with('$')),
        )
    }
}
