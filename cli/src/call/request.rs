//! The messages of calls.

use docent_core::{Argument, Arguments, Fault};
use docent_describe::ProcedureDescription;
use docent_describe::json::{Json, Object, push_quoted};
use url::Url;
use url::form_urlencoded::Serializer;

use crate::failure::Failure;
use crate::http::below;
use docent_tools::params::{is_called, is_list, named, positioned, takes_names};

/// Returns the message of a call in JSON-RPC 2.0 or 1.1. Without an id, it is a notification.
pub(crate) fn message(
    procedure: &str,
    params: Option<&str>,
    id: Option<&str>,
    is_1_1: bool,
) -> String {
    let mut message = String::from(if is_1_1 {
        r#"{"version":"1.1","method":"#
    } else {
        r#"{"jsonrpc":"2.0","method":"#
    });
    push_quoted(&mut message, procedure);
    if let Some(params) = params {
        message.push_str(",\"params\":");
        message.push_str(params);
    }
    if let Some(id) = id {
        message.push_str(",\"id\":");
        message.push_str(id);
    }
    message.push('}');
    message
}

/// Returns the data of a refusal.
pub(crate) fn fault_data(fault: &Fault) -> Option<Json> {
    fault.data()?.parse().ok()
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

/// Returns the address of a call by GET (JSON-RPC 1.1, section 6.3).
pub(crate) fn query(
    address: &Url,
    procedure: &ProcedureDescription,
    arguments: &Arguments,
    params: Option<&str>,
) -> Result<Url, Failure> {
    let mut url = below(address, &procedure.name);
    let params = params.and_then(|it| it.parse().ok());
    let params = by_name(procedure, params.unwrap_or(Json::Object(Object::new())));
    let pairs = pairs(&params)?;
    let sent = pairs
        .iter()
        .map(|(name, text)| (name.as_str(), Argument::Text(text)));
    // The service must read the same parameters from the query.
    let made = arguments.params(sent).ok().and_then(|it| it.parse().ok());
    if made.map(|made| by_name(procedure, made)) != Some(params) {
        return Err(Failure::usage(
            "these parameters cannot be sent by GET as they are: text cannot tell them from others; \
             leave --get out",
        ));
    }
    if !pairs.is_empty() {
        let kept = url.query().unwrap_or_default().to_owned();
        let query = Serializer::new(kept).extend_pairs(pairs).finish();
        url.set_query(Some(&query));
    }
    Ok(url)
}

/// Returns parameters under their own names, without nulls that mean the same as leaving the parameter
/// out. A list of any length stays a list.
fn by_name(procedure: &ProcedureDescription, params: Json) -> Json {
    let Some(members) = named(procedure, &params) else {
        return params;
    };
    if is_list(procedure) {
        let list = members.values().next().cloned();
        return list.unwrap_or(Json::Array(Vec::new()));
    }
    let mut kept = Object::new();
    for (name, value) in &members {
        let mut described = procedure.params.iter();
        let param = described.find(|param| is_called(param, name.as_str()));
        let is_nothing = param.is_some_and(|param| {
            !param.required && matches!(param.default, None | Some(Json::Null))
        });
        if *value != Json::Null || !is_nothing {
            let name = param.map_or(name.as_str(), |param| param.name.as_str());
            kept.insert(name, value.clone());
        }
    }
    Json::Object(kept)
}

/// Returns the names and values of a query.
fn pairs(params: &Json) -> Result<Vec<(String, String)>, Failure> {
    let members: Vec<(String, &[Json])> = match params {
        Json::Array(values) => {
            let values = values.iter().map(std::slice::from_ref).enumerate();
            values.map(|(at, value)| (at.to_string(), value)).collect()
        }
        Json::Object(members) => {
            let each = |value| Json::as_array(value).unwrap_or(std::slice::from_ref(value));
            let members = members.iter();
            members
                .map(|(name, value)| (name.to_string(), each(value)))
                .collect()
        }
        _ => Vec::new(),
    };
    let mut pairs = Vec::new();
    for (name, values) in members {
        let texts: Option<Vec<String>> = values.iter().map(text).collect();
        let texts = texts.filter(|texts| !texts.is_empty()).ok_or_else(|| {
            Failure::usage(format_args!(
                "{name}: an empty array, an object or an array in an array cannot be sent by GET; \
                 leave --get out"
            ))
        })?;
        pairs.extend(texts.into_iter().map(|text| (name.clone(), text)));
    }
    Ok(pairs)
}

fn text(value: &Json) -> Option<String> {
    match value {
        Json::Array(_) | Json::Object(_) => None,
        Json::Null => Some(String::new()),
        Json::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
