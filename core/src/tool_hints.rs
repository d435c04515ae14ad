//! Hints about a tool for clients of the Model Context Protocol.
//!
//! They are the author's word, and clients need not trust them. What a service enforces is in
//! guards and limits.

use docent_describe::json::{Json, Object};

/// Hints about a tool. Clients of the Model Context Protocol may show them, or use them to decide whether to
/// ask their users before a call. Hints that you leave out have the defaults of the protocol. The hint for
/// read-only tools follows from [`idempotent`](crate::Procedure::idempotent).
///
/// ```
/// # use docent::{Cx, Fault, Procedure, Service, ToolHints};
/// let hints = ToolHints::new().title("Lend a book").destructive(false).open_world(false);
/// let lend = Procedure::sync("lend", |_: Cx, (): ()| Ok::<_, Fault>(())).tool().tool_hints(hints);
/// let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c29")
///     .procedure(lend)
///     .build()?;
/// # let _ = service;
/// # Ok::<(), docent::BuildError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use = "hints do nothing until a procedure has them"]
#[cfg(feature = "mcp")]
pub struct ToolHints(Object);

impl ToolHints {
    /// Creates a set without hints.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the name that people read (`title`).
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with("title", Json::from(title.into()))
    }

    /// Declares whether the tool may delete or overwrite something, and not just add to it
    /// (`destructiveHint`). By default, clients assume that it does.
    pub fn destructive(self, is_destructive: bool) -> Self {
        self.with("destructiveHint", Json::Bool(is_destructive))
    }

    /// Declares whether a repeated call with the same arguments changes nothing more (`idempotentHint`). By
    /// default, clients assume that it does change something.
    pub fn repeatable(self, is_repeatable: bool) -> Self {
        self.with("idempotentHint", Json::Bool(is_repeatable))
    }

    /// Declares whether the tool deals with an open world, such as the web, and not just with what the
    /// service keeps (`openWorldHint`). By default, clients assume that it does.
    pub fn open_world(self, is_open: bool) -> Self {
        self.with("openWorldHint", Json::Bool(is_open))
    }

    fn with(mut self, name: &str, value: Json) -> Self {
        self.0.insert(name, value);
        self
    }

    /// Returns the hints under their names in the protocol.
    pub(crate) fn into_members(self) -> Object {
        self.0
    }
}
