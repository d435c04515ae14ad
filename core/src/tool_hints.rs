//! What clients of the Model Context Protocol may know about a tool.

use docent_describe::json::{Json, Object};

/// What clients of the Model Context Protocol may show of a tool, and what they may ask their users before
/// they call it. Whether a tool changes anything is known: an
/// [idempotent](crate::Procedure::idempotent) procedure is read-only. What you leave out has the default of the
/// protocol.
///
/// ```
/// # use docent_core::{Cx, Fault, Procedure, Service, ToolHints};
/// let hints = ToolHints::new().title("Lend a book").destructive(false).open_world(false);
/// let lend = Procedure::sync("lend", |_: Cx, (): ()| Ok::<_, Fault>(())).tool().tool_hints(hints);
/// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c29")
///     .procedure(lend)
///     .build()?;
/// # let _ = service;
/// # Ok::<(), docent_core::BuildError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "hints do nothing until a procedure has them"]
pub struct ToolHints(Object);

impl ToolHints {
    /// Creates hints that say nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The name that people read (`title`).
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with("title", Json::from(title.into()))
    }

    /// Whether the tool may delete or overwrite something, and not just add to it (`destructiveHint`). By
    /// default, clients expect it to.
    pub fn destructive(self, is_destructive: bool) -> Self {
        self.with("destructiveHint", Json::Bool(is_destructive))
    }

    /// Whether a repeated call with the same arguments changes nothing more (`idempotentHint`). By default,
    /// clients do not expect it to.
    pub fn repeatable(self, is_repeatable: bool) -> Self {
        self.with("idempotentHint", Json::Bool(is_repeatable))
    }

    /// Whether the tool deals with an open world, such as the web, and not just with what the service keeps
    /// (`openWorldHint`). By default, clients expect it to.
    pub fn open_world(self, is_open: bool) -> Self {
        self.with("openWorldHint", Json::Bool(is_open))
    }

    fn with(mut self, name: &str, value: Json) -> Self {
        self.0.insert(name, value);
        self
    }

    /// The hints, with the names that the protocol has for them.
    pub(crate) fn into_members(self) -> Object {
        self.0
    }
}
