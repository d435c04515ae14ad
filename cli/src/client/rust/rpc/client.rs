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

