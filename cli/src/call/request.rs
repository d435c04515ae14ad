//! The parameters of calls, as a described service reads them.

use docent_core::{Argument, Arguments, Fault};
use docent_describe::ProcedureDescription;
use docent_describe::json::Json;
use docent_tools::params::{positioned, takes_names};

use crate::failure::Failure;

/// Returns the data of a refusal.
pub(crate) fn fault_data(fault: &Fault) -> Option<Json> {
    fault.data()?.parse().ok()
}

/// Returns the parameters that a service reads from a query.
pub(crate) fn read(arguments: &Arguments, query: &[(String, String)]) -> Option<Json> {
    let pairs = query
        .iter()
        .map(|(name, text)| (name.as_str(), Argument::Text(text)));
    arguments.params(pairs).ok()?.parse().ok()
}

/// Returns named parameters as a list if the procedure takes them by position only, which documents
/// of OpenRPC can say.
pub(super) fn by_position_only(
    procedure: &ProcedureDescription,
    params: String,
) -> Result<String, Failure> {
    let Ok(Json::Object(members)) = params.parse::<Json>() else {
        return Ok(params);
    };
    if takes_names(procedure) {
        return Ok(params);
    }
    let list = positioned(procedure, &members).ok_or_else(|| {
        Failure::usage(format_args!(
            "`{}` takes its parameters by position, so none can be left out before others",
            procedure.name
        ))
    })?;
    Ok(list.to_string())
}
