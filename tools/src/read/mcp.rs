//! Reads what a server of the Model Context Protocol lists. A tool is a procedure with named parameters.
//! Resources and prompts cannot be called as procedures, so they become documentation.

use super::fields::MemberReader;
use super::location::Location;
use super::schemas::Schemas;
use super::whole::WholeDocument;
use crate::plain::one_line;
use docent_describe::json::{Json, Object};
use docent_describe::render::TOOL_HINTS;
use docent_describe::{
    Origin, ParamDescription, ProcedureDescription, ReturnDescription, ServiceDescription,
    split_documentation,
};

/// The keywords of an `inputSchema` that apply to several parameters, which a description cannot express.
const JOINT: [&str; 6] = ["allOf", "anyOf", "oneOf", "not", "if", "$ref"];

/// Reads the results of `initialize` and of the lists, all in one object.
pub(super) fn service(
    mut fields: MemberReader<'_>,
    whole: &WholeDocument<'_>,
) -> ServiceDescription {
    let schemas = Schemas::new(whole, fields.at.clone(), false);
    let place = fields.at.inside("serverInfo");
    let mut info = MemberReader::new(fields.object("serverInfo").unwrap_or_default(), &place);
    let texts = [
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
    ];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    let (summary, description) = split_documentation(&texts.join("\n\n"));
    let name = info.text("name");
    ServiceDescription {
        origin: Origin::Mcp,
        name: info.text("title").or(name).unwrap_or_default(),
        version: info.text("version"),
        summary,
        description,
        help: info.text("websiteUrl"),
        procs: fields.each("tools", |value, at| tool(value, at, &schemas)),
        components: schemas.into_components(),
        ..ServiceDescription::default()
    }
}

/// Returns a section in Markdown about the elements of a list, each named by its member `key`.
fn listed(fields: &mut MemberReader<'_>, list: &str, heading: &str, key: &str) -> Option<String> {
    let lines = fields.each(list, |value, at| {
        let mut listed = MemberReader::of(value, at)?;
        let shown = one_line(&listed.text(key)?).replace('`', "'");
        let texts = ["title", "description"].map(|name| listed.text(name));
        let texts: Vec<String> = texts.iter().flatten().map(|it| one_line(it)).collect();
        Some(format!("- `{shown}` {}", texts.join(": ")))
    });
    (!lines.is_empty()).then(|| format!("## {heading}\n\n{}", lines.join("\n")))
}

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
    let title = hints.get("title").and_then(Json::as_str).map(str::to_owned);
    let mut extensions = Object::new();
    if !hints.is_empty() {
        extensions.insert(TOOL_HINTS, Json::Object(hints));
    }
    let (params, unchecked) = input(&mut fields, schemas);
    Some(ProcedureDescription {
        name,
        summary: summary.or(title),
        description,
        // Repeating a call may be harmless where the first one is not, so `idempotentHint` is not enough.
        idempotent: read_only.as_ref().and_then(Json::as_bool) == Some(true),
        params,
        by_name_only: true,
        returns: Some(output(&mut fields, schemas)),
        errors_open: true,
        unchecked,
        extensions,
        ..ProcedureDescription::default()
    })
}

/// Reads the properties of the `inputSchema` as parameters. Also says what else it requires.
fn input(
    fields: &mut MemberReader<'_>,
    schemas: &Schemas<'_>,
) -> (Vec<ParamDescription>, Option<String>) {
    let root = fields.at.inside("inputSchema");
    let input = fields.object("inputSchema").unwrap_or_default();
    let mut input = MemberReader::new(input, &root);
    let required = input.texts("required");
    let at = root.inside("properties");
    let properties = input.object("properties").unwrap_or_default();
    let params = properties.into_iter().map(|(name, schema)| {
        let mut schema = schemas.read_part(schema, &at.inside(&name), &root);
        let mut take = |keyword| schema.as_object_mut()?.shift_remove(keyword);
        let (description, default) = (take("description"), take("default"));
        ParamDescription {
            type_code: schemas.type_code(&schema).of_param(),
            required: required.iter().any(|it| *it == name.as_str()),
            default,
            description: description.and_then(|it| Some(it.as_str()?.to_owned())),
            name: name.into(),
            schema,
            ..ParamDescription::default()
        }
    });
    let params = params.collect();
    let lost = JOINT.into_iter().find(|it| input.take(it).is_some());
    let unchecked = lost.map(|keyword| {
        let at = root.inside(keyword);
        at.warn("rules about all parameters together are left out");
        format!("inputSchema has {keyword}")
    });
    (params, unchecked)
}

fn output(fields: &mut MemberReader<'_>, schemas: &Schemas<'_>) -> ReturnDescription {
    let at = fields.at.inside("outputSchema");
    let schema = fields.object("outputSchema");
    let text = "Content for a model: a text, or a list of parts.";
    let description = schema.is_none().then(|| text.to_owned());
    let schema = schemas.read(Json::Object(schema.unwrap_or_default()), &at);
    ReturnDescription {
        type_code: schemas.type_code(&schema),
        description,
        schema,
        ..ReturnDescription::default()
    }
}
