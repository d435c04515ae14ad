//! Renders procedures as tools of the Model Context Protocol.
//!
//! Only the descriptions of tools are made here; `docent-core` speaks the protocol. Models read
//! every byte of them, and pay for it, so schemas are cut to what a model needs to make a call and
//! to read its result.

use indexmap::IndexMap;

use super::agents::{INPUT_SCHEMA, TOOL_HINTS};
use super::defs::rebased;
use super::result_outline::outline_schema;
use super::schemas::{named_params, split_types};
use crate::json::{Json, Object};
use crate::model::{Deprecation, ProcedureDescription, ReturnDescription, ServiceDescription};
use crate::schema::keyword::change_all;
use crate::schema::{Kinds, ReferenceGraph, SchemaViews, references};

/// The hints that authors may give, in the protocol's order.
const HINT_NAMES: [&str; 3] = ["destructiveHint", "idempotentHint", "openWorldHint"];

/// The number of schemas inside each other that the outline of a result shows.
const OUTLINE_DEPTH: usize = 3;

/// The form in which a procedure's result becomes the structured content of a tool: always an
/// object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolResult {
    /// The result is an object.
    Object,
    /// The result may be something else, so it becomes the member `result` of an object.
    Wrapped,
    /// The result is always null, so there is no structured content.
    Nothing,
}

impl ToolResult {
    /// Returns the form for the results of a procedure.
    pub fn new<'t>(procedure: &'t ProcedureDescription, views: &'t SchemaViews<'t>) -> Self {
        let Some(returns) = &procedure.returns else {
            return Self::Wrapped;
        };
        match views.view_of_schema(&returns.schema).all_kinds() {
            Kinds::OBJECT => Self::Object,
            Kinds::NULL => Self::Nothing,
            _ => Self::Wrapped,
        }
    }
}

/// Renders procedures as the `tools` of a `tools/list` result. `name` returns the name of a procedure's tool,
/// or `None` to leave the procedure out; `has_results` is false for revisions of the protocol without schemas
/// of results. Subscriptions, and what the service sends by itself, are no tools.
///
/// Each schema of parameters is complete, with the shared types that it uses in `$defs`. Models read all of it
/// in every conversation, so the schema of a result is only an outline: types, members and listed values.
///
/// ```
/// use docent_describe::render::tools;
/// use docent_describe::{ProcedureDescription, ServiceDescription};
///
/// let mut service = ServiceDescription::new("greeter", "urn:example:greeter");
/// service.procs = vec![ProcedureDescription::new("hello")];
/// let tools = tools(&service, |procedure| Some(&procedure.name), true);
/// assert_eq!(tools.as_array().unwrap()[0].get("name").unwrap().as_str(), Some("hello"));
/// ```
pub fn tools<'s>(
    service: &'s ServiceDescription,
    name: impl Fn(&'s ProcedureDescription) -> Option<&'s str>,
    has_results: bool,
) -> Json {
    let writer = ToolWriter {
        schemas: &service.components.schemas,
        views: SchemaViews::new(service),
        references: ReferenceGraph::new(&service.components.schemas),
        has_results,
    };
    service
        .calls()
        .filter_map(|procedure| Some(writer.tool(name(procedure)?, procedure)))
        .collect()
}

/// Writes tools, with all that every tool needs.
struct ToolWriter<'s> {
    /// The schemas that procedures share.
    schemas: &'s IndexMap<String, Json>,
    views: SchemaViews<'s>,
    references: ReferenceGraph,
    has_results: bool,
}

impl<'s> ToolWriter<'s> {
    /// Returns the tool of a procedure.
    fn tool(&'s self, name: &str, procedure: &'s ProcedureDescription) -> Json {
        let hints = procedure.extensions.get(TOOL_HINTS);
        let title = hints.and_then(|hints| hints.get("title"));
        // Hints that are left out have the defaults of the specification.
        let mut annotations = Object::new().flag("readOnlyHint", procedure.idempotent);
        for name in HINT_NAMES {
            let hint = hints.and_then(|hints| hints.get(name));
            annotations = annotations.maybe(name, hint.and_then(Json::as_bool));
        }
        let deprecated = procedure.deprecated.as_ref().map(Deprecation::sentence);
        let texts = [&procedure.summary, &procedure.description, &deprecated].map(Option::as_deref);
        Object::new()
            .with("name", name)
            .maybe("title", title.and_then(Json::as_str))
            .paragraphs("description", &texts)
            .with("inputSchema", self.input(procedure))
            .maybe("outputSchema", self.output(procedure))
            .object("annotations", annotations)
            .into()
    }

    /// Returns the outline of a result, if there is structured content of it.
    fn output(&'s self, procedure: &'s ProcedureDescription) -> Option<Json> {
        if !self.has_results {
            return None;
        }
        let returns = procedure.returns.as_ref()?;
        match ToolResult::new(procedure, &self.views) {
            ToolResult::Object => Some(outline_schema(
                self.views.view_of_schema(&returns.schema),
                OUTLINE_DEPTH,
            )),
            ToolResult::Wrapped => Some(self.wrapped(returns)),
            ToolResult::Nothing => None,
        }
    }

    /// Returns the schema of a tool's arguments.
    fn input(&self, procedure: &ProcedureDescription) -> Json {
        if let Some(input) = procedure.extensions.get(INPUT_SCHEMA) {
            let uses = references(input, self.schemas);
            let input = match rebased(input) {
                Json::Object(members) => members,
                _ => Object::new(),
            };
            return self.complete(input.with("type", "object"), uses);
        }
        let uses = procedure
            .params
            .iter()
            .flat_map(|param| references(&param.schema, self.schemas));
        self.complete(named_params(procedure, rebased), uses)
    }

    /// Returns the schema of results that are not always objects.
    fn wrapped(&'s self, returns: &'s ReturnDescription) -> Json {
        let result = outline_schema(
            self.views.view_of_schema(&returns.schema),
            OUTLINE_DEPTH - 1,
        );
        Object::new()
            .with("type", "object")
            .with("properties", Object::new().with("result", result))
            .list("required", ["result"])
            .into()
    }

    /// Adds the shared types that a schema uses, directly or through each other.
    fn complete(&self, schema: Object, uses: impl IntoIterator<Item = usize>) -> Json {
        let defs = self
            .references
            .reach(uses)
            .into_iter()
            .filter_map(|index| self.schemas.get_index(index))
            .map(|(name, schema)| (name, rebased(schema)));
        let mut complete = Json::from(schema.object("$defs", defs.collect()));
        // Some agents convert schemas to a dialect without lists of types.
        change_all(&mut complete, &mut |members| {
            *members = split_types(std::mem::take(members));
            // A model leaves the parameter out instead.
            if members.get("default") == Some(&Json::Null) {
                members.shift_remove("default");
            }
        });
        complete
    }
}
