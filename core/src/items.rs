//! Typed subscriptions in process.
//!
//! As with calls, what a test or another part of the program sees is what a subscriber gets: the items pass
//! through a [`Connection`] and are read from its messages.

use std::future::poll_fn;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::Stream;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::connection::Connection;
use crate::service::{CallError, ErrorObject, PreparedCall, Service, read, read_response};

/// The items of a subscription in process, created by [`Service::subscribe`]. Dropping it unsubscribes.
///
/// An `Err` is the last item: the error with which the subscription has ended, or an item of another type.
#[derive(Debug)]
#[must_use = "a subscription yields items only while it is polled"]
pub struct Items<T> {
    /// `None` after the end.
    connection: Option<Connection>,
    item: PhantomData<fn() -> T>,
}

/// An item of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item<T> {
    /// The item itself.
    pub value: T,
    /// The cursor with which a subscription resumes after this item, if it can be resumed.
    pub cursor: Option<String>,
    /// The number of items that were lost since the one before.
    pub missed: u64,
}

impl<T> Item<T> {
    /// Creates an item, for clients.
    #[doc(hidden)]
    pub fn new(value: T, cursor: Option<String>, missed: u64) -> Self {
        Self {
            value,
            cursor,
            missed,
        }
    }
}

/// A message of a subscription: an item, or the end.
#[derive(Deserialize)]
struct ReceivedNotification<'a> {
    #[serde(borrow)]
    params: ReceivedItem<'a>,
}

#[derive(Deserialize)]
struct ReceivedItem<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    cursor: Option<String>,
    #[serde(default)]
    missed: u64,
    error: Option<ErrorObject>,
}

impl Service {
    /// Subscribes in process. `params` may be anything that serialises to an object, an array or null. For an example,
    /// see [`Subscription`](crate::Subscription).
    ///
    /// # Errors
    /// As for [`call`](Self::call). A procedure that is not a subscription gives [`CallError::Result`]; unless its name
    /// is reserved, it is not called.
    pub async fn subscribe<T: DeserializeOwned>(
        &self,
        subscription: &str,
        params: &impl Serialize,
    ) -> Result<Items<T>, CallError> {
        self.request(subscription, params).subscribe().await
    }
}

impl PreparedCall<'_> {
    /// Subscribes, and returns the items.
    ///
    /// # Errors
    /// As for [`Service::subscribe`].
    pub async fn subscribe<T: DeserializeOwned>(self) -> Result<Items<T>, CallError> {
        let service = self.service().clone();
        let name = self.procedure();
        let not_a_subscription = CallError::Result(serde_json::Error::custom(format_args!(
            "{name:?} is not a subscription"
        )));
        for procedure in &service.description().procs {
            if procedure.name == name && procedure.subscription.is_none() {
                return Err(not_a_subscription);
            }
        }
        let (body, extensions) = self.into_message()?;
        let mut connection = Connection::new(service, extensions);
        connection.receive(body);
        let response = poll_fn(|cx| poll_body(&mut connection, cx)).await;
        read_response::<serde_json::Value>(&response)?;
        // A description does not list procedures such as `rpc.describe`.
        if !connection.has_subscriptions() {
            return Err(not_a_subscription);
        }
        Ok(Items {
            connection: Some(connection),
            item: PhantomData,
        })
    }
}

impl<T: DeserializeOwned> Stream for Items<T> {
    type Item = Result<Item<T>, CallError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(connection) = &mut self.connection else {
            return Poll::Ready(None);
        };
        let body = ready!(poll_body(connection, cx));
        let item = read_item(&body).transpose();
        if !matches!(item, Some(Ok(_))) {
            self.connection = None;
        }
        Poll::Ready(item)
    }
}

/// Returns the next message, which counts as written; an empty one at the end.
fn poll_body(connection: &mut Connection, cx: &mut Context<'_>) -> Poll<Vec<u8>> {
    let Some(message) = ready!(connection.poll(cx)) else {
        return Poll::Ready(Vec::new());
    };
    let body = message.into_body();
    connection.written(body.len());
    Poll::Ready(body)
}

/// Reads a message. Returns `None` for the end of a subscription without an error, for which a service may send nothing.
fn read_item<T: DeserializeOwned>(body: &[u8]) -> Result<Option<Item<T>>, CallError> {
    if body.is_empty() {
        return Ok(None);
    }
    let message: ReceivedNotification<'_> = read(body).map_err(CallError::Result)?;
    let params = message.params;
    if let Some(error) = params.error {
        return Err(error.into());
    }
    let Some(value) = params.result else {
        return Ok(None);
    };
    Ok(Some(Item {
        value: serde_json::from_str(value.get()).map_err(CallError::Result)?,
        cursor: params.cursor,
        missed: params.missed,
    }))
}
