//! Requests the description of a live service, in each way that services offer one.
//!
//! The ways are tried in order, and the reasons for which each has failed are reported together: a wrong
//! address is the most frequent mistake, and only all responses together show it.

use std::sync::Arc;

use docent_describe::json::Json;
use docent_tools::read::{ReadError, read};
use docent_tools::request::message;
use reqwest::header::LINK;
use url::Url;

use crate::exec::is_command;
use crate::failure::{Failure, Kind};
use crate::http::{Exchange, HttpResponse, is_socket, without_secrets};
use crate::mcp::McpSession;
use docent_tools::locate::spans;

/// The text that was fetched from an input.
#[derive(Clone, Default)]
pub(crate) struct Fetched {
    pub(crate) bytes: Vec<u8>,
    /// The way that worked for a live service.
    pub(crate) way: Option<DescribeWay>,
    /// The address for calls to a live service.
    pub(crate) address: Option<String>,
    /// The URL at which a service described itself: the one that was typed, or one that its host lists.
    pub(crate) service: Option<Url>,
    /// The session with a server of MCP.
    pub(crate) session: Option<Arc<McpSession>>,
}

impl From<Vec<u8>> for Fetched {
    fn from(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            ..Self::default()
        }
    }
}

/// A way to request a description from a live service.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DescribeWay {
    /// POST a call of this procedure, in JSON-RPC 2.0 or 1.1.
    Call {
        procedure: &'static str,
        is_1_1: bool,
    },
    /// List what a server of MCP offers.
    Mcp,
    /// GET the URL as it is.
    Get,
}

impl DescribeWay {
    /// Returns the way that calls a procedure in JSON-RPC 2.0.
    const fn call(procedure: &'static str) -> Self {
        let is_1_1 = false;
        Self::Call { procedure, is_1_1 }
    }
}

/// The maximum number of descriptions that are tried of those that a response links to.
const MAX_LINKS: usize = 5;

/// The ways in the order in which they are tried, those with the most detail first.
///
/// Services that know only 1.1 or 1.0 reject a 2.0 message, and the other way round, so
/// `system.describe` is called in both versions.
const DESCRIBE_WAYS: [DescribeWay; 6] = [
    DescribeWay::call("rpc.describe"),
    DescribeWay::call("rpc.discover"),
    DescribeWay::Call {
        procedure: "system.describe",
        is_1_1: true,
    },
    DescribeWay::call("system.describe"),
    // A GET would wait for notifications there.
    DescribeWay::Mcp,
    DescribeWay::Get,
];

/// The ways for commands, of which most are servers of MCP.
const COMMAND_WAYS: [DescribeWay; 3] = [
    DescribeWay::Mcp,
    DescribeWay::call("rpc.describe"),
    DescribeWay::call("rpc.discover"),
];

/// The ways for WebSockets.
const SOCKET_WAYS: [DescribeWay; 2] = [
    DescribeWay::call("rpc.describe"),
    DescribeWay::call("rpc.discover"),
];

docent_describe::display!(DescribeWay, |way| match way {
    DescribeWay::Call { procedure, .. } => *procedure,
    DescribeWay::Mcp => "MCP",
    DescribeWay::Get => "GET",
});

/// A description, or the reason for which a response is none. Another way may work then.
type FetchAttempt = Result<Fetched, String>;

/// Finds the service in the catalogue of the host (RFC 9727), unless it is the URL that was typed.
fn listed_service(exchange: &Exchange) -> Result<Option<Exchange>, Failure> {
    let typed = &exchange.typed;
    let Ok(catalogue) = typed.join("/.well-known/api-catalog") else {
        return Ok(None);
    };
    let Ok(response) = exchange.at(catalogue).ask(None) else {
        return Ok(None);
    };
    let document: Json = response
        .json_text()
        .unwrap_or_default()
        .parse()
        .unwrap_or_default();
    let services: Vec<Url> = document
        .get("linkset")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .filter(|link| link.get("service-desc").is_some())
        .filter_map(|link| response.url.join(link.get_str("anchor")?).ok())
        // Credentials are for the origin that was typed.
        .filter(|url| url.origin() == typed.origin() && url.path() != typed.path())
        .collect();
    match &*services {
        [] => Ok(None),
        [service] => Ok(Some(exchange.at(service.clone()))),
        several => {
            let display_name = without_secrets(typed);
            let services: Vec<&str> = several.iter().map(Url::as_str).collect();
            Err(Failure::no_description(format_args!(
                "{display_name}: this host has several services: {}",
                services.join(", ")
            )))
        }
    }
}

