//! Translates pointers into the format of `rpc.describe` for OpenRPC documents.
//!
//! All changes are found in the model, whatever format the descriptions came in. A user who compares two OpenRPC
//! documents is shown the places in those.

use docent_describe::json::Pointer;
use docent_describe::openrpc::{
    PARAM_STRUCTURE, X_CARRIERS, X_ENFORCED_FORMATS, X_ID, X_SECURITY_SCHEMES, to_openrpc,
};
use docent_describe::render::PROCEDURE_MEMBERS;

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
    let texts: Vec<String> = place.tokens().collect();
    let tokens: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut pointer = Pointer::root();
    for last in 0..tokens.len() {
        pointer = match tokens[..=last] {
            ["procs"] => pointer.join("methods"),
            ["address"] => pointer.join("servers").join(0).join("url"),
            ["name"] => pointer.join("info").join("title"),
            ["version"] => pointer.join("info").join("version"),
            ["id"] => pointer.join("info").join(X_ID),
            ["carriers"] => pointer.join(X_CARRIERS),
            ["enforcedFormats"] => pointer.join(X_ENFORCED_FORMATS),
            ["securitySchemes"] => pointer.join("components").join(X_SECURITY_SCHEMES),
            ["procs", _, name] => pointer.join(name_in_method(name)),
            ["procs", _, "params", _, own @ ("aliases" | "variadic")] => {
                pointer.join(to_openrpc(own))
            }
            [.., token] => pointer.join(token),
            [] => pointer,
        };
    }
    pointer
}

/// Returns the name in a method of a member of a procedure.
fn name_in_method(name: &str) -> String {
    if name == PARAM_STRUCTURE {
        return "paramStructure".to_owned();
    }
    let member = PROCEDURE_MEMBERS.iter().find(|member| member.name == name);
    member.map_or_else(|| to_openrpc(name), |member| member.openrpc_name.to_owned())
}
