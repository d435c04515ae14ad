//! Subscriptions: a stream of items, which resumes after its connection is lost.
//!
//! ```text
//! subscribe ─► item (cursor 7) ─► item (cursor 8) ─► lost ─ pause ─► subscribe after 8 ─► item (cursor 9) ─► …
//! ```
//!
//! [`Client::subscribe`] makes the first connection, so that an error of the call is returned there. If a later connection
//! is lost, or the service ends it because it shuts down, the client subscribes again with the cursor of the last item, so
//! that no item is missed or repeated. Without a cursor, the missed items are unknown, so the items end with an
//! error.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use docent_core::__private::decode_text;
use docent_core::carrier::LAST_CURSOR;
use docent_core::{Item, code};
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt as _};
use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use tokio::time::sleep;

use crate::call::{OutgoingCall, ResponseFuture, Safety};
use crate::client::Client;
use crate::error::ClientError;
use crate::events::Event;
use crate::from_fault::DeclaredErrors;
use crate::response::{ItemMessage, read_item, read_result};
use crate::transport::{EventBody, Received, Subscribed, TransportError};

/// The maximum number of attempts to resume that fail one after the other.
const MAX_ATTEMPTS: u32 = 10;

/// The pauses before attempts to resume, unless the service has set one: they double from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);

impl Client {
    /// Subscribes, and returns the items as they come. `params` is anything that serialises to an object, an array or
    /// null.
    ///
    /// A subscription whose items have cursors resumes after lost connections and restarts of the service, with up to 10
    /// attempts. Dropping the items unsubscribes.
    ///
    /// ```no_run
    /// use docent::Fault;
    /// use docent::client::{Client, ClientError};
    /// use futures_util::StreamExt as _;
    ///
    /// # async fn follow(client: Client) -> Result<(), ClientError<Fault>> {
    /// let mut loans = client.subscribe::<u64, Fault>("loan.watch", &()).await?;
    /// while let Some(loan) = loans.next().await {
    ///     println!("loan {}", loan?.value);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// See [`ClientError`]. The service has answered with an error before the first item, or could not be reached. An
    /// error after that is the last item.
    pub fn subscribe<T: DeserializeOwned + 'static, E: DeclaredErrors>(
        &self,
        subscription: &str,
        params: &(impl Serialize + ?Sized),
    ) -> ResponseFuture<Items<T, E>, E> {
        let call = OutgoingCall::new(self, subscription, params, Safety::Once);
        Box::pin(async move {
            let mut resumable = ResumableSubscription {
                call: call.map_err(ClientError::Params)?,
                events: None,
                cursor: None,
                pause: None,
                failures: 0,
                types: PhantomData,
            };
            resumable.events = Some(resumable.connect().await?);
            let items = stream::unfold(Some(resumable), async |resumable| {
                let mut resumable = resumable?;
                let item = resumable.next().await?;
                // An error is the last item.
                let rest = if item.is_ok() { Some(resumable) } else { None };
                Some((item, rest))
            });
            Ok(Items(Box::pin(items)))
        })
    }
}

/// The items of a subscription, from [`Client::subscribe`]. Dropping it unsubscribes.
///
/// An `Err` is the last item: the error with which the service has ended the subscription, or the reason why it could not
/// be resumed.
#[must_use = "a subscription yields items only while it is polled"]
pub struct Items<T, E>(BoxStream<'static, Result<Item<T>, ClientError<E>>>);

impl<T, E> Stream for Items<T, E> {
    type Item = Result<Item<T>, ClientError<E>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx)
    }
}

impl<T, E> fmt::Debug for Items<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// A subscription, with what it needs to resume.
struct ResumableSubscription<T, E> {
    call: OutgoingCall,
    /// The events of the connection; `None` while there is none.
    events: Option<EventBody>,
    /// The cursor of the last item.
    cursor: Option<String>,
    /// The pause before the next attempt to resume, if the service has set it.
    pause: Option<Duration>,
    /// The attempts that have failed since the last item.
    failures: u32,
    types: PhantomData<fn() -> (T, E)>,
}

impl<T: DeserializeOwned, E: DeclaredErrors> ResumableSubscription<T, E> {
    /// Returns the next item; `None` after the last.
    async fn next(&mut self) -> Option<Result<Item<T>, ClientError<E>>> {
        loop {
            let lost = match &mut self.events {
                None => match self.connect().await {
                    Ok(events) => {
                        self.events = Some(events);
                        continue;
                    }
                    Err(error) => error,
                },
                Some(events) => match events.next().await {
                    Some(Ok(event)) => match self.read(event) {
                        EventMeaning::Nothing => continue,
                        EventMeaning::Item(item) => return Some(item),
                        EventMeaning::End => return None,
                        EventMeaning::GoingAway(error) => error,
                    },
                    Some(Err(error)) => error.into(),
                    None => stream_has_ended(),
                },
            };
            self.events = None;
            if !self.may_resume_after(&lost) {
                return Some(Err(lost));
            }
            sleep(self.next_pause()).await;
        }
    }

