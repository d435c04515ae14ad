//! One call: its request, its response, and its repeats.

use std::convert::Infallible;
use std::future::ready;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use docent_core::__private::Finite;
use docent_core::{BoxFuture, Fault, code};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use tokio::time::{Instant, sleep, timeout_at};

use crate::client::Client;
use crate::error::{ClientError, TransportError};
use crate::from_fault::{FromFault, read};
use crate::response::{ExpectedId, result};

/// The longest pause that a service can ask for before a repeat.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How often calls that have failed are repeated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repeats {
    pub(crate) most: u32,
    /// The time for a call with all its repeats.
    pub(crate) time: Duration,
    /// The codes of a service that was too busy to run a call.
    pub(crate) busy: &'static [i64],
}

impl Repeats {
    pub(crate) const NONE: Self = Self {
        most: 0,
        time: Duration::ZERO,
        busy: &[code::BUSY, code::TOO_MANY_REQUESTS, code::STILL_RUNNING],
    };
}

/// Says whether a call may be sent again although it may have run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Safety {
    /// It must not be.
    Once,
    /// The procedure is idempotent.
    Idempotent,
    /// The service knows the call by its key.
    Keyed,
}

/// The result of a call as it is on the wire, or its error, declared or not.
pub(crate) type UntypedOutcome = Result<Box<RawValue>, ClientError<Infallible>>;

#[derive(Serialize)]
struct Request<'a> {
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
pub(crate) struct Call {
    client: Client,
    procedure: String,
    params: Box<RawValue>,
    body: Vec<u8>,
    expected: ExpectedId,
    safety: Safety,
    /// Returns whether a fault is a declared error after which the same call may succeed.
    may_be_repeated: fn(&Fault) -> bool,
}

impl Call {
    /// Prepares a call. The parameters are serialised before anything is sent, so the future of a call
    /// does not hold them.
    pub(crate) fn start<R, E>(
        client: &Client,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
        safety: Safety,
    ) -> ResponseFuture<R, E>
    where
        R: DeserializeOwned,
        E: for<'fault> FromFault<'fault>,
    {
        let outcome: BoxFuture<UntypedOutcome> =
            if client.is_notifying && serde_json::from_str::<R>("null").is_err() {
                let reason = "a notification has no result, but this procedure returns one";
                let error = TransportError::Setup(reason.to_owned());
                Box::pin(ready(Err(ClientError::Transport(error))))
            } else {
                match Self::new(client, procedure, params, safety) {
                    Ok(mut call) => {
                        call.may_be_repeated =
                            |fault| read::<E>(fault).is_some_and(|error| error.may_be_repeated());
                        Box::pin(call.run())
                    }
                    Err(error) => Box::pin(ready(Err(ClientError::Params(error)))),
                }
            };
        ResponseFuture {
            outcome,
            types: PhantomData,
        }
    }

    fn new(
        client: &Client,
        procedure: &str,
        params: &(impl Serialize + ?Sized),
        safety: Safety,
    ) -> serde_json::Result<Self> {
        let params = to_raw_value(&Finite(params))?;
        let new_key = || format!("{:032x}", fastrand::u128(..));
        let (key, safety) = match (&client.key, safety) {
            (Some(key), _) => (Some(key.to_string()), Safety::Keyed),
            (None, Safety::Keyed) => (Some(new_key()), safety),
            (None, _) => (None, safety),
        };
        let id = (!client.is_notifying).then(|| client.next_id());
        let body = serde_json::to_vec(&Request {
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
            expected: id.map_or(ExpectedId::Nothing, ExpectedId::Id),
            safety,
            may_be_repeated: |_| false,
        })
    }

    async fn run(self) -> UntypedOutcome {
        let Repeats { most, time, .. } = self.client.repeats;
        if most == 0 {
            return self.send().await;
        }
        let deadline = Instant::now() + time;
        let mut repeats = 0;
        loop {
            let late = |_| Err(ClientError::Transport(TransportError::TimedOut(time)));
            let sent = timeout_at(deadline, self.send()).await;
            let error = match sent.unwrap_or_else(late) {
                Ok(result) => return Ok(result),
                Err(error) => error,
            };
            match self.pause(&error, repeats) {
                Some(pause) if repeats < most && Instant::now() + pause < deadline => {
                    sleep(pause).await;
                }
                _ => return Err(error),
            }
            repeats += 1;
        }
    }

    /// Sends the call once.
    async fn send(&self) -> UntypedOutcome {
        let transport = &self.client.transport;
        if self.safety == Safety::Idempotent
            && !self.client.is_notifying
            && let Some(sent) = transport.get(&self.procedure, self.params.get())
        {
            let received = sent.await.map_err(ClientError::Transport)?;
            let outcome = result(received, ExpectedId::Null);
            // A service may answer GET in another format, and asking twice does no harm.
            if !matches!(outcome, Err(ClientError::Malformed(_))) {
                return outcome;
            }
        }
        let received = transport.send(self.body.clone()).await;
        result(received.map_err(ClientError::Transport)?, self.expected)
    }

    /// Returns how long to wait before the call is sent again, or `None` if it must not be.
    fn pause(&self, error: &ClientError<Infallible>, repeats: u32) -> Option<Duration> {
        // Callers that have failed together do not come back together.
        let grown = Duration::from_millis(fastrand::u64(100..300)) * (1 << repeats.min(6));
        let wanted = |pause: Duration| (pause <= LONGEST_PAUSE).then_some(pause);
        let is_safe = self.safety != Safety::Once;
        match error {
            ClientError::Transport(TransportError::Connect(_) | TransportError::Interrupted(_))
                if is_safe =>
            {
                Some(grown)
            }
            ClientError::Malformed(response) if is_safe && response.status() == Some(503) => {
                wanted(response.retry_after()?)
            }
            ClientError::Fault(fault) if (self.may_be_repeated)(fault) => Some(grown),
            ClientError::Fault(fault) if self.client.repeats.busy.contains(&fault.code()) => {
                retry_after(fault).map_or(Some(grown), wanted)
            }
            _ => None,
        }
    }
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

/// The future of a call, which does not hold its parameters.
#[must_use = "a call is not made until its future is awaited"]
pub struct ResponseFuture<R, E> {
    outcome: BoxFuture<UntypedOutcome>,
    types: PhantomData<fn() -> (R, E)>,
}

impl<R, E> Future for ResponseFuture<R, E>
where
    R: DeserializeOwned,
    E: for<'fault> FromFault<'fault>,
{
    type Output = Result<R, ClientError<E>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let outcome = self.outcome.as_mut().poll(context);
        outcome.map(|outcome| match outcome {
            Ok(result) => serde_json::from_str(result.get()).map_err(ClientError::Result),
            Err(error) => Err(error.declare()),
        })
    }
}
