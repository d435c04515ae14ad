//! Renders procedures as tools of the Model Context Protocol.

use indexmap::IndexMap;

use super::json_schema::{moved, named_params, with_annotations};
use super::openrpc::split_types;
use crate::json::{Json, Object};
use crate::model::{Deprecation, ProcedureDescription, ReturnDescription, ServiceDescription};
use crate::schema::keyword::change_all;
use crate::schema::{Kinds, References, references, resolve};

/// The extension of a procedure that names its tool.
pub const TOOL: &str = "$tool";

/// The extension of a procedure that tells clients more about its tool: a `title`, and hints by the
/// names that the protocol has for them.
pub const TOOL_HINTS: &str = "$toolHints";

/// The hints that authors may give, in the protocol's order.
const HINTS: [&str; 3] = ["destructiveHint", "idempotentHint", "openWorldHint"];

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
    pub fn of(procedure: &ProcedureDescription, components: &IndexMap<String, Json>) -> Self {
        let returns = procedure.returns.as_ref();
        match returns.map(|returns| Kinds::of_schema(&returns.schema, components)) {
            Some(Kinds::OBJECT) => Self::Object,
            Some(Kinds::NULL) => Self::Nothing,
            _ => Self::Wrapped,
        }
    }
}

/// Renders procedures as the `tools` of a `tools/list` result. `name` returns the name of a
/// procedure's tool, or `None` to leave the procedure out. Each schema is complete in itself, with
/// the shared types that it uses in `$defs`.
///
/// ```
/// use docent_describe::render::tools;
/// use docent_describe::{ProcedureDescription, ServiceDescription};
///
/// let service = ServiceDescription {
///     name: "greeter".into(),
///     procs: vec![ProcedureDescription { name: "hello".into(), ..Default::default() }],
///     ..Default::default()
/// };
/// let tools = tools(&service, |procedure| Some(&procedure.name));
/// assert_eq!(tools.as_array().unwrap()[0].get("name").unwrap().as_str(), Some("hello"));
/// ```
pub fn tools<'s>(
    service: &'s ServiceDescription,
    name: impl Fn(&'s ProcedureDescription) -> Option<&'s str>,
) -> Json {
    let shared = Shared {
        schemas: &service.components.schemas,
        references: References::new(&service.components.schemas),
    };
    let tools = service.procs.iter().filter_map(|procedure| {
        let name = name(procedure)?;
        Some(shared.tool(name, procedure))
    });
    Json::Array(tools.collect())
}

/// The types that procedures share.
struct Shared<'s> {
    schemas: &'s IndexMap<String, Json>,
    references: References,
}

impl Shared<'_> {
    fn tool(&self, name: &str, procedure: &ProcedureDescription) -> Json {
        let hints = procedure.extensions.get(TOOL_HINTS);
        let hint = |name| hints.and_then(|hints| hints.get(name));
        let returns = procedure.returns.as_ref();
        let output = returns.and_then(|it| match ToolResult::of(procedure, self.schemas) {
            ToolResult::Object => Some(self.object(it)),
            ToolResult::Wrapped => Some(self.wrapped(it)),
            ToolResult::Nothing => None,
        });
        // Hints that are left out have the defaults of the specification.
        let read_only = Object::new().flag("readOnlyHint", procedure.idempotent);
        let annotations = HINTS.into_iter().fold(read_only, |annotations, name| {
            annotations.maybe(name, hint(name).and_then(Json::as_bool))
        });
        let tool = Object::new()
            .with("name", name)
            .maybe("title", hint("title").and_then(Json::as_str))
            .maybe("description", description(procedure))
            .with("inputSchema", self.input(procedure))
            .maybe("outputSchema", output)
            .maybe(
                "annotations",
                (!annotations.is_empty()).then_some(annotations),
            );
        tool.into()
    }

    fn input(&self, procedure: &ProcedureDescription) -> Json {
        let params = procedure.params.iter().map(|param| &param.schema);
        let uses = params.flat_map(|schema| references(schema, self.schemas));
        self.complete(named_params(procedure, moved), uses)
    }

    /// Returns the schema of results that are objects. A reference at its root is followed, because
    /// `type` must be at the root.
    fn object(&self, returns: &ReturnDescription) -> Json {
        let mut schema = &returns.schema;
        // A chain of references that never ends would accept nothing, so there should be none. The
        // bound guarantees that the loop ends.
        for _ in 0..=self.schemas.len() {
            match only_reference(schema).and_then(|it| resolve(it, self.schemas)) {
                Some(next) => schema = next,
                None => break,
            }
        }
        let schema_members = moved(schema);
        let root = Object::new()
            .with("type", "object")
            .with_new(schema_members.as_object().into_iter().flatten())
            .text("description", returns.description.as_ref());
        self.complete(root, references(schema, self.schemas))
    }

    fn wrapped(&self, returns: &ReturnDescription) -> Json {
        let result = with_annotations(moved(&returns.schema), returns.description.as_ref(), None);
        let root = Object::new()
            .with("type", "object")
            .with("properties", Object::new().with("result", result))
            .list("required", ["result"]);
        self.complete(root, references(&returns.schema, self.schemas))
    }

    /// Adds the shared types that a schema uses, directly or through each other.
    fn complete(&self, schema: Object, uses: impl IntoIterator<Item = usize>) -> Json {
        let reached = self.references.reach(uses).into_iter();
        let shared = reached.filter_map(|place| self.schemas.get_index(place));
        let defs: Object = shared.map(|(name, schema)| (name, moved(schema))).collect();
        let defs = (!defs.is_empty()).then_some(defs);
        let mut schema = schema.maybe("$defs", defs).into();
        // Some agents convert schemas to a dialect without lists of types.
        change_all(&mut schema, &mut |members| {
            *members = split_types(std::mem::take(members));
        });
        schema
    }
}

/// Returns the reference of a schema that has nothing else but annotations.
fn only_reference(schema: &Json) -> Option<&str> {
    let members = schema.as_object()?;
    let mut names = members.iter().map(|(name, _)| &**name);
    let is_alone = names.all(|name| matches!(name, "$ref" | "title" | "description"));
    members.get("$ref").filter(|_| is_alone)?.as_str()
}

/// Returns the text that a model reads about a tool.
fn description(procedure: &ProcedureDescription) -> Option<String> {
    let deprecated = procedure.deprecated.as_ref().map(deprecation);
    let texts = [
        procedure.summary.as_deref(),
        procedure.description.as_deref(),
        deprecated.as_deref(),
    ];
    let texts: Vec<&str> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}

/// Returns a sentence about a deprecation.
pub(super) fn deprecation(deprecation: &Deprecation) -> String {
    let mut text = "Deprecated".to_owned();
    if let Some(since) = &deprecation.since {
        text.push_str(" since ");
        text.push_str(since);
    }
    if let Some(reason) = &deprecation.reason {
        text.push_str(": ");
        text.push_str(reason.trim_end_matches('.'));
    }
    text.push('.');
    if let Some(instead) = &deprecation.instead {
        text.push_str(" Use ");
        text.push_str(instead);
        text.push_str(" instead.");
    }
    text
}
