//! Sends JSON-RPC 2.0 calls over HTTP.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Sends requests. [`Http`] does it with reqwest.
pub trait Transport: Send + Sync {
    /// Sends a request. The error says why there was no response.
    fn send(&self, request: Request) -> impl Future<Output = Result<Response, String>> + Send;

    /// Waits before a call is repeated.
    fn pause(&self, duration: Duration) -> impl Future<Output = ()> + Send;
}

/// An HTTP request.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Where it goes.
    pub url: String,
    /// Header fields.
    pub headers: Vec<(&'static str, String)>,
    /// The body; a request with GET has none.
    pub body: Option<String>,
}

/// An HTTP response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The header field `Retry-After`, if it is a number of seconds.
    pub retry_after: Option<u64>,
    /// The body.
    pub body: Vec<u8>,
}

/// Sends requests with reqwest.
#[derive(Debug, Clone)]
pub struct Http(pub reqwest::Client);

impl Transport for Http {
    async fn send(&self, request: Request) -> Result<Response, String> {
        let mut sent = match request.body {
            Some(body) => self.0.post(request.url).body(body),
            None => self.0.get(request.url),
        };
        for (name, value) in request.headers {
            sent = sent.header(name, value);
        }
        let response = sent.send().await.map_err(|error| error.to_string())?;
        let after = response.headers().get("retry-after");
        let retry_after = after.and_then(|it| it.to_str().ok()?.parse().ok());
        let status = response.status().as_u16();
        let body = response.bytes().await.map_err(|error| error.to_string())?;
        Ok(Response {
            status,
            retry_after,
            body: body.to_vec(),
        })
    }

    async fn pause(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

/// Why a call failed. `E` are the errors that the procedure declares.
#[derive(Debug)]
pub enum Error<E> {
    /// An error that the procedure declares.
    Declared(E),
    /// Another error that the service answered with.
    Rpc(ErrorObject),
    /// The parameters cannot be written as JSON.
    Params(serde_json::Error),
    /// The result is not what the description says.
    Result(serde_json::Error),
    /// The call got no answer, or none that can be understood.
    Transport(TransportError),
}

impl<E: fmt::Debug> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared(error) => write!(f, "{error:?}"),
            Self::Rpc(error) => write!(f, "error {}: {}", error.code, error.message),
            Self::Params(error) => write!(f, "invalid parameters: {error}"),
            Self::Result(error) => write!(f, "unexpected result: {error}"),
            Self::Transport(error) => f.write_str(&error.message),
        }
    }
}

impl<E: fmt::Debug> std::error::Error for Error<E> {}

/// Why there is no answer that can be understood.
#[derive(Debug, Clone)]
pub struct TransportError {
    /// What went wrong.
    pub message: String,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// After how many seconds the service wants to be asked again.
    pub retry_after: Option<u64>,
}

/// An error as the service answered it.
#[derive(Debug, Clone, Deserialize)]
pub struct ErrorObject {
    /// The code.
    pub code: i64,
    /// The message.
    #[serde(default)]
    pub message: String,
    /// What else the service says, as JSON.
    pub data: Option<Box<RawValue>>,
}

impl ErrorObject {
    /// Returns the data, if it has this type.
    #[must_use]
    pub fn data<T: DeserializeOwned>(&self) -> Option<T> {
        let text = self.data.as_ref().map_or("null", |data| data.get());
        serde_json::from_str(text).ok()
    }
}

/// The errors that a procedure declares.
pub trait Declared: Sized {
    /// Returns the declared error that this is.
    fn declared(error: &ErrorObject) -> Option<Self>;

    /// Returns whether the same call may succeed later, if the service says so.
    fn retry(&self) -> Option<bool>;
}

/// The errors of a procedure that declares none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoErrors {}

impl Declared for NoErrors {
    fn declared(_: &ErrorObject) -> Option<Self> {
        None
    }

    fn retry(&self) -> Option<bool> {
        match *self {}
    }
}

/// A call that has not been sent yet.
#[derive(Debug)]
pub struct Call<T, E> {
    method: &'static str,
    params: Result<Option<Box<RawValue>>, serde_json::Error>,
    idempotent: bool,
    key: Option<String>,
    get: bool,
    types: PhantomData<fn() -> (T, E)>,
}

impl<T, E> Call<T, E> {
    /// Creates a call without parameters.
    #[must_use]
    pub fn new(method: &'static str) -> Self {
        Self {
            method,
            params: Ok(None),
            idempotent: false,
            key: None,
            get: false,
            types: PhantomData,
        }
    }

