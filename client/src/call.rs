//! Calls of a client: their requests, and when they are sent again.
//!
//! A call is repeated only if that is safe: because the procedure is idempotent, because the service knows the call by
//! its key, or because the service says that the call did not run. `response.rs` reads what comes back.

use std::time::Duration;

use docent_core::__private::decode_text;
use docent_core::{BoxFuture, Fault};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::{Instant, sleep, timeout_at};

use crate::client::Client;
use crate::error::ClientError;
use crate::from_fault::DeclaredErrors;
use crate::params::params_to_json;
use crate::response::read_result;
use crate::transport::TransportError;

/// The maximum pause before a repeat. If a service asks for a longer one, the call fails.
const MAX_PAUSE: Duration = Duration::from_secs(30);

impl Client {
    /// Calls a procedure by its name. `params` is anything that serialises to an object, an array or null.
    ///
    /// ```no_run
    /// use docent::Fault;
    /// use docent::client::{Client, ClientError};
    ///
    /// # async fn lend(client: Client) {
    /// match client.call::<String, Fault>("book.lend", &["978-0141439846"]).await {
    ///     Ok(due) => println!("due on {due}"),
    ///     Err(ClientError::Transport(error)) => println!("the service did not answer: {error}"),
    ///     Err(error) => println!("{error}"),
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// See [`ClientError`].
    pub fn call<R: DeserializeOwned + 'static, E: DeclaredErrors>(
        &self,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
    ) -> ResponseFuture<R, E> {
        OutgoingCall::start(self, procedure, params, Safety::Once)
    }

    /// Calls an idempotent procedure. This is a [`call`](Self::call), but sent with GET if the transport is set
    /// up to ([`Http::use_get`](crate::Http::use_get)) and the parameters fit into a URL.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub fn call_idempotent<R: DeserializeOwned + 'static, E: DeclaredErrors>(
        &self,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
    ) -> ResponseFuture<R, E> {
        OutgoingCall::start(self, procedure, params, Safety::Idempotent)
    }

    /// Calls a repeatable procedure. This is a [`call`](Self::call) with a new key: the call runs once, however
    /// often it is sent.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub fn call_repeatable<R: DeserializeOwned + 'static, E: DeclaredErrors>(
        &self,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
    ) -> ResponseFuture<R, E> {
        OutgoingCall::start(self, procedure, params, Safety::Keyed)
    }
}

/// Says whether a call may be sent again although it may have run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Safety {
    /// The call must not be sent again.
    Once,
    /// The procedure is idempotent.
    Idempotent,
    /// The service knows the call by its key.
    Keyed,
}

/// The future of a call. It does not borrow the parameters, which are serialised before.
pub type ResponseFuture<R, E> = BoxFuture<Result<R, ClientError<E>>>;

#[derive(Serialize)]
struct RequestObject<'a> {
    jsonrpc: &'static str,
    method: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    #[serde(rename = "x-idempotency-key", skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
}

/// A call that is ready to be sent.
pub(crate) struct OutgoingCall {
    pub(crate) client: Client,
    procedure: String,
    params: Box<RawValue>,
    pub(crate) body: Vec<u8>,
    /// The id of the request as it is written. A notification has none.
    pub(crate) id: Option<String>,
    safety: Safety,
}

