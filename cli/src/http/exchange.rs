//! Requests to one origin, and the responses to them.
//!
//! A response with any status is a response here: what it means is decided by those who sent the
//! request. Redirects are followed here, because the rules for them depend on what was typed.

use std::collections::HashSet;
use std::fmt;
use std::io::Read;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use docent_tools::check::{Rule, Unanswered};
use docent_tools::request::{bare, without_secrets};
use reqwest::blocking::{Client, Response};
use reqwest::header::{
    ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, SET_COOKIE,
};
use reqwest::{Error, Method, StatusCode};
use url::Url;

use super::address::{is_socket, origin};
use super::events::{self, EventStream, MAX_SILENCE, ResponseEvents, Subscribed};
use super::explain;
use super::fields::{EVENTS_TYPE, KEY_FIELD, LAST_EVENT_ID};
#[cfg(feature = "websocket")]
use super::raw_socket::OpenedSocket;
use super::response::HttpResponse;
#[cfg(feature = "websocket")]
use super::socket::{SocketService, SocketUser};
#[cfg(feature = "websocket")]
use crate::exec::with_key;
use crate::exec::{CommandService, CommandUser};
use crate::failure::Failure;
use crate::files::MAX_BYTES;
use crate::terminal::Terminal;

/// The maximum number of redirects of a request.
const MAX_REDIRECTS: usize = 3;
/// The time limit for a request for which no response matters.
const DELETE_TIMEOUT: Duration = Duration::from_secs(2);

/// Requests to one origin, with the credentials for it.
#[derive(Clone)]
pub(crate) struct Exchange {
    pub(super) http: Client,
    pub(super) terminal: Terminal,
    /// The warnings that were printed, each by its origin and subject. A client's exchanges share them.
    pub(super) warned: Arc<Mutex<HashSet<String>>>,
    /// The proxy of the options.
    pub(super) proxy: Option<Url>,
    /// The URL that was typed.
    pub(crate) typed: Url,
    /// The command, if that is what was typed.
    pub(crate) command: Option<CommandService>,
    /// The connection, if that is what was typed.
    #[cfg(feature = "websocket")]
    pub(super) socket: Option<SocketService>,
    /// The header fields that only the origin of `typed` may see.
    pub(super) credentials: HeaderMap,
    /// The time that each request with its response may take.
    pub(crate) limit: Option<Duration>,
}

/// A request: a GET, or a POST if there is a body.
#[derive(Clone)]
pub(crate) struct HttpRequest<'r> {
    pub(crate) url: &'r Url,
    /// The JSON text to post.
    pub(crate) body: Option<&'r str>,
    /// Further header fields, besides those that each request has.
    pub(crate) headers: HeaderMap,
}

impl<'r> HttpRequest<'r> {
    pub(crate) fn new(url: &'r Url, body: Option<&'r str>) -> Self {
        let headers = HeaderMap::new();
        Self { url, body, headers }
    }
}

/// A response whose body has not been read.
struct OpenResponse {
    response: Response,
    /// The URL of the response, after redirects.
    url: Url,
    /// The time when the last request was sent.
    start: Instant,
    time_to_response: Duration,
}

impl CommandUser for Exchange {
    fn url(&self) -> &Url {
        &self.typed
    }

    fn limit(&self) -> Option<Duration> {
        self.limit
    }

    fn warn_once(&self, subject: &str, text: fmt::Arguments<'_>) {
        Self::warn_once(self, subject, text);
    }
}

impl Exchange {
    /// Returns whether requests go over HTTP, rather than as messages to a command or over a WebSocket.
    pub(crate) fn is_http(&self) -> bool {
        self.command.is_none() && !is_socket(&self.typed)
    }

    /// Returns whether requests carry credentials.
    pub(crate) fn has_credentials(&self) -> bool {
        !self.credentials.is_empty()
    }

    /// Returns the names of the header fields with credentials.
    pub(crate) fn credential_fields(&self) -> impl Iterator<Item = &str> {
        self.credentials.keys().map(HeaderName::as_str)
    }

    /// Returns the same requests, to another URL of the origin.
    pub(crate) fn at(&self, url: Url) -> Self {
        Self {
            typed: url,
            ..self.clone()
        }
    }

    /// Prints a warning about the URL that was typed, unless there was one on this subject.
    pub(crate) fn warn_once(&self, subject: &str, text: impl fmt::Display) {
        let display_name = without_secrets(&self.typed);
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.insert(format!("{display_name} {subject}")) {
            self.terminal
                .warn(format_args!("docent: warning: {display_name}: {text}"));
        }
    }

