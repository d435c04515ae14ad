//! Renders the types of a service as one JSON Schema document.

use crate::json::{Json, Object};
use crate::model::{ProcedureDescription, ServiceDescription};
use crate::schema::keyword::change_all;
use crate::schema::{COMPONENTS, component_entered};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Renders the types of a service as a JSON Schema document (2020-12), for tools that know schemas
/// but not services.
///
/// Everything is in `$defs`: the shared types under their names, and for each procedure
/// `NAME.params`, `NAME.result` and, for errors with data, `NAME.error.CODE`. The parameters are
/// those of a call by name, or an array for a list of any length.
///
/// ```
/// use docent_describe::render::json_schema;
/// use docent_describe::{ProcedureDescription, ServiceDescription};
///
/// let service = ServiceDescription {
///     name: "greeter".into(),
///     procs: vec![ProcedureDescription { name: "hello".into(), ..Default::default() }],
///     ..Default::default()
/// };
/// let schema = json_schema(&service);
/// assert!(schema.get("$defs").and_then(|defs| defs.get("hello.params")).is_some());
/// ```
pub fn json_schema(service: &ServiceDescription) -> Json {
    let mut defs = Object::new();
    for (name, schema) in &service.components.schemas {
        defs.insert(name.as_str(), moved(schema));
    }
    for procedure in &service.procs {
        let name = &procedure.name;
        defs.insert(format!("{name}.params"), params(procedure));
        if let Some(returns) = &procedure.returns {
            defs.insert(format!("{name}.result"), moved(&returns.schema));
        }
        for error in &procedure.errors {
            if let Some(data) = &error.data {
                defs.insert(format!("{name}.error.{}", error.code), moved(data));
            }
        }
    }
    Object::new()
        .with("$schema", DIALECT)
        .with("title", service.name.as_str())
        .text("description", service.summary.as_ref())
        .with("$defs", defs)
        .into()
}

/// Returns the schema of a call's `params`: an object, or an array for a list of any length.
fn params(procedure: &ProcedureDescription) -> Json {
    if let [list] = &*procedure.params
        && list.variadic
    {
        return moved(&list.schema);
    }
    let mut params = named_params(procedure, moved);
    // An alias is another name for a parameter.
    let mut aliases = procedure.params.iter().flat_map(|param| &param.aliases);
    if aliases.next().is_some() {
        params.shift_remove("additionalProperties");
    }
    params.into()
}

/// Returns the schema of the `params` of a call by name, without aliases. `change` changes references.
pub(super) fn named_params(
    procedure: &ProcedureDescription,
    change: impl Fn(&Json) -> Json,
) -> Object {
    let properties = procedure.params.iter().map(|param| {
        let (description, default) = (param.description.as_ref(), param.default.as_ref());
        (
            param.name.as_str(),
            with_annotations(change(&param.schema), description, default),
        )
    });
    let required = procedure.params.iter().filter(|param| param.required);
    Object::new()
        .with("type", "object")
        .with("properties", properties.collect::<Object>())
        .list("required", required.map(|param| param.name.as_str()))
        .with("additionalProperties", false)
}

/// Returns a schema with a description and a default.
pub(super) fn with_annotations(
    schema: Json,
    description: Option<&String>,
    default: Option<&Json>,
) -> Json {
    match schema {
        Json::Bool(true) => Object::new(),
        Json::Object(members) => members,
        other => return other,
    }
    .text("description", description)
    .maybe("default", default)
    .into()
}

/// Returns a schema with its references changed to lead to `$defs`.
pub(super) fn moved(schema: &Json) -> Json {
    redirected(schema, |reference| {
        component_entered(reference)?;
        Some(format!("#/$defs/{}", &reference[COMPONENTS.len()..]))
    })
}

/// Returns a schema whose references lead to other places where `place` has one.
pub(super) fn redirected(schema: &Json, place: impl Fn(&str) -> Option<String>) -> Json {
    let mut schema = schema.clone();
    change_all(&mut schema, &mut |members| {
        if let Some(Json::String(reference)) = members.get_mut("$ref")
            && let Some(place) = place(reference)
        {
            *reference = place;
        }
    });
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Pointer;
    use crate::model::{ErrorDescription, ParamDescription, ReturnDescription};

    #[test]
    fn types_and_procedures_stand_side_by_side() {
        let schema = |text: &str| text.parse::<Json>().expect("JSON");
        let mut service = ServiceDescription {
            name: "s".into(),
            procs: vec![ProcedureDescription {
                name: "p".into(),
                params: vec![ParamDescription {
                    name: "a".into(),
                    required: true,
                    schema: schema(r##"{"$ref": "#/components/schemas/A~1B"}"##),
                    ..ParamDescription::default()
                }],
                returns: Some(ReturnDescription {
                    schema: schema("true"),
                    ..ReturnDescription::default()
                }),
                errors: vec![ErrorDescription {
                    code: 7,
                    data: Some(schema(r#"{"type": "string"}"#)),
                    ..ErrorDescription::default()
                }],
                ..ProcedureDescription::default()
            }],
            ..ServiceDescription::default()
        };
        let shared = schema(r##"{"items": {"$ref": "#/components/schemas/A~1B/x"}}"##);
        service.components.schemas.insert("A/B".into(), shared);
        let rendered = json_schema(&service);
        let at = |pointer: &str| Pointer::resolve(pointer, &rendered).map(Json::to_string);
        assert_eq!(
            at("/$defs/p.params/properties/a").as_deref(),
            Some(r##"{"$ref":"#/$defs/A~1B"}"##)
        );
        assert_eq!(at("/$defs/p.params/required").as_deref(), Some(r#"["a"]"#));
        assert_eq!(at("/$defs/p.result").as_deref(), Some("true"));
        assert_eq!(
            at("/$defs/p.error.7").as_deref(),
            Some(r#"{"type":"string"}"#)
        );
        let item = rendered
            .get("$defs")
            .and_then(|defs| defs.get("A/B")?.get("items")?.get("$ref"));
        assert_eq!(item.and_then(Json::as_str), Some("#/$defs/A~1B/x"));
    }
}
