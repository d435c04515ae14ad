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
    let mut by_name = Object::new();
    match text.parse() {
        Ok(Json::Object(members)) => {
            for (name, value) in members {
                if let Some((_, parameter)) = plan.find(name.as_str()) {
                    by_name.insert(&*parameter.name, value);
                } else if !plan.ignores_unknown {
                    by_name.insert(name, value);
                }
            }
        }
        Ok(list) if plan.passing == ParamStructure::List => {
            for parameter in &plan.parameters {
                by_name.insert(&*parameter.name, list.clone());
            }
        }
        Ok(Json::Array(values)) => {
            let mut parameters = plan.parameters.iter();
            for value in values {
                // A value without a parameter is an error, so its name does not matter.
                let name = parameters.next().map_or("", |parameter| &*parameter.name);
                by_name.insert(name, value);
            }
        }
        // The nesting is too deep for a tree.
        _ => return text.to_owned(),
    }
    let mut params = Json::Object(by_name);
    params.sort_members();
    params.to_string()
}
