//! The names under which an OpenRPC document holds what OpenRPC has no place for, shared by those
//! who write and those who read them.

mod restore;

#[cfg(feature = "read")]
pub(crate) use restore::{dependencies, lone_reference, positional_items, restore_cut};
pub(crate) use restore::{rename, restored};

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
/// A service's summary and its description, where they cannot be told apart in `info.description`.
pub(crate) const TEXTS: [&str; 2] = ["x-summary", "x-description"];
/// Says that a service has no version.
pub(crate) const UNVERSIONED: &str = "x-unversioned";
/// A type in the words of JSON-RPC 1.1, where it is not what the schema says.
pub(crate) const TYPE: &str = "x-type";
/// A schema as it was, beside the one in draft-07 that it cannot be restored from.
pub(crate) const SCHEMA: &str = "x-schema";
/// The same for components, by name.
pub(crate) const SCHEMAS: &str = "x-schemas";
/// Says that a result stands only because there has to be one.
pub(crate) const UNDESCRIBED: &str = "x-undescribed";
/// In [`EXAMPLES`], the index of the pairing that an example completes.
pub(crate) const PAIRING: &str = "pairing";
/// The format in which the service describes itself, where that is not the one that is written.
pub(crate) const ORIGIN: (&str, &str) = ("$originFormat", "x-origin-format");

/// What OpenRPC has and the model has not, kept as extensions under these names.
pub(crate) const INFO: [(&str, &str); 3] = [
    ("$contact", "contact"),
    ("$license", "license"),
    ("$termsOfService", "termsOfService"),
];
pub(crate) const SERVERS: (&str, &str) = ("$servers", "servers");
pub(crate) const LINKS: (&str, &str) = ("$links", "links");
pub(crate) const PARAM_STRUCTURE: (&str, &str) = ("$paramStructure", "paramStructure");
pub(crate) const RESULT_NAME: (&str, &str) = ("$name", "name");
/// Documentation elsewhere, where more is said of it than its URL.
pub(crate) const EXTERNAL_DOCS: (&str, &str) = ("$externalDocs", "externalDocs");
/// The name of an example that has a summary too.
#[cfg(feature = "read")]
pub(crate) const EXAMPLE_NAME: &str = "$exampleName";
/// What the tags of a service mean, by name.
pub(crate) const TAGS: &str = "$tags";

/// What stands in place of a reference that would lead round in a circle: where it led.
pub(crate) const CUT: &str = "x-ref";

/// What the place of a cut reference says where its author said nothing.
pub(crate) fn cut_description(name: &str) -> String {
    format!("`{name}` again; not repeated here.")
}

/// The name of an example that its author gave none.
pub(crate) fn example_name(place: usize) -> String {
    format!("Example {}", place + 1)
}

/// Whether a name is one that an example was given because there was none.
pub(crate) fn is_example_name(name: &str) -> bool {
    name.strip_prefix("Example ")
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The name of an extension in an OpenRPC document. Its extensions begin with `x-` as those of the
/// model begin with `$`; each is the other's, with its own mark in front.
pub(crate) fn to_openrpc(name: &str) -> String {
    match name.strip_prefix('$') {
        Some(own) if own.starts_with("x-") => own.to_owned(),
        _ => format!("x-{name}"),
    }
}

/// The name of an OpenRPC document's extension in the model.
#[cfg(feature = "read")]
pub(crate) fn from_openrpc(name: &str) -> String {
    match name.strip_prefix("x-") {
        Some(own) if own.starts_with('$') => own.to_owned(),
        _ => format!("${name}"),
    }
}
