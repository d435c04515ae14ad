//! The author's information about a procedure: its documentation, its groups and its errors.

use docent_describe::{Deprecation, split_documentation};
use schemars::JsonSchema;

use super::Procedure;

impl<S> Procedure<S> {
    setters! {
        /// Marks the procedure as safe and idempotent (JSON-RPC 1.1, section 6.3.2): it changes nothing
        /// on the server, so callers may use GET.
        idempotent() |it| it.about.idempotent = true;

        /// Sets the summary, one sentence. By default, it is the first paragraph of the documentation
        /// of the parameters.
        summary(sentence: impl Into<String>) |it| it.about.summary = Some(sentence.into());

        /// Sets the description, in Markdown. By default, it is the rest of the documentation of the
        /// parameters.
        description(markdown: impl Into<String>) |it| it.about.description = Some(markdown.into());

        /// Documents the procedure in Markdown: the first paragraph is the summary, and the rest is the
        /// description. It replaces the documentation of the parameters.
        documentation(markdown: &str) |it|
            (it.about.summary, it.about.description) = split_documentation(markdown);

        /// Describes the result, in Markdown.
        returns(markdown: impl Into<String>) |it| it.about.returns = Some(markdown.into());
    }

    /// Adds the procedure to a group. Adding it twice changes nothing.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        let tag = tag.into();
        if !self.about.tags.contains(&tag) {
            self.about.tags.push(tag);
        }
        self
    }

    /// Declares an error without data that the handler returns as a [`Fault`](crate::Fault).
    pub fn error(mut self, code: i64, message: &str) -> Self {
        _ = self.types.errors.add(code, message);
        self
    }

    /// Declares an error with data of type `D`.
    pub fn error_with_data<D: JsonSchema>(mut self, code: i64, message: &str) -> Self {
        let _ = self.types.errors.add(code, message).data::<D>();
        self
    }

    setters! {
        /// Declares that the handler may return any code that is not [reserved](crate::code::RESERVED),
        /// and those that are [left to servers](crate::code::is_implementation_defined).
        errors_open() |it| it.types.errors.open();

        /// Documents that the procedure is meant to be called without an `id`.
        notification() |it| it.about.notification = true;

        /// Marks the procedure as deprecated.
        deprecated(deprecation: Deprecation) |it| it.about.deprecated = Some(deprecation);
    }
}