    /// Sends a DELETE to the URL that was typed, for which no response matters.
    pub(crate) fn delete(&self, mut headers: HeaderMap) {
        headers.extend(self.credentials.clone());
        let _ = self
            .http
            .delete(bare(&self.typed))
            .timeout(DELETE_TIMEOUT)
            .headers(headers)
            .send();
    }

    /// Requests a description: posts a message to the URL that was typed, or sends a GET if there is no
    /// message. Follows redirects.
    pub(crate) fn ask(&self, message: Option<&str>) -> Result<HttpResponse, Failure> {
        self.response(&HttpRequest::new(&self.typed, message), false)
            .map_err(|unanswered| self.unavailable(&unanswered))
    }

    /// Returns the failure for a request without a response.
    pub(crate) fn unavailable(&self, unanswered: &Unanswered) -> Failure {
        let display_name = without_secrets(&self.typed);
        Failure::system(format_args!("{display_name}: {}", unanswered.reason))
    }

    /// Sends a request, and follows redirects, but no POST to another origin.
    pub(crate) fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse, Unanswered> {
        self.response(request, request.body.is_some())
    }

    /// Sends a request and follows redirects. With `stays`, none of them may lead to another origin.
    fn response(&self, request: &HttpRequest<'_>, stays: bool) -> Result<HttpResponse, Unanswered> {
        if let Some(command) = &self.command {
            return self.send_to_command(command, request);
        }
        #[cfg(feature = "websocket")]
        if let Some(socket) = &self.socket {
            return socket.send(&self.socket_user(), &self.socket_message(request)?);
        }
        self.read_response(self.open(request, stays)?)
    }

