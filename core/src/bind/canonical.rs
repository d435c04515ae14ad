//! A canonical text of parameters: the same for all ways to write them.
//!
//! The fingerprint of a call with a key is taken from it: a caller may write the same call in
//! another way when it repeats it.

use docent_describe::json::{Json, Object};

use super::plan::{ParamStructure, Plan};
use super::{Params, container};

/// Returns the parameters by name, sorted, without white space, and with their numbers as
/// written. Members of objects are sorted, too. Names that no parameter has are left out if they are ignored,
/// and stay as they are otherwise.
pub(crate) fn canonical(params: Params<'_>, plan: &Plan) -> String {
    let text = container(params, plan);
    let mut names = plan.parameters.iter().map(|known| &*known.name);
    let by_name: Object = match text.parse() {
        Ok(Json::Object(members)) => members
            .into_iter()
            .filter_map(|(name, value)| match plan.find(name.as_str()) {
                Some((_, known)) => Some(((&*known.name).into(), value)),
                None => (!plan.ignores_unknown).then_some((name, value)),
            })
            .collect(),
        Ok(list) if plan.passing == ParamStructure::List => {
            names.map(|name| (name, list.clone())).collect()
        }
        Ok(Json::Array(values)) => values
            .into_iter()
            .map(|value| (names.next().unwrap_or_default(), value))
            .collect(),
        // The nesting is too deep for a tree.
        _ => return text.to_owned(),
    };
    let mut params = Json::Object(by_name);
    params.sort_members();
    params.to_string()
}