    /// Sets the parameters.
    #[must_use]
    pub fn params(mut self, params: &(impl Serialize + ?Sized)) -> Self {
        self.params = serde_json::value::to_raw_value(params).map(Some);
        self
    }

    /// Says that the call may be repeated.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Gives the call a key, so that it is done once however often it is sent.
    #[must_use]
    pub fn repeatable(self) -> Self {
        self.key(format!("{:016x}{:016x}", random(), random()))
    }

    /// Gives the call this key, such as that of a call whose answer was lost.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    fn is_safe(&self) -> bool {
        self.idempotent || self.key.is_some()
    }

    /// Says that the procedure can be called with GET.
    #[must_use]
    pub fn get(mut self) -> Self {
        self.get = true;
        self
    }

    fn message(&self, id: Option<usize>) -> Message<'_> {
        Message {
            jsonrpc: "2.0",
            method: self.method,
            params: self.params.as_ref().ok().and_then(Option::as_deref),
            id,
            key: self.key.as_deref(),
        }
    }
}

/// A number that nobody can guess. The keys of a hash table are random.
fn random() -> u64 {
    std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0_u8)
}

#[derive(Serialize)]
struct Message<'m> {
    jsonrpc: &'static str,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'m RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(rename = "x-idempotency-key", skip_serializing_if = "Option::is_none")]
    key: Option<&'m str>,
}

/// Parameters by position. Those left out at the end are not sent; the first ones are required.
pub struct Positions {
    values: Vec<Option<Box<RawValue>>>,
    required: usize,
}

impl Positions {
    /// Begins with no parameters, of which so many are required.
    #[must_use]
    pub fn new(required: usize) -> Self {
        Self {
            values: Vec::new(),
            required,
        }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn and(mut self, value: &impl Serialize) -> Self {
        self.values
            .push(serde_json::value::to_raw_value(value).ok());
        self
    }
}

impl Serialize for Positions {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_given =
            |it: &Option<Box<RawValue>>| it.as_ref().is_some_and(|it| it.get() != "null");
        let given = self
            .values
            .iter()
            .rposition(is_given)
            .map_or(0, |at| at + 1);
        let length = given.max(self.required).min(self.values.len());
        serializer.collect_seq(&self.values[..length])
    }
}

/// Calls that are sent together.
#[derive(Debug, Default)]
pub struct Batch {
    messages: Vec<Result<String, String>>,
    is_unsafe: bool,
}

/// The place of a call in a batch.
#[derive(Debug)]
pub struct Place<T, E>(usize, PhantomData<fn() -> (T, E)>);

impl Batch {
    /// Creates a batch without calls.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a call. Its result is found with what is returned.
    pub fn add<T, E>(&mut self, call: &Call<T, E>) -> Place<T, E> {
        let at = self.messages.len();
        self.is_unsafe |= !call.is_safe();
        self.messages.push(match &call.params {
            Ok(_) => serde_json::to_string(&call.message(Some(at))).map_err(|it| it.to_string()),
            Err(error) => Err(error.to_string()),
        });
        Place(at, PhantomData)
    }
}

/// The answers to a batch.
#[derive(Debug)]
pub struct Answers(HashMap<usize, Answer>);

impl Answers {
    /// Returns the result of a call.
    ///
    /// # Errors
    /// As for the call on its own.
    pub fn get<T: DeserializeOwned, E: Declared>(
        &self,
        place: &Place<T, E>,
    ) -> Result<T, Error<E>> {
        match self.0.get(&place.0) {
            Some(answer) => answer.result(),
            None => Err(lost("the batch has no answer to this call")),
        }
    }
}

type Token = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// A client of the service.
#[derive(Clone)]
pub struct Client<T = Http> {
    url: String,
    transport: T,
    token: Option<Token>,
    repeats: u32,
    use_get: bool,
}

impl Client {
    /// Creates a client for the service at this URL. An attempt may take 30 seconds.
    ///
    /// # Errors
    /// Fails if TLS cannot be set up.
    pub fn new(url: impl Into<String>) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            .timeout(Duration::from_secs(30))
            // A redirect could lead a call and its token to another service.
            .redirect(reqwest::redirect::Policy::none());
        Ok(Self::with_transport(url, Http(http.build()?)))
    }
}

impl<H: Transport> Client<H> {
    /// Creates a client that sends its requests with this transport.
    #[must_use]
    pub fn with_transport(url: impl Into<String>, transport: H) -> Self {
        Self {
            url: url.into(),
            transport,
            token: None,
            repeats: 2,
            use_get: true,
        }
    }

    /// Sets what returns the bearer token. It is asked before each request.
    #[must_use]
    pub fn token(mut self, token: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        self.token = Some(Arc::new(token));
        self
    }

