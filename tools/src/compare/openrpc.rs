//! Translates pointers into the format of `rpc.describe` for OpenRPC documents.

use docent_describe::json::Pointer;
use docent_describe::openrpc::{
    ALIASES, CACHE, ENFORCED_FORMATS, ERRORS_OPEN, GUARDED, ID, IDEMPOTENT, LIMITS, NOTIFICATION,
    PARAM_STRUCTURE, REPEATABLE, SECURITY, SECURITY_SCHEMES, UNCHECKED, VARIADIC, to_openrpc,
};

/// Returns the pointer into an OpenRPC document that corresponds to a pointer into the format of
/// `rpc.describe`.
///
/// ```
/// use docent_tools::compare::openrpc_pointer;
/// use docent_describe::json::Pointer;
///
/// let place = Pointer::root().join("procs").join(3).join("return").join("schema");
/// assert_eq!(openrpc_pointer(&place).as_str(), "/methods/3/result/schema");
/// assert_eq!(openrpc_pointer(&Pointer::root().join("id")).as_str(), "/info/x-id");
/// let place = Pointer::root().join("procs").join(3).join("$tool");
/// assert_eq!(openrpc_pointer(&place).as_str(), "/methods/3/x-$tool");
/// ```
pub fn openrpc_pointer(place: &Pointer) -> Pointer {
    let tokens: Vec<String> = place.tokens().collect();
    let mut pointer = Pointer::root();
    for (depth, token) in tokens.iter().enumerate() {
        let is_of_procedure = tokens[0] == "procs" && depth == 2;
        let is_of_param = is_member(&tokens, "params") && depth == 4;
        match token.as_str() {
            "procs" if depth == 0 => pointer.push("methods"),
            "address" if depth == 0 => {
                pointer = pointer.join("servers").join(0).join("url");
            }
            "name" if depth == 0 => pointer = pointer.join("info").join("title"),
            "version" if depth == 0 => pointer = pointer.join("info").join("version"),
            "id" if depth == 0 => pointer = pointer.join("info").join(ID),
            "enforcedFormats" if depth == 0 => pointer.push(ENFORCED_FORMATS),
            "securitySchemes" if depth == 0 => {
                pointer = pointer.join("components").join(SECURITY_SCHEMES);
            }
            "return" if is_of_procedure => pointer.push("result"),
            "byNameOnly" | "$paramStructure" if is_of_procedure => pointer.push(PARAM_STRUCTURE.1),
            "idempotent" if is_of_procedure => pointer.push(IDEMPOTENT),
            "errorsOpen" if is_of_procedure => pointer.push(ERRORS_OPEN),
            "guarded" if is_of_procedure => pointer.push(GUARDED),
            "security" if is_of_procedure => pointer.push(SECURITY),
            "limits" if is_of_procedure => pointer.push(LIMITS),
            "cache" if is_of_procedure => pointer.push(CACHE),
            "repeatable" if is_of_procedure => pointer.push(REPEATABLE),
            "unchecked" if is_of_procedure => pointer.push(UNCHECKED),
            "notification" if is_of_procedure => pointer.push(NOTIFICATION),
            extension if is_of_procedure && extension.starts_with('$') => {
                pointer.push(to_openrpc(extension));
            }
            "aliases" if is_of_param => pointer.push(ALIASES),
            "variadic" if is_of_param => pointer.push(VARIADIC),
            token => pointer.push(token),
        }
    }
    pointer
}

fn is_member(tokens: &[String], name: &str) -> bool {
    tokens.len() > 4 && tokens[0] == "procs" && tokens[2] == name
}
