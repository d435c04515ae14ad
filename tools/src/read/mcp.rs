//! Reads what a server of the Model Context Protocol lists. A tool is a procedure with named parameters.
//! Resources and prompts cannot be called as procedures, so they become documentation.
//!
//! No server is called here: `cli` speaks MCP, and hands over the results of all lists in one object.

use super::drafts::Dialect;
use super::fields::MemberReader;
use super::location::Location;
use super::schemas::Schemas;
use super::source::SourceDocument;
use crate::plain::one_line;
use docent_describe::json::{Json, Object};
use docent_describe::render::{INPUT_SCHEMA, TOOL_HINTS};
use docent_describe::schema::{SchemaContext, SchemaViews, View, all_of, type_code};
use docent_describe::{
    Origin, ParamDescription, ProcedureDescription, ReturnDescription, ServiceDescription,
    split_documentation,
};
use indexmap::IndexMap;

/// Reads the results of `initialize` and of the lists, all in one object.
pub(super) fn service(
    mut fields: MemberReader<'_>,
    document: &SourceDocument<'_>,
) -> ServiceDescription {
    let schemas = Schemas::new(document, fields.at.clone(), Dialect::Any);
    let place = fields.at.inside("serverInfo");
    let mut info = MemberReader::new(fields.object("serverInfo").unwrap_or_default(), &place);
    let paragraphs: Vec<String> = [
        info.text("description"),
        fields.text("instructions"),
        listed(&mut fields, "resources", "Resources", "uri"),
        listed(
            &mut fields,
            "resourceTemplates",
            "Templates of resources",
            "uriTemplate",
        ),
        listed(&mut fields, "prompts", "Prompts", "name"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let (summary, description) = split_documentation(&paragraphs.join("\n\n"));
    let name = info.text("name");
    let mut procs = fields.each("tools", |value, at| tool(value, at, &schemas));
    let components = schemas.into_components();
    for procedure in &mut procs {
        add_params(procedure, &components);
    }
    let mut service = ServiceDescription::default();
    service.origin = Origin::Mcp;
    service.name = info.text("title").or(name).unwrap_or_default();
    service.version = info.text("version");
    service.summary = summary;
    service.description = description;
    service.help = info.text("websiteUrl");
    service.procs = procs;
    service.components.schemas = components;
    service
}

/// Adds the parameters that the input schema of a tool describes. The schema is kept only if it says more than they do.
fn add_params(procedure: &mut ProcedureDescription, components: &IndexMap<String, Json>) {
    let Some(schema) = procedure.extensions.get(INPUT_SCHEMA).cloned() else {
        return;
    };
    let views = SchemaViews::new(SchemaContext::new(components, None));
    procedure.params = params_of(views.view_of_schema(&schema), components);
    let root = views.tree.read(&schema);
    if !root.is_of_each_property() {
        return;
    }
    procedure.extensions.shift_remove(INPUT_SCHEMA);
    // The documentation of all parameters together stays. The title of the schema is a type's name.
    if let Some(about) = root.annotations.description
        && procedure.summary.as_deref() != Some(about)
        && procedure.description.as_deref() != Some(about)
    {
        procedure.description = Some(match &procedure.description {
            Some(description) => format!("{description}\n\n{about}"),
            None => about.to_owned(),
        });
    }
}

/// Returns a section in Markdown about the elements of a list, each named by its member `key`.
fn listed(fields: &mut MemberReader<'_>, list: &str, heading: &str, key: &str) -> Option<String> {
    let lines = fields.each(list, |value, at| {
        let mut listed = MemberReader::of(value, at)?;
        let name = one_line(&listed.text(key)?).replace('`', "'");
        let mut texts = Vec::new();
        for member in ["title", "description"] {
            texts.extend(listed.text(member).map(|text| one_line(&text)));
        }
        Some(format!("- `{name}` {}", texts.join(": ")))
    });
    (!lines.is_empty()).then(|| format!("## {heading}\n\n{}", lines.join("\n")))
}

/// Reads a tool. Its parameters are taken from the schema later, when all shared schemas are known.
fn tool(value: Json, at: &Location<'_>, schemas: &Schemas<'_>) -> Option<ProcedureDescription> {
    let mut fields = MemberReader::of(value, at)?;
    let name = fields.name("a tool")?;
    let (summary, description) =
        split_documentation(&fields.text("description").unwrap_or_default());
    let mut hints = fields.object("annotations").unwrap_or_default();
    let read_only = hints.shift_remove("readOnlyHint");
    if let Some(title) = fields.text("title") {
        hints.insert("title", Json::from(title.as_str()));
    }
    let title = hints.get_str("title").map(str::to_owned);
    let mut extensions = Object::new();
    if !hints.is_empty() {
        extensions.insert(TOOL_HINTS, Json::Object(hints));
    }
    let input = fields.object("inputSchema").unwrap_or_default();
    let place = at.inside("inputSchema");
    extensions.insert(INPUT_SCHEMA, schemas.read(Json::Object(input), &place));
    let mut procedure = ProcedureDescription::new(name);
    procedure.summary = summary.or(title);
    procedure.description = description;
    // Repeating a call may be harmless where the first one is not, so `idempotentHint` is not enough.
    procedure.idempotent = read_only.as_ref().and_then(Json::as_bool) == Some(true);
    procedure.by_name_only = true;
    procedure.returns = Some(output(&mut fields, schemas));
    procedure.errors_open = true;
    procedure.extensions = extensions;
    Some(procedure)
}

/// Returns the parameters that a schema of all together describes. One that only some alternatives or conditions
/// describe may be anything by itself.
fn params_of<'t>(view: &'t View<'t>, components: &IndexMap<String, Json>) -> Vec<ParamDescription> {
    let mut params = Vec::new();
    for (name, property) in view.possible_properties() {
        let mut schema = all_of(
            property
                .nodes()
                .iter()
                .map(|node| node.source.clone())
                .collect(),
        );
        let mut description = None;
        let mut default = None;
        if let Some(keywords) = schema.as_object_mut() {
            description = keywords.shift_remove("description");
            default = keywords.shift_remove("default");
        }
        let type_code = type_code(&schema, components).of_param();
        let mut param = ParamDescription::new(name, schema);
        param.type_code = type_code;
        param.required = property.is_required;
        param.default = default;
        param.description = description.and_then(|text| Some(text.as_str()?.to_owned()));
        params.push(param);
    }
    params
}

/// Reads the result of a tool. Without a schema, it is content for a model.
fn output(fields: &mut MemberReader<'_>, schemas: &Schemas<'_>) -> ReturnDescription {
    let at = fields.at.inside("outputSchema");
    let written = fields.object("outputSchema");
    let has_schema = written.is_some();
    let schema = schemas.read(Json::Object(written.unwrap_or_default()), &at);
    let type_code = schemas.type_code(&schema);
    let mut returns = ReturnDescription::new(schema);
    returns.type_code = type_code;
    if !has_schema {
        returns.description = Some("Content for a model: a text, or a list of parts.".to_owned());
    }
    returns
}
