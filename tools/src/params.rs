//! The parameters of calls, by name and by position, as the description says that they may be passed.
//!
//! Only `docent-core` knows whether a service accepts them; see [`Binding`](crate::check::Binding).

use docent_describe::json::{Json, Object};
use docent_describe::openrpc::PARAM_STRUCTURE;
use docent_describe::{ProcedureDescription, error_reason};

use crate::plain::one_line;

/// Returns whether the procedure takes a list of any length as its only parameter.
pub fn is_list(procedure: &ProcedureDescription) -> bool {
    matches!(&*procedure.params, [list] if list.variadic)
}

/// Returns whether the procedure takes its parameters by name.
pub fn takes_names(procedure: &ProcedureDescription) -> bool {
    structure(procedure) != Some("by-position")
}

/// Returns whether the procedure takes its parameters by position.
pub(crate) fn takes_positions(procedure: &ProcedureDescription) -> bool {
    !procedure.by_name_only && structure(procedure) != Some("by-name")
}

/// Returns what an OpenRPC document says about names and positions.
fn structure(procedure: &ProcedureDescription) -> Option<&str> {
    procedure.extensions.get_str(PARAM_STRUCTURE)
}

/// Returns parameters by name, from parameters by name or by position.
pub fn params_by_name(procedure: &ProcedureDescription, params: &Json) -> Option<Object> {
    let names = procedure.params.iter().map(|param| param.name.clone());
    match params {
        Json::Object(members) => Some(members.clone()),
        Json::Array(_) if is_list(procedure) => Some(names.zip([params.clone()]).collect()),
        Json::Array(values) => Some(names.zip(values.iter().cloned()).collect()),
        _ => None,
    }
}

/// Returns parameters by position, or `None` if the call cannot pass them by position.
pub fn params_by_position(procedure: &ProcedureDescription, params: &Object) -> Option<Json> {
    let mut values: Vec<Json> = procedure
        .params
        .iter()
        .map_while(|param| params.get(&param.name).cloned())
        .collect();
    if values.len() < params.len() {
        return None;
    }
    if is_list(procedure) {
        return values.pop().filter(|list| list.as_array().is_some());
    }
    Some(Json::Array(values))
}

/// Explains the data of an error, on one line: which parameter is wrong, and why.
pub fn reason(problem: &Json) -> Option<String> {
    error_reason(problem).map(|reason| one_line(&reason))
}
