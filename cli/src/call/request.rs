//! The messages of calls.

use docent_core::Arguments;
use docent_describe::json::{Json, Object, push_quoted};
use docent_describe::{ParamDescription, ProcedureDescription};
use url::Url;
use url::form_urlencoded::Serializer;

use crate::failure::Failure;
use crate::http::below;

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

/// Returns named parameters as a list if the procedure takes them by position only, which documents
/// of OpenRPC can say.
pub(super) fn positioned(
    procedure: &ProcedureDescription,
    params: String,
) -> Result<String, Failure> {
    let structure = procedure.extensions.get("$paramStructure");
    if structure.and_then(Json::as_str) != Some("by-position") {
        return Ok(params);
    }
    let Ok(Json::Object(members)) = params.parse::<Json>() else {
        return Ok(params);
    };
    let named = procedure.params.iter();
    let values: Vec<Json> = named
        .map_while(|param| members.get(&param.name).cloned())
        .collect();
    if values.len() < members.len() {
        let missing = procedure.params.get(values.len());
        let missing = missing.map_or("", |param| param.name.as_str());
        return Err(Failure::usage(format_args!(
            "`{}` takes its parameters by position, so `{missing}` cannot be left out before others",
            procedure.name
        )));
    }
    Ok(Json::Array(values).to_string())
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
    let pairs = pairs(procedure, &params)?;
    let sent = pairs.iter().map(|(name, text)| {
        let argument = docent_core::Argument::Text(text);
        (name.as_str(), argument)
    });
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
/// out.
fn by_name(procedure: &ProcedureDescription, params: Json) -> Json {
    let params = match params {
        Json::Array(values) if !is_list(procedure) => {
            let names = procedure.params.iter().map(|param| param.name.as_str());
            Json::Object(names.zip(values).collect())
        }
        Json::Object(members) if is_list(procedure) => members
            .iter()
            .next()
            .map_or(Json::Array(Vec::new()), |(_, list)| list.clone()),
        other => other,
    };
    let Json::Object(members) = params else {
        return params;
    };
    let mut named = Object::new();
    for (name, value) in &members {
        let param = find(procedure, name);
        let nothing = param.is_some_and(|param| {
            !param.required && matches!(param.default, None | Some(Json::Null))
        });
        if *value != Json::Null || !nothing {
            let name = param.map_or(name.as_str(), |param| param.name.as_str());
            named.insert(name, value.clone());
        }
    }
    Json::Object(named)
}

fn is_list(procedure: &ProcedureDescription) -> bool {
    matches!(&*procedure.params, [list] if list.variadic)
}

fn find<'p>(procedure: &'p ProcedureDescription, name: &str) -> Option<&'p ParamDescription> {
    let is_named = |param: &&ParamDescription| {
        param.name == name || param.aliases.iter().any(|alias| alias.name == name)
    };
    procedure.params.iter().find(is_named)
}

/// Returns the names and values of a query.
fn pairs(
    procedure: &ProcedureDescription,
    params: &Json,
) -> Result<Vec<(String, String)>, Failure> {
    let mut pairs = Vec::new();
    match params {
        Json::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                let name = index.to_string();
                pairs.push((name.clone(), text(value).ok_or_else(|| not_text(&name))?));
            }
        }
        Json::Object(members) => {
            for (name, value) in members {
                let values = match value {
                    Json::Array(values) => values.as_slice(),
                    value => std::slice::from_ref(value),
                };
                if values.is_empty() {
                    return Err(not_text(name));
                }
                for value in values {
                    let text = text(value).ok_or_else(|| not_text(name))?;
                    pairs.push((name.as_str().to_owned(), text));
                }
            }
        }
        _ => {
            return Err(Failure::usage(format_args!(
                "`{}` takes an array or an object",
                procedure.name
            )));
        }
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

fn not_text(name: &str) -> Failure {
    Failure::usage(format_args!(
        "{name}: an empty array, an object or an array in an array cannot be sent by GET; leave --get out"
    ))
}
