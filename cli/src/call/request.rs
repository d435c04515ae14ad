//! The parameters of calls, as a described service reads them.
//!
//! `docent call` (before it sends anything), the mock and the check of live services read them with
//! the binding of `docent-core`, as a service of Docent does. A query and the data of a fault come in; JSON goes out.

use docent_core::{Argument, Arguments, Fault};
use docent_describe::json::Json;

/// Returns the data of an error that binding has made.
pub(crate) fn fault_data(fault: &Fault) -> Option<Json> {
    fault.data()?.parse().ok()
}

/// Returns the parameters that a service reads from a query.
pub(crate) fn query_params(
    arguments: &Arguments,
    query: &[(String, String)],
) -> Result<Json, Fault> {
    let pairs = query
        .iter()
        .map(|(name, text)| (name.as_str(), Argument::Text(text)));
    // The binding writes JSON, so it can be parsed.
    Ok(arguments.params(pairs)?.parse().unwrap_or_default())
}
