use crate::json::{Json, Object};

/// The members of an object under construction, in the order in which they are added.
#[derive(Default)]
pub(super) struct Members(Object);

impl Members {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a member.
    pub(super) fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a member unless there is one with this name.
    pub(super) fn with_new(mut self, name: &str, value: &Json) -> Self {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), value.clone());
        }
        self
    }

    /// Adds a member if there is a value for it.
    pub(super) fn maybe(self, name: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Adds a text if there is one.
    pub(super) fn text(self, name: &str, value: Option<&String>) -> Self {
        self.maybe(name, value.map(String::as_str))
    }

    /// Adds a Boolean if it is true.
    pub(super) fn flag(self, name: &str, value: bool) -> Self {
        self.maybe(name, value.then_some(true))
    }

    /// Adds an array if it is not empty.
    pub(super) fn list(
        self,
        name: &str,
        values: impl IntoIterator<Item = impl Into<Json>>,
    ) -> Self {
        let values: Vec<Json> = values.into_iter().map(Into::into).collect();
        self.maybe(name, (!values.is_empty()).then_some(values))
    }

    /// Adds an array, empty or not.
    pub(super) fn list_always(
        self,
        name: &str,
        values: impl IntoIterator<Item = impl Into<Json>>,
    ) -> Self {
        let values: Vec<Json> = values.into_iter().map(Into::into).collect();
        self.with(name, values)
    }

    /// Adds members that the format does not define. They cannot replace members that it defines,
    /// because those have already been added.
    pub(super) fn extensions(mut self, extensions: &Object) -> Self {
        for (name, value) in extensions {
            if name.starts_with('$') && !self.0.contains_key(name) {
                self.0.insert(name.clone(), value.clone());
            }
        }
        self
    }

    pub(super) fn build(self) -> Json {
        Json::Object(self.0)
    }
}

impl From<Members> for Json {
    fn from(members: Members) -> Self {
        members.build()
    }
}
