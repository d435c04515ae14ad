//! The transport over HTTP, on top of reqwest.
//!
//! Responses are read elsewhere; this file sends requests and collects bodies, within limits of time and
//! size. No credentials leave it in an error or a log: URLs and tokens are removed from both. No other file names
//! reqwest, except for the URLs of `query.rs` and the handshake of WebSockets, which is a request, too.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use docent_core::BoxFuture;
use futures_util::stream;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER,
};
use reqwest::redirect::Policy;
use reqwest::{RequestBuilder, Response, Url};
use tokio::time::timeout;

use crate::events::EventReader;
use crate::query;
use crate::transport::{EventBody, Received, Subscribed, Transport, TransportError};

/// The time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The media type of requests and responses.
const JSON_TYPE: HeaderValue = HeaderValue::from_static("application/json");

/// The media type of the responses to subscriptions.
const EVENTS_TYPE: HeaderValue = HeaderValue::from_static("text/event-stream");

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The time without a byte after which a stream of events is taken for lost. A service sends a comment every 15 s.
const MAX_SILENCE: Duration = Duration::from_secs(45);

/// Calls a server over HTTP: with POST, unless [`use_get`](Self::use_get) asks for GET.
///
/// By default, a call may take 60 s, a response may have at most 32 MiB, and no credentials are sent. Redirects
/// are not followed, so credentials never reach another server. Proxies from the environment are not used. It
/// needs a Tokio runtime, such as that of actix-web.
///
/// ```
/// use std::time::Duration;
///
/// use docent::client::{Client, Http};
///
/// let http = Http::new("http://localhost:8080/rpc")
///     .bearer("u7Qz.2fK~9")
///     .timeout(Duration::from_secs(5))
///     .max_response_bytes(64 * 1024);
/// let client = Client::from(http);
/// # let _ = client;
/// ```
pub struct Http {
    /// The URL, or the error that each call reports.
    url: Result<Url, String>,
    /// Created for the first call, when all settings are known.
    client: OnceLock<Result<reqwest::Client, String>>,
    #[cfg(feature = "tls")]
    authorities: Vec<String>,
    headers: HeaderMap,
    token: Option<Token>,
    pub(crate) timeout: Duration,
    pub(crate) max_response_bytes: usize,
    uses_get: bool,
}

/// A function that returns the token of the next call.
type Token = Arc<dyn Fn() -> String + Send + Sync>;

