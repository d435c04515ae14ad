//! Calling a service in process, with types.

use std::fmt;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::state::Service;

/// The error of a call in process.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The parameters cannot be serialised.
    Params(serde_json::Error),
    /// The result does not have the expected type.
    Result(serde_json::Error),
    /// The procedure returned an error.
    Fault {
        /// The error code.
        code: i64,
        /// The message, a short sentence.
        message: String,
        /// The error's data.
        data: Option<serde_json::Value>,
    },
}

impl CallError {
    /// Returns the code of the error that the procedure returned.
    pub fn code(&self) -> Option<i64> {
        match self {
            Self::Fault { code, .. } => Some(*code),
            _ => None,
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Params(error) => write!(f, "the parameters cannot be serialised: {error}"),
            Self::Result(error) => write!(f, "the result is not of the expected type: {error}"),
            Self::Fault {
                code,
                message,
                data: None,
            } => write!(f, "{message} ({code})"),
            Self::Fault {
                code,
                message,
                data: Some(data),
            } => {
                write!(f, "{message} ({code}): {data}")
            }
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Params(error) | Self::Result(error) => Some(error),
            Self::Fault { .. } => None,
        }
    }
}

#[derive(Serialize)]
struct Request<'a, P> {
    jsonrpc: &'static str,
    method: &'a str,
    params: &'a P,
    id: u8,
}

#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ErrorObject>,
    #[serde(rename = "id")]
    _id: IgnoredAny,
}

#[derive(Deserialize)]
struct ErrorObject {
    code: i64,
    message: String,
    data: Option<serde_json::Value>,
}

impl Service {
    /// Calls a procedure in process, through the same decoding, checks and handler as a remote
    /// call. `params` may be anything that serialises to an object, an array or null.
    ///
    /// ```
    /// # use docent_core::{Cx, Fault, Procedure, Service};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c11")
    ///     .procedure(Procedure::sync("hello", |_: Cx<()>, (): ()| Ok::<_, Fault>("hello")))
    ///     .build()?;
    /// let greeting: String = service.call("hello", &()).await?;
    /// assert_eq!(greeting, "hello");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`CallError`] with the code and data of the procedure's error.
    pub async fn call<R: DeserializeOwned>(
        &self,
        procedure: &str,
        params: &impl Serialize,
    ) -> Result<R, CallError> {
        let request = Request {
            jsonrpc: "2.0",
            method: procedure,
            params,
            id: 0,
        };
        let body = serde_json::to_vec(&request).map_err(CallError::Params)?;
        let answer = self.handle(body).await.unwrap_or_default();
        let response: Response<'_> = serde_json::from_slice(&answer).map_err(CallError::Result)?;
        match response.error {
            Some(ErrorObject {
                code,
                message,
                data,
            }) => Err(CallError::Fault {
                code,
                message,
                data,
            }),
            // An absent result has been read from `null`, which is a result too.
            None => serde_json::from_str(response.result.map_or("null", RawValue::get))
                .map_err(CallError::Result),
        }
    }
}