impl OutgoingCall {
    /// Prepares a call. The parameters are serialised before anything is sent, so the future of a call
    /// does not hold them.
    fn start<R: DeserializeOwned + 'static, E: DeclaredErrors>(
        client: &Client,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
        safety: Safety,
    ) -> ResponseFuture<R, E> {
        let call = if client.is_notifying && serde_json::from_str::<R>("null").is_err() {
            let reason = "a notification has no result, but this procedure returns one";
            Err(TransportError::Setup(reason.to_owned()).into())
        } else {
            Self::new(client, procedure, params, safety).map_err(ClientError::Params)
        };
        Box::pin(async move {
            let result = call?.run().await?;
            decode_text(result.get())
                .map_err(|reason| ClientError::Result(serde_json::Error::custom(reason)))
        })
    }

    pub(crate) fn new(
        client: &Client,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
        safety: Safety,
    ) -> serde_json::Result<Self> {
        let params = params_to_json(params)?;
        let (key, safety) = match (&client.key, safety) {
            (Some(key), _) => (Some(key.to_string()), Safety::Keyed),
            (None, Safety::Keyed) => (Some(format!("{:032x}", fastrand::u128(..))), safety),
            (None, _) => (None, safety),
        };
        let id = (!client.is_notifying).then(|| client.next_id());
        let body = serde_json::to_vec(&RequestObject {
            jsonrpc: "2.0",
            method: procedure,
            params: Some(&*params).filter(|params| params.get() != "null"),
            id,
            key: key.as_deref(),
        })?;
        Ok(Self {
            client: client.clone(),
            procedure: procedure.to_owned(),
            params,
            body,
            id: id.map(|id| id.to_string()),
            safety,
        })
    }

    /// Sends the call until it succeeds, fails for good, or has used up its repeats or its time.
    async fn run<E: DeclaredErrors>(self) -> Result<Box<RawValue>, ClientError<E>> {
        let max_repeats = self.client.max_repeats;
        if max_repeats == 0 {
            return self.send().await;
        }
        let timeout = self.client.timeout;
        let deadline = Instant::now() + timeout;
        let mut repeats = 0;
        loop {
            let error = match timeout_at(deadline, self.send()).await {
                Ok(Ok(result)) => return Ok(result),
                Ok(Err(error)) => error,
                Err(_) => TransportError::TimedOut(timeout).into(),
            };
            match self.pause(&error, repeats) {
                Some(pause) if repeats < max_repeats && Instant::now() + pause < deadline => {
                    sleep(pause).await;
                }
                _ => return Err(error),
            }
            repeats += 1;
        }
    }

    /// Sends the call once.
    async fn send<E: DeclaredErrors>(&self) -> Result<Box<RawValue>, ClientError<E>> {
        let transport = &self.client.transport;
        if self.safety == Safety::Idempotent
            && !self.client.is_notifying
            && let Some(sent) = transport.get(&self.procedure, self.params.get())
        {
            // A request with GET has no id.
            let outcome = read_result(sent.await?, Some("null"));
            // A service may answer GET in another format, and asking twice does no harm.
            if !matches!(outcome, Err(ClientError::Malformed(_))) {
                return outcome;
            }
        }
        let received = transport.send(self.body.clone()).await?;
        read_result(received, self.id.as_deref())
    }

    /// Returns how long to wait before the call is sent again, or `None` if it must not be.
    fn pause<E: DeclaredErrors>(&self, error: &ClientError<E>, repeats: u32) -> Option<Duration> {
        // Callers that have failed together do not return together.
        let backoff = Duration::from_millis(fastrand::u64(100..300)) * (1 << repeats.min(6));
        let is_safe = self.safety != Safety::Once;
        match error {
            ClientError::Transport(TransportError::Connect(_) | TransportError::Interrupted(_))
                if is_safe =>
            {
                Some(backoff)
            }
            ClientError::Malformed(response)
                if is_safe && response.received.status == Some(503) =>
            {
                accepted_pause(response.received.retry_after?)
            }
            ClientError::Declared(error) if error.may_be_repeated() => Some(backoff),
            ClientError::Fault(fault) if self.client.is_busy_code(fault.code()) => {
                match retry_after(fault) {
                    Some(pause) => accepted_pause(pause),
                    None => Some(backoff),
                }
            }
            _ => None,
        }
    }
}

/// Returns the pause that a service asks for, unless it is too long to wait.
fn accepted_pause(pause: Duration) -> Option<Duration> {
    (pause <= MAX_PAUSE).then_some(pause)
}

/// Returns the pause that a busy service asks for.
fn retry_after(fault: &Fault) -> Option<Duration> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Busy {
        retry_after: u64,
    }
    let busy: Busy = serde_json::from_str(fault.data()?).ok()?;
    Some(Duration::from_secs(busy.retry_after))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use docent_core::{BoxFuture, Fault};
    use serde::Deserialize;
    use serde::de::DeserializeOwned;
    use serde_json::Value;

    use crate::client::Client;
    use crate::transport::{Received, Transport, TransportError};

    /// Answers each call with this result.
    struct Answering(&'static str);

    impl Transport for Answering {
        fn send(&self, request: Vec<u8>) -> BoxFuture<Result<Received, TransportError>> {
            let request: Value = serde_json::from_slice(&request).expect("JSON");
            let body = format!(
                r#"{{"jsonrpc":"2.0","result":{},"id":{}}}"#,
                self.0, request["id"]
            );
            Box::pin(async move { Ok(Received::new(body)) })
        }
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Size {
        Count(i64),
        Named { pages: u32 },
    }

    async fn result<T: DeserializeOwned + 'static>(text: &'static str) -> Result<T, String> {
        let called = Client::new(Answering(text)).call::<T, Fault>("get", &());
        called.await.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_number_without_a_fraction_is_an_integer_in_any_notation() {
        assert_eq!(result("[1, 1.0, 1e0]").await, Ok([1, 1, 1]));
        assert_eq!(result("1.0").await, Ok(Size::Count(1)));
        let named = Size::Named { pages: 20 };
        assert_eq!(result(r#"{"pages": 20.0}"#).await, Ok(named));
        // A value of any type is kept as it is.
        assert_eq!(result("1.0").await, Ok(Value::from(1.0)));
    }

    #[tokio::test]
    async fn an_integer_that_does_not_fit_is_an_error_with_its_place_and_value() {
        let error = result::<BTreeMap<String, Vec<i64>>>(r#"{"totals": [7, 9223372036854775808]}"#)
            .await
            .expect_err("too large");
        assert_eq!(
            error,
            "the result is not of the expected type: /totals/1: expected an integer within the \
             range of its type, found 9223372036854775808"
        );
        let exact = result(r#"{"totals": [9223372036854775808]}"#).await;
        let expected = BTreeMap::from([("totals".to_owned(), [1_i128 << 63])]);
        assert_eq!(exact, Ok(expected));
    }
}
