//! The messages of calls, and their URLs.
//!
//! A query has names and texts, and no types. So a call is sent by GET only if the service reads the same parameters
//! from its query.

use docent_describe::ProcedureDescription;
use docent_describe::json::{Json, Object, push_quoted};
use url::Url;
use url::form_urlencoded::Serializer;

use crate::params::is_list;

/// Returns the message of a call in JSON-RPC 2.0 or 1.1. Without an id, it is a notification.
pub fn message(procedure: &str, params: Option<&str>, id: Option<&str>, is_1_1: bool) -> String {
    let (member, version) = if is_1_1 {
        ("version", "1.1")
    } else {
        ("jsonrpc", "2.0")
    };
    let mut message = format!(r#"{{"{member}":"{version}","method":"#);
    push_quoted(&mut message, procedure);
    if let Some(params) = params {
        message.push_str(r#","params":"#);
        message.push_str(params);
    }
    if let Some(id) = id {
        message.push_str(r#","id":"#);
        message.push_str(id);
    }
    message.push('}');
    message
}

/// Returns a URL without the parts that are not sent as part of it.
pub fn bare(url: &Url) -> Url {
    let mut url = url.clone();
    // A URL with a host, as every http URL has, can lose its user name.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    url
}

/// Returns a URL without the parts that must not be shown or stored: user names, passwords, queries
/// (which may contain tokens) and fragments.
pub fn without_secrets(url: &Url) -> Url {
    let mut url = bare(url);
    url.set_query(None);
    url
}

/// Returns the URL of a procedure: the one segment after the service's address.
pub fn below(address: &Url, procedure: &str) -> Url {
    let mut url = address.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().push(procedure);
    }
    url
}

/// Returns the address of a call by GET (JSON-RPC 1.1, section 6.3). `reads` returns the parameters that
/// the service reads from a query.
///
/// # Errors
/// Explains why a query cannot carry the parameters.
pub fn query(
    address: &Url,
    procedure: &ProcedureDescription,
    params: Option<&str>,
    reads: impl Fn(&[(String, String)]) -> Option<Json>,
) -> Result<Url, String> {
    let mut url = below(address, &procedure.name);
    let given = params.and_then(|params| params.parse().ok());
    let params = by_name(procedure, given.unwrap_or(Json::Object(Object::new())));
    let pairs = pairs(&params)?;
    // The service must read the same parameters from the query.
    if reads(&pairs).map(|read| by_name(procedure, read)) != Some(params) {
        let reason =
            "these parameters cannot be sent by GET as they are: text cannot tell them from others";
        return Err(reason.to_owned());
    }
    if !pairs.is_empty() {
        // The address of a service may have a query of its own.
        let own_query = url.query().unwrap_or_default().to_owned();
        let query = Serializer::new(own_query).extend_pairs(pairs).finish();
        url.set_query(Some(&query));
    }
    Ok(url)
}

/// Returns parameters under their own names, without unknown ones that are ignored. A list of any length stays a list.
fn by_name(procedure: &ProcedureDescription, params: Json) -> Json {
    match procedure.named_params(Some(&params)) {
        Some(members) if is_list(procedure) => members
            .values()
            .next()
            .cloned()
            .unwrap_or(Json::Array(Vec::new())),
        Some(members) => Json::Object(members),
        None => params,
    }
}

/// Returns the names and values of a query.
fn pairs(params: &Json) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    match params {
        Json::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                add(&mut pairs, &at.to_string(), std::slice::from_ref(value))?;
            }
        }
        Json::Object(members) => {
            for (name, value) in members {
                let values = value.as_array().unwrap_or(std::slice::from_ref(value));
                add(&mut pairs, name.as_str(), values)?;
            }
        }
        _ => {}
    }
    Ok(pairs)
}

/// Adds a name with each of its values.
fn add(pairs: &mut Vec<(String, String)>, name: &str, values: &[Json]) -> Result<(), String> {
    match values.iter().map(text).collect::<Option<Vec<String>>>() {
        Some(texts) if !texts.is_empty() => {
            pairs.extend(texts.into_iter().map(|text| (name.to_owned(), text)));
            Ok(())
        }
        _ => Err(format!(
            "{name}: an empty array, an object or an array in an array cannot be sent by GET"
        )),
    }
}

/// Returns the text of a value in a query, unless it has parts.
fn text(value: &Json) -> Option<String> {
    match value {
        Json::Array(_) | Json::Object(_) => None,
        Json::Null => Some(String::new()),
        Json::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::below;

    #[test]
    fn a_procedure_is_one_segment() {
        for (address, procedure, expected) in [
            (
                "http://a/rpc?key=x",
                "book.find",
                "http://a/rpc/book.find?key=x",
            ),
            (
                "http://a/",
                "a/b?c#d%e é",
                "http://a/a%2Fb%3Fc%23d%25e%20%C3%A9",
            ),
            ("http://a", "x", "http://a/x"),
        ] {
            let url = below(&address.parse().expect(address), procedure);
            assert_eq!(url.as_str(), expected);
        }
    }
}
