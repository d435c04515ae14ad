//! Renders the format of `system.describe`: JSON-RPC 1.1, section 10, and nothing else.
//!
//! The draft allows no extensions, so all that it has no member for is lost.

use crate::json::{Json, Object};
use crate::{ParamDescription, ProcedureDescription, ServiceDescription};

/// Renders the result of `system.describe`: strict JSON-RPC 1.1, with only the members of the
/// draft. Subscriptions, and what the service sends by itself, are left out. It is valid against
/// [`SYSTEM_DESCRIBE_SCHEMA`](super::SYSTEM_DESCRIBE_SCHEMA).
pub fn system_describe(service: &ServiceDescription) -> Json {
    Object::new()
        .with("sdversion", "1.0")
        .with("name", service.name.as_str())
        .with("id", service.id.as_str())
        .maybe("version", service.version.as_deref().and_then(major_minor))
        .text("summary", service.summary.as_ref())
        .text("help", service.help.as_ref())
        .text("address", service.address.as_ref())
        .list_always("procs", service.calls().map(procedure))
        .into()
}

fn procedure(procedure: &ProcedureDescription) -> Object {
    let returns = procedure
        .returns
        .as_ref()
        .map(|returns| Object::new().with("type", returns.type_code.as_str()));
    Object::new()
        .with("name", procedure.name.as_str())
        .text("summary", procedure.summary.as_ref())
        .text("help", procedure.help.as_ref())
        .flag("idempotent", procedure.idempotent)
        .list("params", procedure.params.iter().map(param))
        .maybe("return", returns)
}

fn param(param: &ParamDescription) -> Object {
    Object::new()
        .with("name", param.name.as_str())
        .with("type", param.type_code.of_param().as_str())
}

/// Returns the major and minor component at the start of a version, if it has both. The draft
/// allows only digits and one period.
fn major_minor(version: &str) -> Option<&str> {
    let major = leading_digits(version);
    let minor = leading_digits(version[major..].strip_prefix('.')?);
    if major > 0 && minor > 0 {
        Some(&version[..=major + minor])
    } else {
        None
    }
}

/// Returns the number of digits at the start of a text.
fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}