    /// Sets how often a call that is idempotent, or has a key, is repeated at most; 2 unless set.
    #[must_use]
    pub fn repeats(mut self, repeats: u32) -> Self {
        self.repeats = repeats;
        self
    }

    /// Calls idempotent procedures with POST, too.
    #[must_use]
    pub fn without_get(mut self) -> Self {
        self.use_get = false;
        self
    }

    /// Sends a call and returns its result.
    ///
    /// # Errors
    /// See [`Error`].
    pub async fn send<T: DeserializeOwned, E: Declared>(
        &self,
        call: Call<T, E>,
    ) -> Result<T, Error<E>> {
        let body = body(&call, Some(1))?;
        let mut attempt = 0;
        loop {
            let error = match self.attempt(&call, &body).await {
                Ok(result) => return Ok(result),
                Err(error) => error,
            };
            match pause(&error, attempt, call.is_safe()) {
                Some(pause) if attempt < self.repeats => {
                    self.transport.pause(pause).await;
                }
                _ => return Err(error),
            }
            attempt += 1;
        }
    }

    async fn attempt<T: DeserializeOwned, E: Declared>(
        &self,
        call: &Call<T, E>,
        body: &str,
    ) -> Result<T, Error<E>> {
        if let Some(url) = self.query(call) {
            let response = self.exchange(url, None).await.map_err(Error::Transport)?;
            // What is not answered as JSON-RPC 2.0 may be by POST, and asking twice does no harm.
            if let Ok(answer) = serde_json::from_slice::<Answer>(&response.body)
                && answer.is_response()
            {
                return answer.result();
            }
        }
        let response = self.exchange(self.url.clone(), Some(body.to_owned())).await;
        let response = response.map_err(Error::Transport)?;
        match serde_json::from_slice::<Answer>(&response.body) {
            Ok(answer) if answer.is_response() => answer.result(),
            _ => Err(Error::Transport(no_response(&response))),
        }
    }

    /// Sends calls together. Each has its own answer.
    ///
    /// # Errors
    /// Fails if there is no answer, or if the service refuses all of them at once.
    pub async fn batch(&self, batch: Batch) -> Result<Answers, Error<NoErrors>> {
        if batch.messages.is_empty() {
            return Ok(Answers(HashMap::new()));
        }
        let messages: Result<Vec<String>, String> = batch.messages.into_iter().collect();
        let messages = messages.map_err(|error| Error::Params(serde::ser::Error::custom(error)))?;
        let body = format!("[{}]", messages.join(","));
        let mut attempt = 0;
        let response = loop {
            let sent = self.exchange(self.url.clone(), Some(body.clone())).await;
            let error = match sent {
                Ok(response) => break response,
                Err(error) => Error::Transport(error),
            };
            match pause::<NoErrors>(&error, attempt, !batch.is_unsafe) {
                Some(pause) if attempt < self.repeats => {
                    self.transport.pause(pause).await;
                }
                _ => return Err(error),
            }
            attempt += 1;
        };
        if let Ok(answers) = serde_json::from_slice::<Vec<Answer>>(&response.body) {
            let answers = answers.into_iter();
            return Ok(Answers(
                answers.filter_map(|it| Some((it.place()?, it))).collect(),
            ));
        }
        match serde_json::from_slice::<Answer>(&response.body) {
            Ok(Answer {
                error: Some(error), ..
            }) => Err(Error::Rpc(error)),
            _ => Err(Error::Transport(no_response(&response))),
        }
    }

    /// Sends a call as a notification: it is executed and never answered.
    ///
    /// # Errors
    /// Fails if the request could not be sent.
    pub async fn notify<T, E>(&self, call: Call<T, E>) -> Result<(), Error<NoErrors>> {
        let body = body(&call, None)?;
        let sent = self.exchange(self.url.clone(), Some(body)).await;
        sent.map(|_| ()).map_err(Error::Transport)
    }

    async fn exchange(
        &self,
        url: String,
        body: Option<String>,
    ) -> Result<Response, TransportError> {
        let mut headers = vec![("accept", "application/json".to_owned())];
        if body.is_some() {
            headers.push(("content-type", "application/json".to_owned()));
        }
        if let Some(token) = self.token.as_ref().and_then(|token| token()) {
            headers.push(("authorization", format!("Bearer {token}")));
        }
        let method = if body.is_some() { "POST" } else { "GET" };
        let request = Request {
            method,
            url,
            headers,
            body,
        };
        match self.transport.send(request).await {
            Ok(response) if response.status == 503 => Err(TransportError {
                message: "the service is not available".to_owned(),
                status: Some(503),
                retry_after: response.retry_after,
            }),
            Ok(response) => Ok(response),
            Err(message) => Err(TransportError {
                message: format!("the call got no answer: {message}"),
                status: None,
                retry_after: None,
            }),
        }
    }

