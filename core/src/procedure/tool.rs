//! Procedures that agents may call.

use super::Procedure;
use crate::tool_hints::ToolHints;

impl<S> Procedure<S> {
    /// Makes the procedure a tool of the Model Context Protocol, so that agents can call it. The tool has
    /// the name of the procedure; [`tool_named`](Self::tool_named) gives it another.
    ///
    /// `build()` returns an error if the name does not have 1 to 128 of the characters `A–Z a–z 0–9 _ . -`,
    /// or if another tool has it.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c26")
    ///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    ///     .build()?;
    /// assert_eq!(service.tools().collect::<Vec<_>>(), ["hello"]);
    /// # Ok::<(), docent_core::BuildError>(())
    /// ```
    pub fn tool(mut self) -> Self {
        self.about.tool = Some(self.name.clone());
        self
    }

    /// Like [`tool`](Self::tool), with another name for the tool. Some agents accept only 1 to 64 of the
    /// characters `A–Z a–z 0–9 _ -`, so that a procedure such as `book.find` needs one.
    pub fn tool_named(mut self, name: impl Into<String>) -> Self {
        self.about.tool = Some(name.into());
        self
    }

    /// Tells clients more about the tool than the rest of the description does.
    ///
    /// `build()` returns an error if the procedure is no tool, and if the hints contradict what the
    /// description says.
    pub fn tool_hints(mut self, hints: ToolHints) -> Self {
        self.about.tool_hints = hints.into_members();
        self
    }
}
