type Token = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// A client of the service.
#[derive(Clone)]
pub struct Client<T = Http> {
    url: String,
    transport: T,
    token: Option<Token>,
    repeats: u32,
    use_get: bool,
    timeout: Duration,
    max_response_bytes: usize,
}

impl Client {
    /// Creates a client for the service at this URL.
    ///
    /// # Errors
    /// Fails if TLS cannot be set up.
    pub fn new(url: impl Into<String>) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
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
            timeout: Duration::from_secs(30),
            max_response_bytes: 32 * 1024 * 1024,
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

    /// Sets how long a call may take, with all that is repeated; 30 seconds unless set.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how large a response may be; 32 MiB unless set.
    #[must_use]
    pub fn max_response_bytes(mut self, bytes: usize) -> Self {
        self.max_response_bytes = bytes;
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
        let begun = Instant::now();
        let mut attempt = 0;
        loop {
            let error = match self.attempt(&call, &body, begun).await {
                Ok(result) => return Ok(result),
                Err(error) => error,
            };
            match pause(&error, attempt, call.is_safe()) {
                Some(pause) if attempt < self.repeats && pause < self.left(begun) => {
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
        begun: Instant,
    ) -> Result<T, Error<E>> {
        if let Some(url) = self.query(call) {
            let response = self.exchange(url, None, begun).await;
            let response = response.map_err(Error::Transport)?;
            // What is not answered as JSON-RPC 2.0 may be by POST, and asking twice does no harm.
            if let Some(answer) = answer(&response.body, None) {
                return answer.result();
            }
        }
        let (url, body) = (self.url.clone(), body.to_owned());
        let response = self.exchange(url, Some(body), begun).await;
        let response = response.map_err(Error::Transport)?;
        match answer(&response.body, Some(1)) {
            Some(answer) => answer.result(),
            None => Err(Error::Transport(no_response(&response))),
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
        let begun = Instant::now();
        let mut attempt = 0;
        let response = loop {
            let (url, body) = (self.url.clone(), body.clone());
            let sent = self.exchange(url, Some(body), begun).await;
            let error = match sent {
                Ok(response) => break response,
                Err(error) => Error::Transport(error),
            };
            match pause::<NoErrors>(&error, attempt, !batch.is_unsafe) {
                Some(pause) if attempt < self.repeats && pause < self.left(begun) => {
                    self.transport.pause(pause).await;
                }
                _ => return Err(error),
            }
            attempt += 1;
        };
        if let Ok(answers) = serde_json::from_slice::<Vec<Answer>>(&response.body) {
            let (asked, answered) = (messages.len(), answers.len());
            let mut own = HashMap::new();
            let is_own = |it: Answer| match it.place() {
                Some(place) => place < asked && own.insert(place, it).is_none(),
                None => it.id.is_none(),
            };
            if answers.into_iter().all(is_own) && answered <= asked {
                return Ok(Answers(own));
            }
        }
        match answer(&response.body, None).and_then(|it| it.error) {
            Some(error) => Err(Error::Rpc(error)),
            None => Err(Error::Transport(no_response(&response))),
        }
    }

    /// Sends a call as a notification: it is executed and never answered.
    ///
    /// # Errors
    /// Fails if the request could not be sent.
    pub async fn notify<T, E>(&self, call: Call<T, E>) -> Result<(), Error<NoErrors>> {
        let body = body(&call, None)?;
        let sent = self.exchange(self.url.clone(), Some(body), Instant::now());
        sent.await.map(|_| ()).map_err(Error::Transport)
    }

    /// What is left of the time of a call.
    fn left(&self, begun: Instant) -> Duration {
        self.timeout.saturating_sub(begun.elapsed())
    }

    async fn exchange(
        &self,
        url: String,
        body: Option<String>,
        begun: Instant,
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
            timeout: self.left(begun),
            max_response_bytes: self.max_response_bytes,
        };
        let limit = self.max_response_bytes;
        let (message, status, retry_after) = match self.transport.send(request).await {
            Ok(Response { body, status, .. }) if body.len() > limit => {
                let message = format!("the response is larger than {limit} bytes");
                (message, Some(status), None)
            }
            Ok(it) if it.status != 503 => return Ok(it),
            Ok(it) => (
                "the service is not available".into(),
                Some(503),
                it.retry_after,
            ),
            Err(_) if self.left(begun).is_zero() => {
                let message = format!("no complete response within {:?}", self.timeout);
                (message, None, None)
            }
            Err(reason) => (format!("the call got no answer: {reason}"), None, None),
        };
        Err(TransportError {
            message,
            status,
            retry_after,
        })
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

