//! The address of a service, from the servers of its document.
//!
//! The model has one address, and a document a list of servers with variables. What the address leaves out is kept as
//! an extension, so that it is written again.

use crate::read::fields::{MemberReader, wrong};
use docent_describe::ServiceDescription;
use docent_describe::json::Json;
use docent_describe::openrpc::SERVERS;

/// Returns the URL of the first server, with the defaults of its variables filled in.
///
/// The model has only one address. If the servers have more members than that, they are kept as an
/// extension of `service`.
pub(super) fn address(
    fields: &mut MemberReader<'_>,
    service: &mut ServiceDescription,
) -> Option<String> {
    let at = fields.at.inside("servers");
    let servers = fields.present("servers")?;
    let Json::Array(list) = &servers else {
        return wrong(&at, "an array", &servers);
    };
    let first = list.first()?;
    let url = first.get_str("url");
    if url.is_none() {
        at.inside(0).warn("a server without a `url`");
    }
    let address = url.map(|url| filled_in(url, first.get("variables")));
    if list.len() > 1 || says_more(first, &service.name) {
        service.extensions.insert(SERVERS, servers);
    }
    address.filter(|address| !address.is_empty())
}

/// Returns whether a server has more than its URL, and a name of its own.
fn says_more(server: &Json, service_name: &str) -> bool {
    server
        .as_object()
        .into_iter()
        .flatten()
        .any(|(name, value)| match name.as_str() {
            "url" => false,
            // Docent writes the service's name or `default` if a server has no name.
            "name" => {
                !matches!(value.as_str(), Some(name) if name == service_name || name == "default")
            }
            _ => true,
        })
}

/// Fills in the defaults of a URL's variables, which are written `${name}`, or `{name}` as in
/// OpenAPI.
fn filled_in(url: &str, variables: Option<&Json>) -> String {
    let mut result = url.to_owned();
    for (name, variable) in variables.and_then(Json::as_object).into_iter().flatten() {
        if let Some(default) = variable.get_str("default") {
            result = result
                .replace(&format!("${{{name}}}"), default)
                .replace(&format!("{{{name}}}"), default);
        }
    }
    result
}
