//! Requests the description of a live service.

use docent_describe::json::Json;
use docent_describe::read::read;
use reqwest::header::{ETAG, HeaderValue, IF_NONE_MATCH};
use url::Url;

use super::locate;
use super::way::{WAYS, Way};
use crate::cache::{Cache, Entry};
use crate::failure::{Failure, Kind};
use crate::http::{Answer, Exchange, Request, below, without_secrets};

/// The text that was fetched from an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fetched {
    pub(crate) bytes: Vec<u8>,
    /// The way that worked for a live service.
    pub(crate) way: Option<Way>,
    /// The address for calls to a live service.
    pub(crate) address: Option<String>,
}

/// The reason for which a response is not a description.
enum Refusal {
    /// Another way may work.
    Other(String),
    /// The URL does not accept POST.
    NoPost(String),
    /// No other way would work either.
    Final(Failure),
}

/// Requests a description with the help of the cache: a service that sends the version of its
/// description does not have to send it again.
pub(super) fn ask_again(exchange: &Exchange, url: &Url, cache: &Cache) -> Result<Fetched, Failure> {
    let key = exchange.identity();
    let known = cache.get(&key);
    let way = known.as_ref().map(|entry| entry.way);
    if way.is_none_or(|way| way == Way::Query) {
        let etag = known.as_ref().and_then(|entry| entry.etag.as_deref());
        let headers = etag.and_then(|etag| HeaderValue::try_from(etag).ok());
        let answer = exchange.send(&Request {
            url: &below(url, "rpc.describe"),
            body: None,
            headers: headers
                .map(|etag| (IF_NONE_MATCH, etag))
                .into_iter()
                .collect(),
        })?;
        match known {
            Some(entry) if answer.status.as_u16() == 304 => return Ok(entry.into()),
            _ => {}
        }
        let etag = answer.headers.get(ETAG).and_then(|it| it.to_str().ok());
        let etag = etag.map(str::to_owned);
        let at = without_secrets(url).to_string();
        // Read it as a response to a call, with the description as its result.
        if let Ok(mut fetched) = judge(WAYS[0], answer) {
            fetched.way = Some(Way::Query);
            fetched.address = Some(at);
            keep(cache, &key, &fetched, etag);
            return Ok(fetched);
        }
    }
    let fetched = match ask(exchange, url, way.filter(|way| *way != Way::Query)) {
        Err(failure) if way.is_some() && failure.kind == Kind::NoDescription => {
            ask(exchange, url, None)?
        }
        other => other?,
    };
    keep(cache, &key, &fetched, None);
    Ok(fetched)
}

fn keep(cache: &Cache, key: &str, fetched: &Fetched, etag: Option<String>) {
    if let Some(way) = fetched.way {
        let entry = Entry {
            way,
            etag,
            address: fetched.address.clone(),
            bytes: fetched.bytes.clone(),
        };
        cache.put(key, &entry);
    }
}

impl From<Entry> for Fetched {
    fn from(entry: Entry) -> Self {
        Self {
            bytes: entry.bytes,
            way: Some(entry.way),
            address: entry.address,
        }
    }
}

/// Requests a description, by one way if it is known, otherwise by each until one works.
pub(super) fn ask(exchange: &Exchange, url: &Url, way: Option<Way>) -> Result<Fetched, Failure> {
    let shown = without_secrets(url);
    let mut refusals = Vec::new();
    let mut can_post = true;
    let mut all_missed = true;
    for way in WAYS
        .into_iter()
        .filter(|known| way.is_none_or(|way| way == *known))
    {
        let message = match way {
            Way::Call(..) if !can_post => continue,
            Way::Call(_, message) => Some(message),
            Way::Get | Way::Query => None,
        };
        let answer = exchange.ask(message)?;
        all_missed &= is_elsewhere(&answer);
        match judge(way, answer) {
            Ok(fetched) => return Ok(fetched),
            Err(Refusal::Final(failure)) => return Err(failure),
            Err(Refusal::NoPost(reason)) => {
                can_post = false;
                refusals.push(format!("  {way}: {reason}"));
            }
            Err(Refusal::Other(reason)) => refusals.push(format!("  {way}: {reason}")),
        }
    }
    refusals.dedup();
    // Nothing there answers in JSON, so the path may be wrong.
    let advice = if all_missed && url.path() == "/" {
        "\nIs this the whole address? Many services are at a path such as /rpc."
    } else if all_missed {
        "\nIs this the address of the service? Check the path."
    } else {
        ""
    };
    Err(Failure::no_description(format_args!(
        "{shown}: no service description found\n{}{advice}",
        refusals.join("\n")
    )))
}

