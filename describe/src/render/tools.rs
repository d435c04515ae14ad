//! Renders procedures as tools of the Model Context Protocol.

use indexmap::IndexMap;

use super::json_schema::{moved, named_params};
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
        let mut tool = Object::new();
        let hints = procedure.extensions.get(TOOL_HINTS);
        let hint = |name| hints.and_then(|hints| hints.get(name));
        tool.insert("name", Json::from(name));
        if let Some(title @ Json::String(_)) = hint("title") {
            tool.insert("title", title.clone());
        }
        if let Some(description) = description(procedure) {
            tool.insert("description", Json::from(description));
        }
        tool.insert("inputSchema", self.input(procedure));
        if let Some(returns) = &procedure.returns {
            let output = match ToolResult::of(procedure, self.schemas) {
                ToolResult::Object => Some(self.object(returns)),
                ToolResult::Wrapped => Some(self.wrapped(returns)),
                ToolResult::Nothing => None,
            };
            output.map(|output| tool.insert("outputSchema", output));
        }
        // Hints that are left out have the defaults of the specification.
        let mut annotations = Object::new();
        if procedure.idempotent {
            annotations.insert("readOnlyHint", Json::Bool(true));
        }
        for name in HINTS {
            if let Some(value @ Json::Bool(_)) = hint(name) {
                annotations.insert(name, value.clone());
            }
        }
        if !annotations.is_empty() {
            tool.insert("annotations", annotations.into());
        }
        tool.into()
    }

    fn input(&self, procedure: &ProcedureDescription) -> Json {
        let params = procedure.params.iter().map(|param| &param.schema);
        let uses = params.flat_map(|schema| references(schema, self.schemas));
        self.complete(named_params(procedure), uses)
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
        let mut root = Object::new();
        root.insert("type", Json::from("object"));
        if let Json::Object(members) = moved(schema) {
            for (name, value) in &members {
                if &**name != "type" {
                    root.insert(name.clone(), value.clone());
                }
            }
        }
        if let Some(description) = &returns.description {
            root.insert("description", Json::from(description.as_str()));
        }
        self.complete(root.into(), references(schema, self.schemas))
    }

    fn wrapped(&self, returns: &ReturnDescription) -> Json {
        let mut result = moved(&returns.schema);
        if matches!(result, Json::Bool(true)) {
            result = Object::new().into();
        }
        if let (Json::Object(members), Some(description)) = (&mut result, &returns.description) {
            members.insert("description", Json::from(description.as_str()));
        }
        let mut properties = Object::new();
        properties.insert("result", result);
        let mut root = Object::new();
        root.insert("type", Json::from("object"));
        root.insert("properties", properties.into());
        root.insert("required", vec![Json::from("result")].into());
        self.complete(root.into(), references(&returns.schema, self.schemas))
    }

    /// Adds the shared types that a schema uses, directly or through each other.
    fn complete(&self, mut schema: Json, uses: impl IntoIterator<Item = usize>) -> Json {
        let reached = self.references.reach(uses);
        let mut defs = Object::with_capacity(reached.len());
        for place in reached {
            if let Some((name, shared)) = self.schemas.get_index(place) {
                defs.insert(name.as_str(), moved(shared));
            }
        }
        if let Json::Object(members) = &mut schema
            && !defs.is_empty()
        {
            members.insert("$defs", defs.into());
        }
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

fn deprecation(deprecation: &Deprecation) -> String {
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