/// Returns the URLs of descriptions that a response links to as `service-desc` (RFC 8631), in its header
/// fields and in its page.
fn description_links(response: &HttpResponse) -> Vec<Url> {
    let fields = response
        .headers
        .get_all(LINK)
        .iter()
        .filter_map(|field| field.to_str().ok())
        .flat_map(|field| field.split('<').filter_map(|link| link.split_once('>')));
    let page = String::from_utf8_lossy(&response.body);
    let tags = page
        .split("<link")
        .skip(1)
        .take_while(|_| response.is_page())
        .filter_map(link_of_tag);
    fields
        .chain(tags)
        .filter(|(_, attributes)| attributes.contains("service-desc"))
        .filter_map(|(url, _)| response.url.join(&url.replace("&amp;", "&")).ok())
        .take(MAX_LINKS)
        .collect()
}

/// Returns the URL and the attributes of a tag, from the text after its name.
fn link_of_tag(after_name: &str) -> Option<(&str, &str)> {
    let (attributes, _) = after_name.split_once('>')?;
    let (_, href) = attributes.split_once("href=")?;
    let url = href.trim_start_matches(['"', '\'']);
    Some((url.split(['"', '\'', ' ']).next()?, attributes))
}

/// Requests a description, by one way if it is known, otherwise by each until one works. If none does, asks
/// the service that the catalogue of the host lists, then for the descriptions that the response links to.
pub(crate) fn ask(exchange: &Exchange, way: Option<DescribeWay>) -> Result<Fetched, Failure> {
    let url = &exchange.typed;
    let mut reasons = Vec::new();
    let mut can_post = true;
    let mut all_missed = true;
    let mut linked = Vec::new();
    let ways = match &way {
        Some(way) => std::slice::from_ref(way),
        None if is_command(url) => &COMMAND_WAYS,
        None if is_socket(url) => &SOCKET_WAYS,
        None => &DESCRIBE_WAYS,
    };
    let wanted = way;
    for way in ways.iter().copied() {
        let posted = match way {
            DescribeWay::Call { .. } | DescribeWay::Mcp if !can_post => continue,
            DescribeWay::Mcp => match list_mcp(exchange) {
                // A command that has ended, or is silent, answers nothing else either.
                Err(failure) if is_command(url) && failure.kind != Kind::NoDescription => {
                    return Err(failure);
                }
                Err(failure) if wanted.is_none() => {
                    let text = failure.messages.join(" ");
                    let display_name = format!("{}: ", without_secrets(url));
                    let reason = text.strip_prefix(&display_name).unwrap_or(&text);
                    reasons.push(format!("  {way}: {reason}"));
                    continue;
                }
                found => return found,
            },
            DescribeWay::Call { procedure, is_1_1 } => {
                let params = (procedure != "rpc.describe").then_some("[]");
                Some(message(procedure, params, Some("1"), is_1_1))
            }
            DescribeWay::Get => None,
        };
        let response = exchange.ask(posted.as_deref())?;
        let is_elsewhere = is_elsewhere(&response);
        all_missed &= is_elsewhere;
        can_post &= !is_elsewhere;
        if way == DescribeWay::Get {
            linked = description_links(&response);
        }
        match read_description(way, response)? {
            Ok(mut fetched) => {
                if is_command(url) {
                    // A page cannot start it.
                    fetched.address = None;
                }
                fetched.service = (way != DescribeWay::Get).then(|| url.clone());
                return Ok(fetched);
            }
            Err(reason) => reasons.push(format!("  {way}: {reason}")),
        }
    }
    if wanted.is_none() {
        if let Some(listed) = listed_service(exchange)? {
            return ask(&listed, None);
        }
        // Credentials are for the origin that was typed.
        linked.retain(|link| link.origin() == url.origin());
        for link in linked {
            if let Ok(fetched) = ask(&exchange.at(link), Some(DescribeWay::Get)) {
                return Ok(fetched);
            }
        }
    }
    reasons.dedup();
    let advice = if all_missed { advice(url) } else { "" };
    Err(Failure::no_description(format_args!(
        "{}: no service description found\n{}{advice}",
        without_secrets(url),
        reasons.join("\n")
    )))
}

/// Returns advice for a URL at which nothing answers in JSON, so that its path may be wrong.
fn advice(url: &Url) -> &'static str {
    if url.path() == "/" {
        "\nIs this the whole address? Many services are at a path such as /rpc."
    } else {
        "\nIs this the address of the service? Check the path."
    }
}

