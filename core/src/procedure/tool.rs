//! Procedures as tools for agents.
//!
//! A tool is a procedure under another name, with hints. There is no second way to a handler.

use super::{Procedure, tool_name};
use crate::tool_hints::ToolHints;

#[cfg(feature = "mcp")]
impl<S> Procedure<S> {
    /// Makes the procedure a tool of the Model Context Protocol, so that agents can call it. The tool has
    /// the name of the procedure, with `_` in place of `.`: `book.find` becomes `book_find`.
    /// [`tool_named`](Self::tool_named) gives it another.
    ///
    /// Many agents accept only names of 1 to 64 of the characters `A–Z a–z 0–9 _ -`. `build()` returns an
    /// error for other names, and if two tools have the same name.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c26")
    ///     .procedure(Procedure::sync("say.hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    ///     .build()?;
    /// assert_eq!(service.tools().collect::<Vec<_>>(), ["say_hello"]);
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn tool(mut self) -> Self {
        self.options.tool = Some(tool_name(&self.name));
        self
    }

    /// Makes the procedure a tool with another name; see [`tool`](Self::tool).
    pub fn tool_named(mut self, name: impl Into<String>) -> Self {
        self.options.tool = Some(name.into());
        self
    }

    /// Adds hints about the tool for clients of the Model Context Protocol.
    ///
    /// `build()` returns an error if the procedure is not a tool, or if the hints contradict the
    /// description.
    pub fn tool_hints(mut self, hints: ToolHints) -> Self {
        self.options.tool_hints = hints.into_members();
        if self.options.tool_hints.is_empty() {
            let mistake = "tool_hints has no hint; set one, or remove it";
            self.options.mistakes.push(mistake.to_owned());
        }
        self
    }
}
