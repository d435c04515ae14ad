//! Renders the types of a service as one JSON Schema document.
//!
//! The document has schemas only. The names of its definitions tell which types a procedure takes and returns.

use super::defs::rebased;
use super::schemas::named_params;
use crate::json::{Json, Object};
use crate::model::{ProcedureDescription, ServiceDescription};

/// The URI of the dialect that the document declares.
const DIALECT_URI: &str = "https://json-schema.org/draft/2020-12/schema";

/// Renders the types of a service as a JSON Schema document (2020-12), for tools that know schemas
/// but not services.
///
/// Everything is in `$defs`: the shared types under their names, and for each procedure
/// `NAME.params`, `NAME.result` (for a subscription `NAME.item`) and, for errors with data, `NAME.error.CODE`. The
/// parameters are those of a call by name, or an array for a list of any length.
///
/// ```
/// use docent::describe::render::json_schema;
/// use docent::describe::{ProcedureDescription, ServiceDescription};
///
/// let mut service = ServiceDescription::new("greeter", "urn:example:greeter");
/// service.procs = vec![ProcedureDescription::new("hello")];
/// let schema = json_schema(&service);
/// assert!(schema.get("$defs").and_then(|defs| defs.get("hello.params")).is_some());
/// ```
pub fn json_schema(service: &ServiceDescription) -> Json {
    let mut defs = Object::new();
    for (name, schema) in &service.components.schemas {
        defs.insert(name.as_str(), rebased(schema));
    }
    for procedure in &service.procs {
        let name = &procedure.name;
        defs.insert(format!("{name}.params"), params(procedure));
        if let Some(returns) = &procedure.returns {
            defs.insert(format!("{name}.result"), rebased(&returns.schema));
        }
        if let Some(subscription) = &procedure.subscription {
            defs.insert(format!("{name}.item"), rebased(&subscription.item.schema));
        }
        for error in &procedure.errors {
            if let Some(data) = &error.data {
                defs.insert(format!("{name}.error.{}", error.code), rebased(data));
            }
        }
    }
    Object::new()
        .with("$schema", DIALECT_URI)
        .with("title", service.name.as_str())
        .text("description", service.summary.as_ref())
        .object("$defs", defs)
        .into()
}

/// Returns the schema of a call's `params`: an object, or an array for a list of any length.
fn params(procedure: &ProcedureDescription) -> Json {
    if let [list] = &*procedure.params
        && list.variadic
    {
        return rebased(&list.schema);
    }
    let mut params = named_params(procedure, rebased);
    // An alias is another name for a parameter, so it has to be allowed.
    if procedure
        .params
        .iter()
        .any(|param| !param.aliases.is_empty())
    {
        params.shift_remove("additionalProperties");
    }
    params.into()
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