fn judge(way: Way, answer: Answer) -> Result<Fetched, Refusal> {
    let status = answer.status.as_u16();
    let text = std::str::from_utf8(&answer.body).ok();
    let json = text.and_then(|text| Some((text, text.parse::<Json>().ok()?)));
    match (way, json) {
        (Way::Call(..), Some((text, json)))
            if json
                .get("result")
                .is_some_and(|result| *result != Json::Null) =>
        {
            let result = locate::spans(text, &["/result"])
                .remove("/result")
                .unwrap_or_default();
            let bytes = &answer.body[result];
            read(bytes).map_err(|error| Refusal::Other(error.to_string()))?;
            let (bytes, address) = (
                bytes.to_vec(),
                Some(without_secrets(&answer.url).to_string()),
            );
            Ok(Fetched {
                bytes,
                way: Some(way),
                address,
            })
        }
        (Way::Get | Way::Query, Some(_)) if answer.status.is_success() => {
            read(&answer.body).map_err(|error| Refusal::Other(error.to_string()))?;
            Ok(Fetched {
                bytes: answer.body,
                way: Some(way),
                address: None,
            })
        }
        // A 1.1 service responds to an error with 500, and the body says what is wrong.
        (Way::Call(..), Some((_, json))) if json.get("error").is_some() => Err(Refusal::Other(
            error_of(&json).unwrap_or_else(|| format!("HTTP {status}")),
        )),
        _ => Err(refusal(way, &answer)),
    }
}

/// Returns why a response without a readable body is not a description.
fn refusal(way: Way, answer: &Answer) -> Refusal {
    let status = answer.status;
    let shown = without_secrets(&answer.url);
    let is_page = answer.media_type().is_some_and(|it| it.ends_with("html"));
    match status.as_u16() {
        200..300 if is_page => Refusal::Other("the response is a web page, not JSON".to_owned()),
        200..300 if way == Way::Get => Refusal::Other("the response is not JSON".to_owned()),
        200..300 => Refusal::Other("the response is not JSON-RPC".to_owned()),
        401 | 403 => Refusal::Final(Failure::no_description(format_args!(
            "{shown}: the service requires credentials (HTTP {status}); --token-file or \
             DOCENT_TOKEN gives a token, -H another header"
        ))),
        429 | 502..=504 => Refusal::Final(Failure::system(format_args!("{shown}: HTTP {status}"))),
        404 | 405 | 501 if way != Way::Query => Refusal::NoPost(format!("HTTP {status}")),
        // Web servers that speak TLS on this port respond like this.
        400 if answer.url.scheme() == "http" && mentions_tls(&answer.body) => {
            Refusal::Final(Failure::system(format_args!(
                "{shown}: the server expects TLS on this port; did you mean https?"
            )))
        }
        407 => Refusal::Final(Failure::system(format_args!(
            "{shown}: the proxy requires credentials (--proxy http://user:password@…)"
        ))),
        _ => Refusal::Other(format!("HTTP {status}")),
    }
}

/// Returns whether a response shows that there is no service here: a web page, or nothing.
fn is_elsewhere(answer: &Answer) -> bool {
    let is_page = answer.media_type().is_some_and(|it| it.ends_with("html"));
    is_page || matches!(answer.status.as_u16(), 404 | 405 | 501)
}

fn mentions_tls(body: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&body[..body.len().min(2000)]).to_ascii_lowercase();
    start.contains("https") || start.contains("tls") || start.contains("ssl")
}

/// Returns the code and the message of an error in a response.
fn error_of(answer: &Json) -> Option<String> {
    let error = answer.get("error").filter(|error| **error != Json::Null)?;
    let code = error
        .get("code")
        .map_or(String::new(), |code| format!("{code} "));
    let message = error
        .get("message")
        .and_then(Json::as_str)
        .unwrap_or("an error without a message");
    let reason = error
        .get("data")
        .and_then(|data| data.get("reason")?.as_str());
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    Some(format!("{code}{message}{reason}"))
}
