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
    #[serde(default, deserialize_with = "present")]
    result: Option<Box<RawValue>>,
    error: Option<ErrorObject>,
}

/// A member that is there, even if it is null.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(value).map(Some)
}

/// The answer to the call with this id; a request with GET, and a batch as a whole, have none.
fn answer(body: &[u8], id: Option<usize>) -> Option<Answer> {
    // A list is also how serde takes the members of a struct.
    let is_object = body.trim_ascii_start().starts_with(b"{");
    let answer: Answer = serde_json::from_slice(body).ok()?;
    (is_object && answer.is_of(id)).then_some(answer)
}

impl Answer {
    fn is_of(&self, id: Option<usize>) -> bool {
        // A service that has not read the request does not know its id.
        let is_own = self.id.is_none() && (id.is_none() || self.error.is_some());
        let is_own = is_own || self.place().is_some_and(|place| Some(place) == id);
        self.jsonrpc.is_some() && is_own && (self.result.is_some() || self.error.is_some())
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
        let text = self.result.as_ref().map_or("null", |result| result.get());
        serde_json::from_str(text).map_err(Error::Result)
    }
}

fn no_response(response: &Response) -> TransportError {
    let problem = match response.status {
        300..400 => "a redirect, which is not followed",
        _ => "the answer is not a JSON-RPC 2.0 response to the call",
    };
    TransportError {
        message: format!("HTTP status {}: {problem}", response.status),
        status: Some(response.status),
        retry_after: response.retry_after,
    }
}
