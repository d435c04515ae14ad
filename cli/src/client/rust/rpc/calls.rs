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

/// A number that cannot be guessed: the keys of hash tables are random.
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
            Some(answer) if answer.is_of(Some(place.0)) => answer.result(),
            _ => Err(Error::Transport(TransportError {
                message: "the answer is not a JSON-RPC 2.0 response to the call".to_owned(),
                status: Some(200),
                retry_after: None,
            })),
        }
    }
}