    /// Subscribes, and returns the events after the response.
    async fn connect(&mut self) -> Result<EventBody, ClientError<E>> {
        let transport = &self.call.client.transport;
        let body = self.call.body.clone();
        let Some(subscribed) = transport.subscribe(body, self.cursor.as_deref()) else {
            let reason = "this transport carries no subscriptions";
            return Err(TransportError::Setup(reason.to_owned()).into());
        };
        let id = self.call.id.as_deref();
        match subscribed.await? {
            Subscribed::Events(mut events) => {
                let mut response = Event::default();
                while response.data.is_empty() {
                    response = events.next().await.ok_or_else(stream_has_ended)??;
                    self.pause = response.retry.or(self.pause);
                }
                read_result(Received::new(response.data), id)?;
                Ok(events)
            }
            Subscribed::Refused(received) => {
                read_result(received, id)?;
                let reason = "a call has been answered that is no subscription";
                Err(ClientError::Result(serde_json::Error::custom(reason)))
            }
        }
    }

    fn read(&mut self, event: Event) -> EventMeaning<T, E> {
        self.pause = event.retry.or(self.pause);
        let is_last = event.id.as_deref() == Some(LAST_CURSOR);
        if event.data.is_empty() {
            // A service that sends no ends still marks the last event, so that nothing is resumed.
            return if is_last {
                EventMeaning::End
            } else {
                EventMeaning::Nothing
            };
        }
        match read_item(event.data) {
            Ok(ItemMessage::Item {
                value,
                cursor,
                missed,
            }) => {
                self.failures = 0;
                self.cursor = cursor.or(event.id).or(self.cursor.take());
                let value = decode_text(value.get())
                    .map_err(|reason| ClientError::Result(serde_json::Error::custom(reason)));
                let cursor = self.cursor.clone();
                EventMeaning::Item(value.map(|value| Item::new(value, cursor, missed)))
            }
            Ok(ItemMessage::Ended) => EventMeaning::End,
            Ok(ItemMessage::Failed { code, error }) => {
                if code == code::GOING_AWAY && !is_last {
                    EventMeaning::GoingAway(error)
                } else {
                    EventMeaning::Item(Err(error))
                }
            }
            Err(malformed) => EventMeaning::Item(Err(malformed)),
        }
    }

    /// Returns whether to subscribe again after an error: if another attempt may succeed, and would miss nothing.
    fn may_resume_after(&self, error: &ClientError<E>) -> bool {
        let may_succeed = match error {
            ClientError::Transport(
                TransportError::Connect(_)
                | TransportError::Interrupted(_)
                | TransportError::TimedOut(_),
            ) => true,
            ClientError::Fault(fault) => {
                fault.code() == code::GOING_AWAY || self.call.client.is_busy_code(fault.code())
            }
            // Such as a page of a proxy whose service is restarting.
            ClientError::Malformed(response) => {
                matches!(response.received.status, Some(502..=504))
            }
            _ => false,
        };
        may_succeed && self.cursor.is_some() && self.failures < MAX_ATTEMPTS
    }

    /// Returns the pause before the next attempt to resume.
    fn next_pause(&mut self) -> Duration {
        let failures = self.failures;
        self.failures += 1;
        // A service that shuts down draws it at random, and may not be back earlier.
        self.pause.take().unwrap_or_else(|| random_pause(failures))
    }
}

/// Returns a pause after this number of failed attempts. It is drawn at random, so that clients that have lost their
/// connections together do not return together.
fn random_pause(failures: u32) -> Duration {
    let doubled = FIRST_PAUSE * (1 << failures.min(5));
    let pause = doubled.min(LAST_PAUSE);
    pause.mul_f64(0.5 + fastrand::f64() / 2.0)
}

fn stream_has_ended<E>() -> ClientError<E> {
    TransportError::Interrupted("the stream has ended".to_owned()).into()
}

/// The meaning of an event.
enum EventMeaning<T, E> {
    /// It only sets the pause before the next attempt to resume.
    Nothing,
    Item(Result<Item<T>, ClientError<E>>),
    End,
    /// The service shuts down, and may be back soon.
    GoingAway(ClientError<E>),
}