impl Http {
    /// Creates a transport to a service, such as `http://localhost:8080/rpc`. If the URL is invalid,
    /// calls fail with [`TransportError::Setup`]. With a URL like `ws://localhost:8080/rpc`, these are the settings of a
    /// WebSocket (feature `websocket`), which a [`Client`](crate::Client) makes of them.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: parse_url(&url.into()),
            client: OnceLock::new(),
            #[cfg(feature = "tls")]
            authorities: Vec::new(),
            headers: HeaderMap::new(),
            token: None,
            timeout: Duration::from_secs(60),
            max_response_bytes: 32 * 1024 * 1024,
            uses_get: false,
        }
    }

    /// Sends a token with each call: `Authorization: Bearer …`.
    pub fn bearer(self, token: impl Into<String>) -> Self {
        let token = token.into();
        self.bearer_from(move || token.clone())
    }

    /// Asks `token` for the bearer token before each call, for tokens that expire. The function must not block.
    pub fn bearer_from(mut self, token: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.token = Some(Arc::new(token));
        self
    }

    /// Adds a header field to each call, such as an API key.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let field = name.parse::<HeaderName>().ok().zip(secret(value));
        match field {
            Some((name, value)) => {
                self.headers.append(name, value);
            }
            None => self.url = Err(format!("the header field {name:?} is invalid")),
        }
        self
    }

    /// Sets how long a call may take, from connecting to the last byte of the response.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the size of the largest response that is accepted, in bytes.
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.max_response_bytes = bytes;
        self
    }

    /// Calls idempotent procedures with GET, so that caches on the way can answer. Typed clients know
    /// which procedures are idempotent; otherwise, call them with
    /// [`Client::call_idempotent`](crate::Client::call_idempotent).
    ///
    /// A call is still sent with POST if a URL cannot represent its parameters: if a value is null, empty, an
    /// object, a string that looks like a number or a Boolean, or a list of one element; or if the URL is
    /// longer than 2,000 bytes.
    pub fn use_get(mut self) -> Self {
        self.uses_get = true;
        self
    }

    /// Trusts the certificates of these authorities, such as a private one, in addition to those that the
    /// operating system trusts. `pem` is their certificates in PEM format.
    #[cfg(feature = "tls")]
    pub fn authorities(mut self, pem: impl Into<String>) -> Self {
        self.authorities.push(pem.into());
        self
    }

    /// Sends requests with this client of reqwest, which has its own TLS and proxies.
    #[cfg(feature = "websocket")]
    #[doc(hidden)]
    pub fn with_client(mut self, client: reqwest::Client) -> Self {
        self.client = OnceLock::from(Ok(client));
        self
    }

    /// Returns whether the URL is that of a WebSocket.
    #[cfg(feature = "websocket")]
    pub(crate) fn is_websocket(&self) -> bool {
        let url = self.url.as_ref();
        url.is_ok_and(|url| matches!(url.scheme(), "ws" | "wss"))
    }

    /// Builds a GET request to the URL, in which `ws` and `wss` are `http` and `https`.
    #[cfg(feature = "websocket")]
    pub(crate) fn request_over_http(&self) -> Result<RequestBuilder, TransportError> {
        let mut url = self.url.clone().map_err(TransportError::Setup)?;
        let scheme = url.scheme().replace("ws", "http");
        // No other schemes have been parsed, and all of them can be exchanged.
        let _ = url.set_scheme(&scheme);
        self.request(url, None)
    }

    /// Gets a document, within the same limits. The URL of the service is not used.
    #[doc(hidden)]
    pub fn fetch(&self, url: &str) -> BoxFuture<Result<Received, TransportError>> {
        let url = parse_url(url).map_err(TransportError::Setup);
        self.execute(url.and_then(|url| self.request(url, None)))
    }

    /// Builds a POST request with a body, or a GET request without one.
    fn request(&self, url: Url, body: Option<Vec<u8>>) -> Result<RequestBuilder, TransportError> {
        let client = self
            .client
            .get_or_init(|| {
                let builder = reqwest::Client::builder()
                    .connect_timeout(CONNECT_TIMEOUT)
                    .redirect(Policy::none())
                    .no_proxy();
                #[cfg(feature = "tls")]
                let builder =
                    builder.tls_backend_preconfigured(crate::tls::config(&self.authorities)?);
                builder
                    .build()
                    .map_err(|error| format!("no HTTP client: {error}"))
            })
            .as_ref()
            .map_err(|error| TransportError::Setup(error.clone()))?;
        let mut headers = self.headers.clone();
        if let Some(token) = &self.token {
            let token = secret(&format!("Bearer {}", token())).ok_or_else(|| {
                TransportError::Setup(
                    "the token has characters that a header field cannot have".into(),
                )
            })?;
            headers.insert(AUTHORIZATION, token);
        }
        // A name and a password in the URL become a header field here.
        let request = match body {
            Some(body) => client.post(url).header(CONTENT_TYPE, JSON_TYPE).body(body),
            None => client.get(url),
        };
        Ok(request.header(ACCEPT, JSON_TYPE).headers(headers))
    }

    /// Sends a request, and reads its response up to the maximum size.
    fn execute(
        &self,
        request: Result<RequestBuilder, TransportError>,
    ) -> BoxFuture<Result<Received, TransportError>> {
        let timeout = self.timeout;
        let max_bytes = self.max_response_bytes;
        Box::pin(async move {
            let response = request?
                .timeout(timeout)
                .send()
                .await
                .map_err(|error| transport_error(error, timeout))?;
            receive(response, timeout, max_bytes).await
        })
    }
}

