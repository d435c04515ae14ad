//! The selection of procedures as tools.
//!
//! This makes all idempotent procedures tools. Others are marked one by one, at the procedure.

use docent_describe::json::Json;
use docent_describe::render::INSTRUCTIONS;

use crate::service::builder::ServiceBuilder;
use crate::service::state::Service;

#[cfg(feature = "mcp")]
impl<S> ServiceBuilder<S> {
    /// Makes all idempotent procedures tools of the Model Context Protocol, including those that are
    /// registered later. They change nothing on the server. Add others with
    /// [`Procedure::tool`](crate::Procedure::tool).
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let service = Service::builder("clock", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c27")
    ///     .idempotent_tools()
    ///     .procedure(Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>("12:00")).idempotent())
    ///     .procedure(Procedure::sync("wind", |_: Cx, (): ()| Ok::<_, Fault>(())))
    ///     .build()?;
    /// assert_eq!(service.tools().collect::<Vec<_>>(), ["now"]);
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn idempotent_tools(mut self) -> Self {
        self.registration.idempotent_tools = true;
        self
    }

    /// Sets the text that models read about the service before they use its tools, such as how the tools work
    /// together. Keep it short, because models read it in every conversation. Default: the first paragraph of
    /// the [documentation](Self::documentation).
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        let extensions = &mut self.description.extensions;
        extensions.insert(INSTRUCTIONS, Json::from(text.into()));
        self
    }
}

#[cfg(feature = "mcp")]
impl Service {
    /// Returns the names of the tools, in the order of their procedures.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.description()
            .procs
            .iter()
            .filter_map(super::tools::name)
    }
}
