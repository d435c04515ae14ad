//! Reads Docent's own format and JSON-RPC 1.1, of which it is a superset.
//!
//! The reader follows the structure of the specification (`spec/`), member by member. Members that OpenRPC writes in
//! the same way are read here too. What a schema says is read in `schemas.rs`.

use super::drafts::Dialect;
use super::fields::{MemberReader, anything, object_of, wrong};
use super::limits;
use super::location::Location;
use super::schemas::Schemas;
use super::security;
use super::source::SourceDocument;
use docent_describe::json::Json;
use docent_describe::openrpc::ORIGIN_FORMAT;
use docent_describe::render::{MemberField, PROCEDURE_MEMBERS, ProcedureMember};
use docent_describe::{
    Carrier, Deprecation, Direction, END_UNTOLD, ErrorDescription, Example, LagPolicy, Origin,
    ParamAlias, ParamDescription, ProcedureDescription, ReturnDescription, ServiceDescription,
    SubscriptionDescription, TypeCode,
};

/// Reads a description. Its version decides between two formats, of which one has all members of the other.
pub(super) fn service(
    mut fields: MemberReader<'_>,
    document: &SourceDocument<'_>,
) -> ServiceDescription {
    let schemas = Schemas::new(document, fields.at.clone(), Dialect::Current);
    let origin = format_of_version(&mut fields);
    let mut service = ServiceDescription::new(
        required_text(&mut fields, "name"),
        required_text(&mut fields, "id"),
    );
    service.origin = fields
        .choice(ORIGIN_FORMAT, Origin::from_name)
        .unwrap_or(origin);
    service.version = fields.text("version");
    service.summary = fields.text("summary");
    service.description = fields.text("description");
    service.help = fields.text("help");
    service.address = fields.text("address");
    service.carriers = fields.each("carriers", carrier);
    service.enforced_formats = fields.texts("enforcedFormats");
    service.security_schemes = security::schemes(&mut fields, "securitySchemes");
    components(&mut fields, &schemas);
    service.procs = fields.each("procs", |value, at| procedure(value, at, &schemas));
    service.extensions = fields.extensions("$");
    service.components.schemas = schemas.into_components();
    service
}

/// Reads the version, and returns the format that has it.
fn format_of_version(fields: &mut MemberReader<'_>) -> Origin {
    let place = fields.at.inside("sdversion");
    let version = fields.text("sdversion");
    match version.as_deref() {
        None => place.warn("missing; read as a description of JSON-RPC 1.1"),
        Some("1.0" | "2.0") => {}
        Some(version) => place.warn(format_args!(
            "unknown version {version:?}; read as version 2.0, as far as possible"
        )),
    }
    match version {
        Some(version) if !version.starts_with("1.") => Origin::Docent,
        _ => Origin::JsonRpc11,
    }
}

/// Takes a text that must be there. Warns if it is missing, and reads it as empty.
fn required_text(fields: &mut MemberReader<'_>, name: &str) -> String {
    fields.text(name).unwrap_or_else(|| {
        fields.at.warn(format_args!("`{name}` is missing"));
        String::new()
    })
}

/// Reads the shared schemas, so that references to them lead somewhere.
fn components(fields: &mut MemberReader<'_>, schemas: &Schemas<'_>) {
    let place = fields.at.inside("components");
    let components = fields.object("components").unwrap_or_default();
    let mut components = MemberReader::new(components, &place);
    let at = place.inside("schemas");
    for (name, schema) in components.object("schemas").unwrap_or_default() {
        let schema = schemas.read(schema, &at.inside(&name));
        schemas.add_component(name.into(), schema);
    }
    for name in components.rest().keys() {
        place
            .inside(name)
            .warn("unknown kind of component, left out");
    }
}

/// Reads a procedure. One without a name cannot be called, and is left out.
fn procedure(
    value: Json,
    at: &Location<'_>,
    schemas: &Schemas<'_>,
) -> Option<ProcedureDescription> {
    let mut fields = MemberReader::of(expanded(value, "name"), at)?;
    let name = fields.name("a procedure")?;
    let mut procedure = members(&mut fields, schemas, |member| Some(member.name));
    procedure.name = name;
    procedure.extensions = fields.extensions("$");
    Some(procedure)
}

