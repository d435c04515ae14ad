//! The names of the extensions that hold what OpenRPC has no members for. Writers and readers of
//! OpenRPC documents share them.

use crate::json::{Json, Object};

pub(crate) const IDEMPOTENT: &str = "x-idempotent";
pub(crate) const NOTIFICATION: &str = "x-notification";
pub(crate) const DEPRECATION: &str = "x-deprecation";
pub(crate) const ERRORS: &str = "x-errors";
pub(crate) const ERRORS_OPEN: &str = "x-errors-open";
pub(crate) const EXAMPLES: &str = "x-examples";
pub(crate) const GUARDED: &str = "x-guarded";
pub(crate) const ENFORCED_FORMATS: &str = "x-enforced-formats";
pub(crate) const SECURITY: &str = "x-security";
pub(crate) const SECURITY_SCHEMES: &str = "x-securitySchemes";
pub(crate) const ALIASES: &str = "x-aliases";
pub(crate) const LIMITS: &str = "x-limits";
pub(crate) const CACHE: &str = "x-cache";
pub(crate) const REPEATABLE: &str = "x-repeatable";
pub(crate) const UNCHECKED: &str = "x-unchecked";
pub(crate) const VARIADIC: &str = "x-variadic";
pub(crate) const ID: &str = "x-id";
/// A service's summary and its description, if a reader could not split `info.description` into
/// them.
pub(crate) const TEXTS: [&str; 2] = ["x-summary", "x-description"];
/// Set for a service without a version.
pub(crate) const UNVERSIONED: &str = "x-unversioned";
/// A type in the terms of JSON-RPC 1.1, if it differs from the type of the schema.
pub(crate) const TYPE: &str = "x-type";
/// The original of a schema that is another in draft-07.
pub(crate) const SCHEMA: &str = "x-schema";
/// The originals of components, by name.
pub(crate) const SCHEMAS: &str = "x-schemas";
/// Set for a result that is present only because OpenRPC requires one.
pub(crate) const UNDESCRIBED: &str = "x-undescribed";
/// The format in which the service describes itself, if it is not the format of the document.
pub(crate) const ORIGIN: (&str, &str) = ("$originFormat", "x-origin-format");

/// The members of OpenRPC that the model lacks, and the names of the extensions that keep them.
pub(crate) const INFO: [(&str, &str); 3] = [
    ("$contact", "contact"),
    ("$license", "license"),
    ("$termsOfService", "termsOfService"),
];
pub(crate) const SERVERS: (&str, &str) = ("$servers", "servers");
pub(crate) const LINKS: (&str, &str) = ("$links", "links");
pub(crate) const PARAM_STRUCTURE: (&str, &str) = ("$paramStructure", "paramStructure");
pub(crate) const RESULT_NAME: (&str, &str) = ("$name", "name");
/// Documentation elsewhere, if it has more members than its URL.
pub(crate) const EXTERNAL_DOCS: (&str, &str) = ("$externalDocs", "externalDocs");
/// The name of an example that has a summary too.
#[cfg(feature = "read")]
pub(crate) const EXAMPLE_NAME: &str = "$exampleName";
/// The descriptions of a service's tags, by name.
pub(crate) const TAGS: &str = "$tags";

/// The target of a reference that was cut because it would close a cycle.
pub(crate) const CUT: &str = "x-ref";

/// Returns the description of a cut reference whose author wrote none.
pub(crate) fn cut_description(name: &str) -> String {
    format!("`{name}` again; not repeated here.")
}

/// Returns a name for an example without one.
pub(crate) fn example_name(place: usize) -> String {
    format!("Example {}", place + 1)
}

/// Returns whether a name was made by [`example_name`].
pub(crate) fn is_example_name(name: &str) -> bool {
    name.strip_prefix("Example ")
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the name of an extension in an OpenRPC document. Extensions begin with `x-` there, and
/// with `$` in the model. The prefix of the other format is kept after the new one: `$tool` becomes
/// `x-$tool`, and `$x-tool` becomes `x-tool` again.
pub(crate) fn to_openrpc(name: &str) -> String {
    match name.strip_prefix('$') {
        Some(own) if own.starts_with("x-") => own.to_owned(),
        _ => format!("x-{name}"),
    }
}

/// Returns the name that an OpenRPC document's extension has in the model.
#[cfg(feature = "read")]
pub(crate) fn from_openrpc(name: &str) -> String {
    match name.strip_prefix("x-") {
        Some(own) if own.starts_with('$') => own.to_owned(),
        _ => format!("${name}"),
    }
}

/// Renames a keyword and keeps its position.
pub(crate) fn rename(schema: &mut Object, from: &str, to: &str, value: Json) {
    let Some(place) = schema.get_index_of(from) else {
        return;
    };
    schema.shift_remove_index(place);
    schema.shift_remove(to);
    schema.shift_insert(place, to, value);
}