/// Reads a response up to the maximum size.
pub(crate) async fn receive(
    mut response: Response,
    timeout: Duration,
    max_bytes: usize,
) -> Result<Received, TransportError> {
    if response.content_length().unwrap_or(0) > max_bytes as u64 {
        return Err(TransportError::TooLarge(max_bytes));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response
        .chunk()
        .await
        .map_err(|error| transport_error(error, timeout))?
    {
        if chunk.len() > max_bytes - body.len() {
            return Err(TransportError::TooLarge(max_bytes));
        }
        body.extend_from_slice(&chunk);
    }
    let headers = response.headers();
    Ok(Received {
        body: body.into(),
        status: Some(response.status().as_u16()),
        media_type: field(headers, CONTENT_TYPE),
        location: field(headers, LOCATION),
        origin: Some(response.url().origin().ascii_serialization()),
        // A date is useless without the server's clock.
        retry_after: field(headers, RETRY_AFTER)
            .and_then(|seconds| seconds.parse().ok())
            .map(Duration::from_secs),
    })
}

/// Returns the events of a response.
fn events(response: Response, max_bytes: usize) -> EventBody {
    let read = (response, EventReader::new());
    Box::pin(stream::try_unfold(
        read,
        move |(mut response, mut reader)| async move {
            loop {
                if let Some(event) = reader.next_event() {
                    return Ok(Some((event, (response, reader))));
                }
                if reader.stored() > max_bytes {
                    return Err(TransportError::TooLarge(max_bytes));
                }
                let piece = timeout(MAX_SILENCE, response.chunk())
                    .await
                    .map_err(|_| TransportError::TimedOut(MAX_SILENCE))?
                    .map_err(|error| transport_error(error, MAX_SILENCE))?;
                match piece {
                    Some(piece) => reader.push(&piece),
                    None => return Ok(None),
                }
            }
        },
    ))
}

/// Returns the value of a header field, if it is text.
pub(crate) fn field(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

/// Returns a value that is left out when header fields are printed.
fn secret(value: &str) -> Option<HeaderValue> {
    let mut value: HeaderValue = value.parse().ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Parses the URL of a service, and explains why it cannot be called.
fn parse_url(url: &str) -> Result<Url, String> {
    // The text may hold a password, so it is not repeated.
    let url = Url::parse(url).map_err(|error| format!("the URL of the service: {error}"))?;
    let scheme = url.scheme();
    let problem = match scheme {
        "ws" | "wss" if cfg!(not(feature = "websocket")) => {
            format!("{scheme} needs the feature `websocket` of docent-client (and of docent)")
        }
        "https" | "wss" if cfg!(not(feature = "tls")) => {
            format!("{scheme} needs the feature `tls` of docent-client (`client-tls` of docent)")
        }
        "http" | "https" | "ws" | "wss" => return Ok(url),
        other => {
            format!("{other:?} is not supported, only \"http\", \"https\", \"ws\" and \"wss\"")
        }
    };
    Err(format!("the URL of the service: {problem}"))
}

impl Transport for Http {
    fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
        let url = self.url.clone().map_err(TransportError::Setup);
        self.execute(url.and_then(|url| self.request(url, Some(request))))
    }

    fn get(
        &self,
        procedure: &str,
        params: &str,
    ) -> Option<BoxFuture<Result<Received, TransportError>>> {
        let mount = self.url.as_ref().ok().filter(|_| self.uses_get)?;
        let url = query::url(mount, procedure, params)?;
        Some(self.execute(self.request(url, None)))
    }

    fn subscribe(
        &self,
        request: Vec<u8>,
        cursor: Option<&str>,
    ) -> Option<BoxFuture<Result<Subscribed, TransportError>>> {
        let url = self.url.clone().map_err(TransportError::Setup);
        let mut request = url.and_then(|url| self.request(url, Some(request)));
        if let Some(cursor) = cursor {
            request = request.map(|request| request.header(LAST_EVENT_ID, cursor.as_bytes()));
        }
        let time = self.timeout;
        let max_bytes = self.max_response_bytes;
        Some(Box::pin(async move {
            // Only the head of the response has this time: its body may go on for ever.
            let sending = request?.header(ACCEPT, EVENTS_TYPE).send();
            let response = timeout(time, sending)
                .await
                .map_err(|_| TransportError::TimedOut(time))?
                .map_err(|error| transport_error(error, time))?;
            let has_events = field(response.headers(), CONTENT_TYPE)
                .is_some_and(|media_type| media_type.starts_with("text/event-stream"));
            if has_events && response.status().is_success() {
                return Ok(Subscribed::Events(events(response, max_bytes)));
            }
            timeout(time, receive(response, time, max_bytes))
                .await
                .map_err(|_| TransportError::TimedOut(time))?
                .map(Subscribed::Refused)
        }))
    }
}

/// Converts an error, and says what it means for the call: whether it may have run.
pub(crate) fn transport_error(error: reqwest::Error, timeout: Duration) -> TransportError {
    let is_connect = error.is_connect();
    let is_builder = error.is_builder();
    if error.is_timeout() && !is_connect {
        return TransportError::TimedOut(timeout);
    }
    // The URL may hold a password. The innermost cause tells more than that a request has failed.
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let cause = cause.to_string();
    match (is_builder, is_connect) {
        (true, _) => TransportError::Setup(cause),
        (false, true) => TransportError::Connect(cause),
        (false, false) => TransportError::Interrupted(cause),
    }
}

impl<T: Into<String>> From<T> for Http {
    fn from(url: T) -> Self {
        Self::new(url)
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").finish_non_exhaustive()
    }
}