/// Reads the members of a procedure that a document has in the form of this format. `name_in_document` returns their
/// names there, or `None` for a member in another form.
pub(super) fn members(
    fields: &mut MemberReader<'_>,
    schemas: &Schemas<'_>,
    name_in_document: fn(&ProcedureMember) -> Option<&str>,
) -> ProcedureDescription {
    let mut procedure = ProcedureDescription::default();
    for member in PROCEDURE_MEMBERS {
        let Some(name) = name_in_document(member) else {
            continue;
        };
        match member.field {
            MemberField::Flag(get_mut) => *get_mut(&mut procedure) = fields.flag(name),
            MemberField::Text { get_mut, .. } => *get_mut(&mut procedure) = fields.text(name),
            _ => match member.name {
                "tags" => procedure.tags = fields.texts(name),
                "params" => {
                    procedure.params = fields.each(name, |value, at| param(value, at, schemas));
                }
                "return" => procedure.returns = returns(fields, name, schemas),
                "subscription" => procedure.subscription = subscription(fields, name, schemas),
                "errors" => {
                    procedure.errors = fields.each(name, |value, at| error(value, at, schemas));
                }
                "examples" => procedure.examples = fields.each(name, example),
                "security" => procedure.security = security::required(fields, name),
                "deprecated" => procedure.deprecated = deprecation(fields, name),
                "direction" => {
                    procedure.direction = fields
                        .choice(name, Direction::from_name)
                        .unwrap_or_default();
                }
                "limits" => procedure.limits = limits::limits(fields, name),
                "cache" => procedure.cache = limits::cache(fields, name),
                "repeatable" => procedure.repeatable = limits::repeatable(fields, name),
                // The name is read first.
                _ => {}
            },
        }
    }
    procedure
}

/// Expands a string to an object with that name or type, as sections 10 and 10.1 allow.
fn expanded(value: Json, member: &str) -> Json {
    match value {
        text @ Json::String(_) => object_of(member, text),
        other => other,
    }
}

/// Reads a parameter.
fn param(value: Json, at: &Location<'_>, schemas: &Schemas<'_>) -> Option<ParamDescription> {
    let mut fields = MemberReader::of(expanded(value, "name"), at)?;
    let name = fields.name("a parameter")?;
    let (type_code, schema) = type_and_schema(&mut fields, schemas);
    if type_code == TypeCode::Nil {
        at.inside("type")
            .warn("`nil` is for returns only; read as `any`");
    }
    let mut param = ParamDescription::new(name, schema);
    param.type_code = type_code.of_param();
    param.required = fields.flag("required");
    param.variadic = fields.flag("variadic");
    param.default = fields.take("default");
    param.description = fields.text("description");
    param.deprecated = fields.flag("deprecated");
    param.aliases = fields.each("aliases", alias);
    param.extensions = fields.extensions("$");
    Some(param)
}

pub(super) fn alias(value: Json, at: &Location<'_>) -> Option<ParamAlias> {
    let mut fields = MemberReader::of(value, at)?;
    let mut alias = ParamAlias::new(fields.name("an alias")?);
    alias.deprecated = fields.flag("deprecated");
    fields.warn_of_unknown();
    Some(alias)
}

/// Takes a result, or an item of a subscription.
fn returns(
    fields: &mut MemberReader<'_>,
    name: &str,
    schemas: &Schemas<'_>,
) -> Option<ReturnDescription> {
    let value = fields.present(name)?;
    let at = fields.at.inside(name);
    let mut fields = MemberReader::of(expanded(value, "type"), &at)?;
    // Section 10.1 gives it the structure of a parameter, whose name means nothing here.
    fields.take("name");
    let (type_code, schema) = type_and_schema(&mut fields, schemas);
    let mut returns = ReturnDescription::new(schema);
    returns.type_code = type_code;
    returns.description = fields.text("description");
    returns.extensions = fields.extensions("$");
    Some(returns)
}

/// Takes a subscription.
fn subscription(
    fields: &mut MemberReader<'_>,
    name: &str,
    schemas: &Schemas<'_>,
) -> Option<SubscriptionDescription> {
    let value = fields.present(name)?;
    let at = fields.at.inside(name);
    let mut fields = MemberReader::of(value, &at)?;
    let item = returns(&mut fields, "item", schemas).unwrap_or_else(|| {
        at.warn("`item` is missing; read as anything");
        ReturnDescription::new(anything())
    });
    let mut subscription = SubscriptionDescription::new(item);
    subscription.notification = fields.text("notification");
    subscription.behind = fields.choice("behind", LagPolicy::from_name);
    subscription.resume = fields.text("resume");
    subscription.ends_untold = fields.choice("ends", is_untold).unwrap_or_default();
    subscription.extensions = fields.extensions("$");
    Some(subscription)
}

/// Returns whether a word says that the end of a subscription is not announced.
fn is_untold(word: &str) -> Option<bool> {
    match word {
        "told" => Some(false),
        END_UNTOLD => Some(true),
        _ => None,
    }
}

/// Reads a carrier. One with another name than the format knows is left out.
pub(super) fn carrier(value: Json, at: &Location<'_>) -> Option<Carrier> {
    let mut fields = MemberReader::of(value, at)?;
    let name = fields.name("a carrier")?;
    if !Carrier::NAMES.contains(&name.as_str()) {
        return at.leave_out(format_args!("unknown carrier {name:?}"));
    }
    let mut carrier = Carrier::new(name);
    carrier.address = fields.text("address");
    fields.warn_of_unknown();
    Some(carrier)
}

