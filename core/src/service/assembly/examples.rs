//! Examples are calls that work: their parameters decode, and their results are what the
//! description says.

use docent_describe::json::Json;

use super::Findings;
use super::enforce::Enforcer;
use crate::bind::Params;
use crate::service::Entry;

pub(super) fn check(entry: &Entry, enforcer: &mut Enforcer<'_>, findings: &mut Findings) {
    let description = &entry.description;
    let name = &description.name;
    for (index, example) in description.examples.iter().enumerate() {
        let number = index + 1;
        if let Err(reason) = check_params(entry, example.params.as_ref()) {
            findings.mistake(
                name,
                format_args!("the params of example {number}: {reason}"),
            );
        }
        let returns = description.returns.as_ref();
        if let (Some(result), Some(returns)) = (&example.result, returns)
            && let Err(reason) = enforcer.matches(&returns.schema, result)
        {
            findings.mistake(
                name,
                format_args!(
                    "the result of example {number} is not what the procedure returns: {reason}"
                ),
            );
        }
    }
    for param in &description.params {
        if let Some(default) = &param.default
            && let Err(reason) = enforcer.matches(&param.schema, default)
        {
            let param = &param.name;
            findings.mistake(
                name,
                format_args!("the default of `{param}` breaks its own rules: {reason}"),
            );
        }
    }
}

fn check_params(entry: &Entry, params: Option<&Json>) -> Result<(), String> {
    let text = params.map(Json::to_string).unwrap_or_default();
    let params = match params {
        None => Params::Absent,
        Some(Json::Array(_)) => Params::Array(&text),
        Some(Json::Object(_)) => Params::Object(&text),
        Some(other) => {
            return Err(format!(
                "an array or an object is needed, not {}",
                other.kind()
            ));
        }
    };
    entry
        .handler
        .accepts(&entry.plan, params)
        .map_err(|error| error.to_string())
}
