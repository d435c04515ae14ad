//! The parameters of calls, as a described service reads them.
//!
//! The mock and the check of live services read parameters in the same way, with the binding of
//! `docent-core`.

use docent_core::{Argument, Arguments, Fault};
use docent_describe::json::Json;

/// Returns the data of an error that binding has made.
pub(crate) fn fault_data(fault: &Fault) -> Option<Json> {
    fault.data()?.parse().ok()
}

/// Returns the parameters that a service reads from a query.
pub(crate) fn read(arguments: &Arguments, query: &[(String, String)]) -> Result<Json, Fault> {
    let pairs = query
        .iter()
        .map(|(name, text)| (name.as_str(), Argument::Text(text)));
    // The parameters are JSON.
    let params = arguments.params(pairs)?;
    Ok(params.parse().unwrap_or_default())
}
