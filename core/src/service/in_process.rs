//! Typed calls of a service in process.
//!
//! A call in process is written and read as JSON like any other: what a test or another part of the
//! program sees is what a caller gets.

use std::sync::Arc;

use docent_describe::json::{PRIVATE_PREFIX, find_private_name};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::entrance::Incoming;
use super::state::Service;
use crate::extensions::{Extensions, Fields};
use crate::identity::Identity;

/// The error of a call in process.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The parameters cannot be serialised.
    #[error("the parameters cannot be serialised: {0}")]
    Params(#[source] serde_json::Error),
    /// The result does not have the expected type.
    #[error("the result is not of the expected type: {0}")]
    Result(#[source] serde_json::Error),
    /// The procedure returned an error.
    #[error("{message} ({code}){}", suffix(data.as_ref()))]
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

fn suffix(data: Option<&serde_json::Value>) -> String {
    data.map_or(String::new(), |data| format!(": {data}"))
}

/// Fields that are added one by one.
#[derive(Default)]
struct NamedFields(Vec<(String, Vec<u8>)>);

impl Fields for NamedFields {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        self.0
            .iter()
            .filter(|(other, _)| other.eq_ignore_ascii_case(name))
            .nth(index)
            .map(|(_, value)| &**value)
    }
}

/// A request as it is sent to the service.
#[derive(Serialize)]
struct SentRequest<'a> {
    jsonrpc: &'static str,
    method: &'a str,
    params: &'a RawValue,
    id: u8,
}

#[derive(Deserialize)]
struct ReceivedResponse<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ErrorObject>,
}

#[derive(Deserialize)]
pub(crate) struct ErrorObject {
    code: i64,
    message: String,
    data: Option<serde_json::Value>,
}

/// Reads a message of the service. Names that would make `serde_json` decode something else than what stands there are
/// refused, as they are in parameters.
pub(crate) fn read<'m, T: Deserialize<'m>>(message: &'m [u8]) -> serde_json::Result<T> {
    let message = str::from_utf8(message).map_err(serde_json::Error::custom)?;
    let decoded = serde_json::from_str(message)?;
    if find_private_name(message).is_some() {
        return Err(serde_json::Error::custom(format!(
            "it has a member whose name begins with {PRIVATE_PREFIX}"
        )));
    }
    Ok(decoded)
}

impl Service {
    /// Calls a procedure in process, through the same decoding, checks and handler as a remote
    /// call. `params` may be anything that serialises to an object, an array or null.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
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
    /// Returns the error of the procedure as [`CallError::Fault`]. The other kinds mean that the
    /// parameters or the result could not be converted.
    pub async fn call<R: DeserializeOwned>(
        &self,
        procedure: &str,
        params: &impl Serialize,
    ) -> Result<R, CallError> {
        self.request(procedure, params).call().await
    }

    /// Prepares a call in process that needs more than parameters, such as header fields.
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c22")
    ///     .procedure(Procedure::sync("hello", |cx: Cx, (): ()| {
    ///         let language = cx.field("Accept-Language").next();
    ///         Ok::<_, Fault>(if language == Some(b"is") { "halló" } else { "hello" })
    ///     }))
    ///     .build()?;
    /// let greeting: String = service
    ///     .request("hello", &())
    ///     .field("Accept-Language", "is")
    ///     .call()
    ///     .await?;
    /// assert_eq!(greeting, "halló");
    /// # Ok(())
    /// # }
    /// ```
    pub fn request<'a, P: Serialize + ?Sized>(
        &'a self,
        procedure: &'a str,
        params: &P,
    ) -> PreparedCall<'a> {
        PreparedCall {
            service: self,
            procedure,
            params: serde_json::value::to_raw_value(params),
            fields: NamedFields::default(),
            extensions: Extensions::new(),
        }
    }
}

/// A call in process, created by [`Service::request`].
#[must_use = "a prepared call does nothing until `call()`"]
pub struct PreparedCall<'a> {
    service: &'a Service,
    procedure: &'a str,
    /// The parameters as JSON, or the error with which [`call`](Self::call) fails.
    params: serde_json::Result<Box<RawValue>>,
    fields: NamedFields,
    extensions: Extensions,
}

impl PreparedCall<'_> {
    /// Adds a field, as a header field is added to an HTTP request. Guards read it with
    /// [`CallInfo::field`](crate::CallInfo::field), handlers with [`Cx::field`](crate::Cx::field).
    pub fn field(mut self, name: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        self.fields.0.push((name.into(), value.into()));
        self
    }

    /// Attaches a value, as a transport does. Handlers get it with
    /// [`Cx::extension`](crate::Cx::extension).
    pub fn extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Sets the caller. The service's authenticator for this type then does not run.
    pub fn caller(mut self, caller: impl Identity) -> Self {
        self.extensions.set_caller(caller);
        self
    }

    /// Attaches fields of a transport, such as `docent::Headers`, in place of those that were
    /// added one by one. Handlers also get them as an extension.
    pub fn fields<T: Fields>(mut self, fields: T) -> Self {
        self.extensions.insert_fields(fields);
        self
    }

    /// Makes the call.
    ///
    /// # Errors
    /// As for [`Service::call`].
    pub async fn call<R: DeserializeOwned>(self) -> Result<R, CallError> {
        let service = self.service;
        let (body, extensions) = self.into_message()?;
        let incoming = Incoming::new(body).extensions(Arc::new(extensions));
        let reply = service.exchange(incoming).await;
        read_response(&reply.body().unwrap_or_default())
    }

    pub(crate) fn service(&self) -> &Service {
        self.service
    }

    pub(crate) fn procedure(&self) -> &str {
        self.procedure
    }

    /// Returns the request, and the values that are attached to it.
    pub(crate) fn into_message(self) -> Result<(Vec<u8>, Extensions), CallError> {
        let params = self.params.map_err(CallError::Params)?;
        let request = SentRequest {
            jsonrpc: "2.0",
            method: self.procedure,
            params: &params,
            id: 0,
        };
        let body = serde_json::to_vec(&request).map_err(CallError::Params)?;
        let mut extensions = self.extensions;
        if !extensions.has_fields() {
            extensions.insert_fields(self.fields);
        }
        Ok((body, extensions))
    }
}

/// Reads the result in the response to a call, or its error.
pub(crate) fn read_response<R: DeserializeOwned>(response: &[u8]) -> Result<R, CallError> {
    let response: ReceivedResponse<'_> = read(response).map_err(CallError::Result)?;
    match response.error {
        Some(error) => Err(error.into()),
        // A result of `null` is read as an absent one.
        None => serde_json::from_str(response.result.map_or("null", RawValue::get))
            .map_err(CallError::Result),
    }
}

impl From<ErrorObject> for CallError {
    fn from(error: ErrorObject) -> Self {
        Self::Fault {
            code: error.code,
            message: error.message,
            data: error.data,
        }
    }
}
