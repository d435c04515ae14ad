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

