//! Finds the parts of a description without documentation.

use std::fmt;

use docent_describe::json::Json;
use docent_describe::schema::resolve;
use docent_describe::{Origin, ProcedureDescription, ServiceDescription, TypeCode};

/// A part of a description that has no documentation.
pub(crate) struct Undocumented<'d> {
    pub(crate) procedure: &'d str,
    part: Part<'d>,
}

enum Part<'d> {
    Procedure,
    Param(&'d str),
    Return,
    Error(i64),
}

impl Undocumented<'_> {
    /// Returns advice on how to document the part.
    pub(crate) fn advice(&self, origin: Origin) -> String {
        let advice = match (&self.part, origin) {
            (Part::Procedure, Origin::Docent) => {
                "write a doc comment on its function or its parameters' type, or call `.summary(…)`"
            }
            (Part::Procedure, _) => "write a `summary`",
            (Part::Param(name), Origin::Docent) => {
                return format!("write a doc comment on the field `{name}`");
            }
            (Part::Param(_), _) => "write a `description` beside its name",
            (Part::Return, Origin::Docent) => {
                "call `.returns(…)`, or write a doc comment on the type"
            }
            (Part::Return, _) => "write a `description` beside the schema of the result",
            (Part::Error(_), _) => "give it a message, such as with `.error(code, message)`",
        };
        advice.to_owned()
    }
}

impl fmt::Display for Undocumented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "procedure `{}`", self.procedure)?;
        match self.part {
            Part::Procedure => Ok(()),
            Part::Param(name) => write!(f, ", parameter `{name}`"),
            Part::Return => f.write_str(", return"),
            Part::Error(code) => write!(f, ", error {code}"),
        }
    }
}

/// Returns every procedure, parameter, return and error without documentation, in the order of the
/// description.
pub(crate) fn undocumented(service: &ServiceDescription) -> impl Iterator<Item = Undocumented<'_>> {
    let procedures = service.procs.iter();
    procedures.flat_map(|procedure| of_procedure(procedure, service))
}

fn of_procedure<'d>(
    procedure: &'d ProcedureDescription,
    service: &ServiceDescription,
) -> impl Iterator<Item = Undocumented<'d>> {
    let mut parts = Vec::new();
    if !is_said(procedure.summary.as_ref()) && !is_said(procedure.description.as_ref()) {
        parts.push(Part::Procedure);
    }
    for param in &procedure.params {
        if !is_said(param.description.as_ref()) && !schema_says(&param.schema, service) {
            parts.push(Part::Param(&param.name));
        }
    }
    let returns = procedure.returns.as_ref();
    let is_documented = match returns {
        None => procedure.notification,
        // A result that is always null needs no documentation.
        Some(returns) if returns.type_code == TypeCode::Nil => true,
        Some(returns) => {
            is_said(returns.description.as_ref()) || schema_says(&returns.schema, service)
        }
    };
    if !is_documented {
        parts.push(Part::Return);
    }
    for error in &procedure.errors {
        // OpenRPC and JSON-RPC itself have no room for more than the message.
        if error.message.trim().is_empty() && !is_said(error.description.as_ref()) {
            parts.push(Part::Error(error.code));
        }
    }
    parts.into_iter().map(|part| Undocumented {
        procedure: &procedure.name,
        part,
    })
}

fn is_said(text: Option<&String>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty())
}

/// Returns whether a schema, or the shared type that it refers to, documents its values.
fn schema_says(schema: &Json, service: &ServiceDescription) -> bool {
    /// References may lead to further references, and may be cyclic.
    const STEPS: usize = 16;
    let next = |schema: &&Json| {
        let reference = schema.get("$ref").and_then(Json::as_str)?;
        resolve(reference, &service.components.schemas)
    };
    std::iter::successors(Some(schema), next)
        .take(STEPS)
        .filter_map(|schema| schema.get("description").and_then(Json::as_str))
        .any(|text| !text.trim().is_empty())
}
