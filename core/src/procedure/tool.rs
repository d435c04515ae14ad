//! Procedures as tools for agents.

use super::{Procedure, tool_name};
use crate::tool_hints::ToolHints;

impl<S> Procedure<S> {
    setters! {
        /// Makes the procedure a tool of the Model Context Protocol, so that agents can call it. The tool has
        /// the name of the procedure, with `_` in place of `.`: `book.find` becomes `book_find`.
        /// [`tool_named`](Self::tool_named) gives it another.
        ///
        /// `build()` returns an error if the name does not have 1 to 64 of the characters `A–Z a–z 0–9 _ -`, or
        /// if another tool has it. Many agents accept no other names.
        ///
        /// ```
        /// # use docent_core::{Cx, Fault, Procedure, Service};
        /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c26")
        ///     .procedure(Procedure::sync("say.hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
        ///     .build()?;
        /// assert_eq!(service.tools().collect::<Vec<_>>(), ["say_hello"]);
        /// # Ok::<(), docent_core::BuildError>(())
        /// ```
        tool() |it| it.about.tool = Some(tool_name(&it.name));

        /// Makes the procedure a tool with another name; see [`tool`](Self::tool).
        tool_named(name: impl Into<String>) |it| it.about.tool = Some(name.into());

        /// Adds hints about the tool for clients, beyond the rest of the description.
        ///
        /// `build()` returns an error if the procedure is not a tool, or if the hints contradict the
        /// description.
        tool_hints(hints: ToolHints) |it| it.about.tool_hints = hints.into_members();
    }
}