/// Opens a session with a server of MCP, and lists what it offers.
fn list_mcp(exchange: &Exchange) -> Result<Fetched, Failure> {
    let session = McpSession::open(exchange)?;
    Ok(Fetched {
        bytes: session.document(exchange)?.to_string().into_bytes(),
        way: Some(DescribeWay::Mcp),
        // A page cannot begin a session.
        address: None,
        service: Some(exchange.typed.clone()),
        session: Some(Arc::new(session)),
    })
}

/// Reads a response. Fails if no other way would work either.
fn read_description(way: DescribeWay, response: HttpResponse) -> Result<FetchAttempt, Failure> {
    let text = std::str::from_utf8(&response.body).unwrap_or_default();
    let (bytes, address) = match (way, text.parse::<Json>()) {
        (DescribeWay::Call { .. }, Ok(json)) if has_result(&json) => {
            let result = spans(text, &["/result"]).remove("/result");
            let bytes = response.body[result.unwrap_or_default()].to_vec();
            (bytes, Some(without_secrets(&response.url).to_string()))
        }
        (DescribeWay::Get, Ok(_)) if response.status.is_success() => (response.body, None),
        // A 1.1 service responds to an error with 500, and the body says what is wrong.
        (DescribeWay::Call { .. }, Ok(json)) if json.get("error").is_some() => {
            return Ok(Err(
                error_text(&json).unwrap_or_else(|| format!("HTTP {}", response.status.as_u16()))
            ));
        }
        _ => return reason_of_status(way, &response).map(Err),
    };
    if let Err(error) = read(&bytes) {
        return Ok(Err(error.to_string()));
    }
    Ok(Ok(Fetched {
        bytes,
        way: Some(way),
        address,
        ..Fetched::default()
    }))
}

fn has_result(response: &Json) -> bool {
    response
        .get("result")
        .is_some_and(|result| *result != Json::Null)
}

/// Returns why a response without a readable body is not a description. Fails if no other way would work
/// either.
fn reason_of_status(way: DescribeWay, response: &HttpResponse) -> Result<String, Failure> {
    let status = response.status;
    let reason = match status.as_u16() {
        200..300 if response.is_page() => {
            return Ok("the response is a web page, not JSON".to_owned());
        }
        200..300 if way == DescribeWay::Get => {
            return Ok(match read(&response.body) {
                Err(known @ ReadError::NoDescription { .. }) => known.to_string(),
                _ => "the response is not JSON".to_owned(),
            });
        }
        200..300 => return Ok("the response is not JSON-RPC".to_owned()),
        401 | 403 => return Err(Failure::no_description(response.missing_credentials())),
        429 | 502..=504 => format!("HTTP {status}"),
        // Web servers that speak TLS on this port respond like this.
        400 if response.url.scheme() == "http" && mentions_tls(&response.body) => {
            "the server expects TLS on this port; did you mean https?".to_owned()
        }
        407 => "the proxy requires credentials (--proxy http://user:password@…)".to_owned(),
        _ => return Ok(format!("HTTP {status}")),
    };
    let display_name = without_secrets(&response.url);
    Err(Failure::system(format_args!("{display_name}: {reason}")))
}

/// Returns whether a response shows that there is no service here: a web page, or nothing.
fn is_elsewhere(response: &HttpResponse) -> bool {
    let is_nothing = matches!(response.status.as_u16(), 404 | 405 | 501);
    (response.is_page() || is_nothing) && response.json_text().is_err()
}

/// Returns whether a body speaks of TLS, as those of web servers do that were asked without it.
fn mentions_tls(body: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&body[..body.len().min(2000)]).to_ascii_lowercase();
    start.contains("https") || start.contains("tls") || start.contains("ssl")
}

/// Returns the code and the message of an error in a response.
fn error_text(response: &Json) -> Option<String> {
    let error = response
        .get("error")
        .filter(|error| **error != Json::Null)?;
    let mut text = String::new();
    if let Some(code) = error.get("code") {
        text = format!("{code} ");
    }
    text.push_str(
        error
            .get_str("message")
            .unwrap_or("an error without a message"),
    );
    let reason = error.get("data").and_then(|data| data.get("reason"));
    if let Some(reason) = reason.and_then(Json::as_str) {
        text.extend([": ", reason]);
    }
    Some(text)
}