    /// Sends the message of a request to a command, and returns the response as one over HTTP: with status 204 if there
    /// is none.
    fn send_to_command(
        &self,
        command: &CommandService,
        request: &HttpRequest<'_>,
    ) -> Result<HttpResponse, Unanswered> {
        let Some(message) = request.body else {
            return Err(Unanswered::new(Rule::BadResponse, "a command has no GET"));
        };
        let key = request.headers.get(KEY_FIELD);
        let response = command.send(self, message, key.and_then(|key| key.to_str().ok()))?;
        let status = match response {
            Some(_) => StatusCode::OK,
            None => StatusCode::NO_CONTENT,
        };
        let json = HeaderValue::from_static("application/json");
        Ok(HttpResponse {
            status,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, json)]),
            body: response.unwrap_or_default(),
            url: self.typed.clone(),
        })
    }

    #[cfg(feature = "websocket")]
    fn socket_user(&self) -> SocketUser<'_> {
        SocketUser {
            url: &self.typed,
            headers: &self.credentials,
            limit: self.limit,
        }
    }

    /// Returns the message of a request, with the key of its call.
    #[cfg(feature = "websocket")]
    fn socket_message(&self, request: &HttpRequest<'_>) -> Result<String, Unanswered> {
        let Some(message) = request.body else {
            return Err(Unanswered::new(Rule::BadResponse, "a WebSocket has no GET"));
        };
        let display_name = explain::start_of(message);
        self.terminal.detail(format_args!("> {display_name}"));
        let key = request.headers.get(KEY_FIELD);
        Ok(with_key(message, key.and_then(|key| key.to_str().ok())))
    }

    /// Sends the request of a subscription to a server over HTTP, and follows redirects as [`send`](Self::send) does.
    /// The time limit holds until the events begin; without one it is that of a silent stream.
    pub(crate) fn subscribe(&self, request: &HttpRequest<'_>) -> Result<Subscribed, Unanswered> {
        #[cfg(feature = "websocket")]
        if let Some(socket) = &self.socket {
            let message = self.socket_message(request)?;
            return socket.subscribe(&self.socket_user(), &message, &request.headers);
        }
        let mut exchange = self.clone();
        // The limit of a request holds for its body, too, and that of a subscription has no end.
        exchange.limit = None;
        if request.headers.contains_key(LAST_EVENT_ID) {
            // The user's own was that of the first request.
            exchange.credentials.remove(LAST_EVENT_ID);
        }
        let url = request.url.clone();
        let body = request.body.map(str::to_owned);
        let headers = request.headers.clone();
        let (sender, receiver) = sync_channel(1);
        thread::spawn(move || {
            let request = HttpRequest {
                url: &url,
                body: body.as_deref(),
                headers,
            };
            // The receiver is gone if this comes too late.
            let _ = sender.send(exchange.open_events(&request));
        });
        let limit = self.limit.unwrap_or(MAX_SILENCE);
        receiver.recv_timeout(limit).unwrap_or_else(|_| {
            let reason = format!("no response within {limit:?}; --max-time allows more");
            Err(Unanswered::new(Rule::TimedOut, reason))
        })
    }

    /// Makes a connection of its own to a service behind a WebSocket; `None` for others.
    #[cfg(feature = "websocket")]
    pub(crate) fn open_socket(&self) -> Option<Result<OpenedSocket, Unanswered>> {
        Some(self.socket.as_ref()?.open(&self.socket_user()))
    }

    fn open_events(&self, request: &HttpRequest<'_>) -> Result<Subscribed, Unanswered> {
        let opened = self.open(request, request.body.is_some())?;
        let response = &opened.response;
        if response.status().is_success() && has_events(response) {
            return Ok(Subscribed::Events(EventStream::Response(
                ResponseEvents::new(opened.response),
            )));
        }
        self.read_response(opened).map(Subscribed::Refused)
    }

    /// Sends a request and follows redirects, as [`answer`](Self::answer) does. Reads only the head of the response.
    fn open(&self, request: &HttpRequest<'_>, stays: bool) -> Result<OpenResponse, Unanswered> {
        let mut url = bare(request.url);
        let mut body = request.body;
        for _ in 0..=MAX_REDIRECTS {
            let start = Instant::now();
            let response = self
                .once(&url, body, &request.headers)
                .map_err(|error| self.explained(&error, &url))?;
            let time_to_response = start.elapsed();
            let status = response.status();
            let headers = response.headers().clone();
            self.trace(&format!("< {status}"), &headers);
            let location = headers.get(LOCATION).filter(|_| status.is_redirection());
            let Some(location) = location else {
                return Ok(OpenResponse {
                    response,
                    url,
                    start,
                    time_to_response,
                });
            };
            let target = location.to_str().ok().and_then(|text| url.join(text).ok());
            let next = match target {
                Some(target) => redirected(&url, &target, stays),
                None => Err(format!("HTTP {status}, to an invalid URL")),
            }
            .map_err(|reason| Unanswered::new(Rule::BadResponse, reason))?;
            self.warn_of_lost_credentials(&url, &next);
            url = next;
            // 303 asks for a GET. All other redirects repeat the request.
            if status == StatusCode::SEE_OTHER {
                body = None;
            }
        }
        let reason = format!("more than {MAX_REDIRECTS} redirects");
        Err(Unanswered::new(Rule::BadResponse, reason))
    }

    /// Reads the body of a response.
    fn read_response(&self, opened: OpenResponse) -> Result<HttpResponse, Unanswered> {
        let status = opened.response.status();
        let headers = opened.response.headers().clone();
        let body = self.read(opened.response, &opened.url)?;
        self.terminal.detail(format_args!(
            "* {} bytes; {:.1?} to the response, {:.1?} in all",
            body.len(),
            opened.time_to_response,
            opened.start.elapsed()
        ));
        Ok(HttpResponse {
            status,
            headers,
            body,
            url: opened.url,
        })
    }

    /// Explains why a request to a URL has no response.
    fn explained(&self, error: &Error, url: &Url) -> Unanswered {
        let rule = if error.is_connect() {
            Rule::Unreachable
        } else if error.is_timeout() {
            Rule::TimedOut
        } else {
            Rule::Closed
        };
        let reason = explain::failed_request(error, url, self.proxy.as_ref(), self.limit);
        Unanswered::new(rule, reason)
    }

    /// Reads a body of at most [`MAX_BYTES`].
    fn read(&self, response: Response, url: &Url) -> Result<Vec<u8>, Unanswered> {
        let is_stream = has_events(&response);
        // One byte more than the limit tells a body that is too large from one that just fits.
        let mut stream = response.take(MAX_BYTES + 1);
        let read = if is_stream {
            events::response(stream)
        } else {
            let mut body = Vec::new();
            stream.read_to_end(&mut body).map(|_| body)
        };
        let body = read.map_err(|error| {
            // The error of the library is wrapped, and only that error tells a timeout from a lost connection.
            let cause = error.get_ref().and_then(|inner| inner.downcast_ref());
            match cause {
                Some(cause) => self.explained(cause, url),
                None => Unanswered::new(Rule::BadResponse, error.to_string()),
            }
        })?;
        if body.len() as u64 > MAX_BYTES {
            let reason = format!("the response is larger than {} MiB", MAX_BYTES >> 20);
            return Err(Unanswered::new(Rule::BadResponse, reason));
        }
        Ok(body)
    }

    /// Returns whether a URL has the origin of the one that was typed: the same scheme, host and port.
    fn is_typed(&self, url: &Url) -> bool {
        url.origin() == self.typed.origin()
    }

    /// Warns that a redirect leaves the origin that gets the credentials: the next response may say that they
    /// are missing.
    fn warn_of_lost_credentials(&self, from: &Url, to: &Url) {
        if !self.credentials.is_empty() && self.is_typed(from) && !self.is_typed(to) {
            self.terminal.warn(format_args!(
                "docent: warning: {} redirects to {}, which does not get the credentials",
                origin(from),
                origin(to)
            ));
        }
    }

    /// Sends one request.
    fn once(&self, url: &Url, body: Option<&str>, headers: &HeaderMap) -> Result<Response, Error> {
        let mut fields = HeaderMap::new();
        let json = HeaderValue::from_static("application/json");
        if body.is_some() {
            fields.insert(CONTENT_TYPE, json.clone());
            fields.insert(ACCEPT, json);
        } else {
            fields.insert(
                ACCEPT,
                HeaderValue::from_static("application/json, */*;q=0.1"),
            );
        }
        // Fields that the user gave override the usual ones.
        fields.extend(headers.clone());
        if self.is_typed(url) {
            fields.extend(self.credentials.clone());
        }
        let method = match body {
            Some(_) => Method::POST,
            None => Method::GET,
        };
        self.trace(&format!("> {method} {}", explain::shown_url(url)), &fields);
        let mut request = self.http.request(method, url.clone());
        if let Some(body) = body {
            let display_name = explain::start_of(body);
            self.terminal.detail(format_args!("> {display_name}"));
            request = request.body(body.to_owned());
        }
        if let Some(limit) = self.limit {
            request = request.timeout(limit);
        }
        request.headers(fields).send()
    }

    /// Prints the head of a message, whose lines begin with the sign of the first.
    fn trace(&self, first: &str, fields: &HeaderMap) {
        self.terminal.detail(first);
        for (name, value) in fields {
            // A session cookie is a credential too.
            let is_secret = value.is_sensitive() || *name == SET_COOKIE;
            let display_name = explain::shown_field(value, is_secret);
            self.terminal
                .detail(format_args!("{} {name}: {display_name}", &first[..1]));
        }
    }
}

