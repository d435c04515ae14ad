//! The names of extensions, shared by readers and writers of OpenRPC documents.
//!
//! Neither format has all members of the other. What OpenRPC lacks is written as an extension of the document (`x-…`),
//! and what the model lacks is read into an extension of the model (`$…`), so that a document comes back as it was:
//!
//! ```text
//! model                       OpenRPC
//! repeatable: 1 h             "x-repeatable": {"for": 3600}
//! "$license": {…}             "license": {…}      a row of INFO_MEMBERS
//! "$tool": "lend"             "x-$tool": "lend"   any other extension: `to_openrpc` and `from_openrpc`
//! ```
//!
//! [`render`](crate::render) writes documents and `docent-tools` reads them. Members of procedures that become an
//! extension without a change are in the table of `render/procedure_members.rs` instead.

/// Set for a procedure that is meant to be called as a notification.
pub const X_NOTIFICATION: &str = "x-notification";
/// The subscriptions whose items a notification carries. Writers of OpenRPC add its method.
pub const X_NOTIFICATION_OF: &str = "x-notification-of";
/// The carriers of messages.
pub const X_CARRIERS: &str = "x-carriers";
/// The details of the deprecation of a procedure.
pub const X_DEPRECATION: &str = "x-deprecation";
/// The errors of a procedure, with all of their members.
pub const X_ERRORS: &str = "x-errors";
/// The examples of a procedure, if example pairings cannot express all of them.
pub const X_EXAMPLES: &str = "x-examples";
/// Set for a procedure that a guard protects.
pub const X_GUARDED: &str = "x-guarded";
/// The formats that the service checks.
pub const X_ENFORCED_FORMATS: &str = "x-enforced-formats";
/// The security schemes that a procedure requires.
pub const X_SECURITY: &str = "x-security";
/// The security schemes of the service.
pub const X_SECURITY_SCHEMES: &str = "x-securitySchemes";
/// The other names of a parameter.
pub const X_ALIASES: &str = "x-aliases";
/// Set for a parameter whose elements are the positions of a call.
pub const X_VARIADIC: &str = "x-variadic";
/// The id of the service.
pub const X_ID: &str = "x-id";
/// The summary and the description of a service, if `info.description` cannot be split into them again.
pub const X_TEXTS: [&str; 2] = ["x-summary", "x-description"];
/// Set for a service without a version.
pub const X_UNVERSIONED: &str = "x-unversioned";
/// A type in the terms of JSON-RPC 1.1, if it differs from the type of the schema.
pub const X_TYPE: &str = "x-type";
/// The original of a schema that had to be changed for draft-07.
pub const X_SCHEMA: &str = "x-schema";
/// The originals of components, by name.
pub const X_SCHEMAS: &str = "x-schemas";
/// Set for a result that is present only because OpenRPC requires one.
pub const X_UNDESCRIBED: &str = "x-undescribed";
/// The format in which the service describes itself, if it is not OpenRPC.
pub const X_ORIGIN_FORMAT: &str = "x-origin-format";

/// The same in a description. It is a member of the model, so no extension of it may have this name.
pub const ORIGIN_FORMAT: &str = "$originFormat";

// The extensions that keep members of OpenRPC in the model, which has none for them.

/// The members of `info`: the name of each extension, and the member that it keeps.
pub const INFO_MEMBERS: [(&str, &str); 3] = [
    ("$contact", "contact"),
    ("$license", "license"),
    ("$termsOfService", "termsOfService"),
];
/// The `servers`, if they say more than the address of the service.
pub const SERVERS: &str = "$servers";
/// The `links` of a method.
pub const LINKS: &str = "$links";
/// The `paramStructure` of a method: whether it takes parameters by name, by position or either way.
pub const PARAM_STRUCTURE: &str = "$paramStructure";
/// The `name` of a result.
pub const RESULT_NAME: &str = "$name";
/// The `externalDocs`, if they have more members than their URL.
pub const EXTERNAL_DOCS: &str = "$externalDocs";
/// The name of an example that has a summary too.
pub const EXAMPLE_NAME: &str = "$exampleName";
/// The descriptions of a service's tags, by name.
pub const TAG_DESCRIPTIONS: &str = "$tags";

/// The target of a reference that was cut because it would close a cycle.
pub const CUT_REFERENCE: &str = "x-ref";

/// Returns the description of a cut reference whose author wrote none.
pub fn cut_description(name: &str) -> String {
    format!("`{name}` again; not repeated here.")
}

/// Returns a name for an example without one.
pub(crate) fn example_name(index: usize) -> String {
    format!("Example {}", index + 1)
}

/// Returns whether a name was made by `example_name`.
pub fn is_example_name(name: &str) -> bool {
    name.strip_prefix("Example ")
        .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the name of an extension in an OpenRPC document. Extensions begin with `x-` there, and
/// with `$` in the model. The prefix of the other format stays after the new one: `$tool` becomes
/// `x-$tool`, and `$x-tool` becomes `x-tool` again.
pub fn to_openrpc(name: &str) -> String {
    match name.strip_prefix('$') {
        Some(original) if original.starts_with("x-") => original.to_owned(),
        _ => format!("x-{name}"),
    }
}

/// Returns the name that an OpenRPC document's extension has in the model.
pub fn from_openrpc(name: &str) -> String {
    match name.strip_prefix("x-") {
        Some(original) if original.starts_with('$') => original.to_owned(),
        _ => format!("${name}"),
    }
}