/// Returns the type and the schema. If one of them is missing, it is derived from the other.
fn type_and_schema(fields: &mut MemberReader<'_>, schemas: &Schemas<'_>) -> (TypeCode, Json) {
    let place = fields.at.inside("type");
    let type_code = fields.text("type").map(|word| {
        TypeCode::from_name(&word).unwrap_or_else(|| {
            place.warn(format_args!("unknown type {word:?}, read as `any`"));
            TypeCode::Any
        })
    });
    let place = fields.at.inside("schema");
    match (type_code, fields.present("schema")) {
        (Some(code), Some(schema)) => (code, schemas.read(schema, &place)),
        (Some(code), None) => (code, schema_of(code)),
        (None, Some(schema)) => {
            let schema = schemas.read(schema, &place);
            (schemas.type_code(&schema), schema)
        }
        (None, None) => (TypeCode::Any, anything()),
    }
}

/// Returns the schema of a type of JSON-RPC 1.1.
fn schema_of(type_code: TypeCode) -> Json {
    let kind = match type_code {
        TypeCode::Bit => "boolean",
        TypeCode::Num => "number",
        TypeCode::Str => "string",
        TypeCode::Arr => "array",
        TypeCode::Obj => "object",
        TypeCode::Nil => "null",
        TypeCode::Any => return anything(),
    };
    object_of("type", Json::from(kind))
}

/// Reads an error. One without a code is left out.
pub(super) fn error(
    value: Json,
    at: &Location<'_>,
    schemas: &Schemas<'_>,
) -> Option<ErrorDescription> {
    let mut fields = MemberReader::of(value, at)?;
    let code = code(&mut fields)?;
    let mut error = ErrorDescription::new(code, required_text(&mut fields, "message"));
    error.description = fields.text("$description");
    error.status = status(&mut fields);
    error.retry = fields.boolean("retry");
    error.data = fields
        .present("data")
        .map(|data| schemas.read(data, &at.inside("data")));
    error.extensions = fields.extensions("$");
    Some(error)
}

/// Returns the code of an error. An error without a code is left out.
pub(super) fn code(fields: &mut MemberReader<'_>) -> Option<i64> {
    fields
        .present("code")
        .and_then(|code| code.as_i64())
        .or_else(|| {
            fields
                .at
                .reject("an error without an integer `code`, left out")
        })
}

/// Takes the HTTP status of an error.
fn status(fields: &mut MemberReader<'_>) -> Option<u16> {
    let value = fields.present("$status")?;
    value
        .as_i64()
        .and_then(|status| status.try_into().ok())
        .filter(|status| (100..600).contains(status))
        .or_else(|| wrong(&fields.at.inside("$status"), "an HTTP status", &value))
}

/// Reads an example. Its parts are kept even if they do not fit the procedure, which a check finds.
pub(super) fn example(value: Json, at: &Location<'_>) -> Option<Example> {
    let mut fields = MemberReader::of(value, at)?;
    let params = fields.present("params").and_then(|params| match params {
        Json::Array(_) | Json::Object(_) => Some(params),
        other => wrong(&at.inside("params"), "an array or an object", &other),
    });
    let mut example = Example::default();
    example.summary = fields.text("summary");
    example.description = fields.text("description");
    example.params = params;
    example.result = fields.take("result");
    example.items = items(&mut fields);
    example.error = example_error(&mut fields);
    example.extensions = fields.extensions("$");
    Some(example)
}

/// Takes the items of an example of a subscription.
fn items(fields: &mut MemberReader<'_>) -> Option<Vec<Json>> {
    match fields.present("items")? {
        Json::Array(items) => Some(items),
        other => wrong(&fields.at.inside("items"), "an array", &other),
    }
}

/// Returns the error object of an example (JSON-RPC 2.0, section 5.1), which must have a code and a
/// message.
fn example_error(fields: &mut MemberReader<'_>) -> Option<Json> {
    let error = fields.object("error")?;
    let code = error.get("code").and_then(Json::as_i64);
    let message = error.get_str("message");
    if code.is_none() || message.is_none() {
        return fields
            .at
            .inside("error")
            .reject("an error without an integer `code` and a `message`, left out");
    }
    Some(Json::Object(error))
}

/// Takes a deprecation: whether there is one, or what replaces the procedure.
pub(super) fn deprecation(fields: &mut MemberReader<'_>, name: &str) -> Option<Deprecation> {
    match fields.present(name)? {
        Json::Bool(deprecated) => return deprecated.then(Deprecation::default),
        value => fields.put_back(name, value),
    }
    fields.inside(name, |fields| {
        let mut deprecation = Deprecation::default();
        deprecation.since = fields.text("since");
        deprecation.reason = fields.text("reason");
        deprecation.instead = fields.text("instead");
        Some(deprecation)
    })
}