/// Returns whether the body of a response is a stream of events.
fn has_events(response: &Response) -> bool {
    let field = response.headers().get(CONTENT_TYPE);
    field.is_some_and(|field| field.as_bytes().starts_with(EVENTS_TYPE.as_bytes()))
}

/// Returns the URL to follow a redirect to, or an error if it must not be followed. With `stays`, the
/// request must not go to another origin.
fn redirected(from: &Url, to: &Url, stays: bool) -> Result<Url, String> {
    match (from.scheme(), to.scheme()) {
        ("https", "http") => Err(format!(
            "a redirect from https to http, to {}",
            without_secrets(to)
        )),
        (_, "http" | "https") if stays && from.origin() != to.origin() => Err(format!(
            "a redirect from {} to {}, which calls do not follow",
            origin(from),
            origin(to)
        )),
        (_, "http" | "https") => Ok(bare(to)),
        (_, scheme) => Err(format!("a redirect to a URL with the scheme {scheme}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("an address")
    }

    #[test]
    fn what_was_encrypted_stays_encrypted() {
        assert!(
            redirected(&url("https://a/"), &url("http://a/x?secret"), false)
                .is_err_and(|reason| !reason.contains("secret"))
        );
        assert_eq!(
            redirected(&url("http://a/"), &url("https://b/"), false),
            Ok(url("https://b/"))
        );
        assert!(redirected(&url("http://a/"), &url("file:///etc/passwd"), false).is_err());
    }

    #[test]
    fn a_redirect_brings_no_name_of_its_own() {
        assert_eq!(
            redirected(&url("http://a/"), &url("http://me:pass@a/x#y"), true),
            Ok(url("http://a/x"))
        );
    }
}