    /// The address for GET, if it can carry the parameters as they are.
    fn query<T, E>(&self, call: &Call<T, E>) -> Option<String> {
        if !(call.get && self.use_get) {
            return None;
        }
        let (path, query) = self.url.split_once('?').unwrap_or((&self.url, ""));
        let mut url = format!("{}/{}", path.trim_end_matches('/'), escaped(call.method));
        let mut gap = '?';
        let mut push = |text: &str| {
            url.push(gap);
            url.push_str(text);
            gap = '&';
        };
        if !query.is_empty() {
            push(query);
        }
        if let Some(params) = call.params.as_ref().ok()? {
            let params: BTreeMap<String, Box<RawValue>> =
                serde_json::from_str(params.get()).ok()?;
            for (name, value) in &params {
                let values: Vec<Box<RawValue>> = if value.get().starts_with('[') {
                    serde_json::from_str(value.get()).ok()?
                } else {
                    vec![value.clone()]
                };
                if values.is_empty() {
                    return None;
                }
                for value in values {
                    push(&format!(
                        "{}={}",
                        escaped(name),
                        escaped(&plain(value.get())?)
                    ));
                }
            }
        }
        (url.len() <= 2000).then_some(url)
    }
}

/// The text of a value in a query, where it can be nothing else.
fn plain(json: &str) -> Option<String> {
    match json.bytes().next()? {
        b'"' => serde_json::from_str(json)
            .ok()
            .filter(|text: &String| !text.is_empty()),
        b'[' | b'{' | b'n' => None,
        _ => Some(json.to_owned()),
    }
}

fn escaped(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

fn body<T, E, F>(call: &Call<T, E>, id: Option<usize>) -> Result<String, Error<F>> {
    match &call.params {
        Ok(_) => serde_json::to_string(&call.message(id)).map_err(Error::Params),
        Err(error) => Err(Error::Params(serde::ser::Error::custom(error))),
    }
}

/// How long to wait before a call that failed like this is repeated; `None` if it must not be. Without an
/// answer, only what is safe may be sent again: it may have been executed.
fn pause<E: Declared>(error: &Error<E>, attempt: u32, is_safe: bool) -> Option<Duration> {
    // Callers that have failed together do not come back together.
    let backoff = Duration::from_millis(100 + random() % 200) * (1 << attempt.min(6));
    let short = |seconds: u64| (seconds <= 30).then(|| Duration::from_secs(seconds));
    match error {
        Error::Transport(_) if !is_safe => None,
        Error::Transport(error) => match error.status {
            None => Some(backoff),
            Some(503) => error.retry_after.and_then(short),
            Some(_) => None,
        },
        Error::Declared(error) if error.retry() == Some(true) => Some(backoff),
        // The service has not executed a call that it was too busy for.
        Error::Rpc(error) if crate::BUSY.contains(&error.code) => match error.data::<Busy>() {
            Some(Busy {
                retry_after: Some(seconds),
            }) => short(seconds),
            _ => Some(backoff),
        },
        _ => None,
    }
}

#[derive(Deserialize)]
struct Busy {
    #[serde(rename = "retryAfter")]
    retry_after: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Answer {
    jsonrpc: Option<String>,
    id: Option<Box<RawValue>>,
    result: Option<Box<RawValue>>,
    error: Option<ErrorObject>,
}

impl Answer {
    fn is_response(&self) -> bool {
        self.jsonrpc.is_some()
    }

    fn place(&self) -> Option<usize> {
        self.id.as_ref()?.get().parse().ok()
    }

    fn result<T: DeserializeOwned, E: Declared>(&self) -> Result<T, Error<E>> {
        if let Some(error) = &self.error {
            return Err(match E::declared(error) {
                Some(declared) => Error::Declared(declared),
                None => Error::Rpc(error.clone()),
            });
        }
        // A null that was asked for as raw text may be read as nothing.
        let text = self.result.as_ref().map_or("null", |result| result.get());
        serde_json::from_str(text).map_err(Error::Result)
    }
}

fn lost<E>(message: &str) -> Error<E> {
    Error::Transport(TransportError {
        message: message.to_owned(),
        status: Some(200),
        retry_after: None,
    })
}

fn no_response(response: &Response) -> TransportError {
    TransportError {
        message: format!(
            "HTTP status {} without a JSON-RPC 2.0 response",
            response.status
        ),
        status: Some(response.status),
        retry_after: response.retry_after,
    }
}
