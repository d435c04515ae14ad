//! A subscription until its call is answered: the source that its handler gives, and what its connection must grant.
//!
//! ```text
//! → {"jsonrpc": "2.0", "method": "loan.watch", "params": {}, "id": 1}
//! ← {"jsonrpc": "2.0", "result": "s1", "id": 1}
//! ← {"jsonrpc": "2.0", "method": "loan.watch", "params": {"subscription": "s1", "result": {…}, "cursor": "18"}}
//! ```
//!
//! A subscription is a call whose result is an id and whose handler gives a stream. [`source`] turns the stream into what a
//! connection polls: JSON, cursors, and numbers of lost items. Calls find the subscriptions of their connection, a
//! [`Subscriber`], in the extensions; over plain HTTP there is none. It grants a [`NewSubscription`] its permits before the
//! handler runs, so that a refused one costs nothing.
//!
//! Items are polled and never pushed: a handler with a sender would need a queue for each subscriber, which either has no
//! bound or stops the sender. [`Topic`] is the source for many subscribers, and keeps its items once for all of them.
//!
//! How a service registers one is in [`subscriptions`](crate::subscriptions). The [connection](crate::connection) owns it
//! from its response on.

mod item;
mod topic;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use docent_describe::ServiceDescription;
use serde::{Serialize, Serializer};

pub use item::{IntoItem, ItemSource, LAST_CURSOR, SourceItem};
pub(crate) use item::{is_cursor, source};
pub use topic::{Following, Published, Topic};

use crate::call::{Call, Gauge, Permit};
use crate::code;
use crate::fault::Fault;
use crate::limits::Limits;
use crate::panic::lock;

/// The subscriptions of a connection, as its calls see them.
#[derive(Debug)]
pub(crate) struct Subscriber {
    gauge: Arc<Gauge>,
    /// Counts the responses with events, if the connection is one.
    streams: Option<Arc<Gauge>>,
    /// The cursor that takes the place of the resume parameter.
    pub(crate) cursor: Option<String>,
    /// The number of the last subscription. None has the same again.
    last: AtomicU64,
    /// The subscriptions whose answer is queued, and whose end is not.
    open: Mutex<BTreeSet<SubscriptionId>>,
}

/// The id of a subscription in its connection: `s` and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SubscriptionId(u64);

impl SubscriptionId {
    /// Reads an id as a peer sends it.
    fn parse(text: &str) -> Option<Self> {
        let id = Self(text.strip_prefix('s')?.parse().ok()?);
        // A number can be written in several ways.
        (id.to_string() == text).then_some(id)
    }
}

impl fmt::Display for SubscriptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}", self.0)
    }
}

impl Serialize for SubscriptionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Subscriber {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            gauge: Arc::new(Gauge::new(limits.max_connection_subscriptions)),
            streams: None,
            cursor: None,
            last: AtomicU64::new(0),
            open: Mutex::default(),
        }
    }

    /// Creates the subscriber of an exchange, whose response is its only subscription.
    pub(crate) fn of_exchange(streams: &Arc<Gauge>, cursor: Option<String>) -> Self {
        Self {
            gauge: Arc::new(Gauge::new(1)),
            streams: Some(Arc::clone(streams)),
            cursor,
            last: AtomicU64::new(0),
            open: Mutex::default(),
        }
    }

    /// Returns whether its only subscription is a response. No message can end that: the caller closes the response.
    pub(crate) fn is_exchange(&self) -> bool {
        self.streams.is_some()
    }

    pub(crate) fn open(&self, id: SubscriptionId) {
        lock(&self.open).insert(id);
    }

    /// Closes a subscription. Returns false if it is not open.
    pub(crate) fn close(&self, id: SubscriptionId) -> bool {
        lock(&self.open).remove(&id)
    }

    /// Closes the subscription that a peer names. Returns false if none is open that has this id.
    pub(crate) fn close_named(&self, id: &str) -> bool {
        SubscriptionId::parse(id).is_some_and(|id| self.close(id))
    }

    pub(crate) fn is_open(&self, id: SubscriptionId) -> bool {
        lock(&self.open).contains(&id)
    }

    pub(crate) fn open_count(&self) -> usize {
        lock(&self.open).len()
    }
}

/// A subscription that a call opens. It has its permits before the handler starts.
pub(crate) struct NewSubscription {
    subscriber: Arc<Subscriber>,
    /// The permits of the connection, of the service, and of its response.
    pub(crate) permits: Vec<Permit>,
    /// Set once the handler has given its source.
    pub(crate) opened: Option<OpenedSource>,
}

/// The source of a subscription, with the call that has opened it.
pub(crate) struct OpenedSource {
    pub(crate) id: SubscriptionId,
    pub(crate) call: Arc<Call>,
    pub(crate) items: ItemSource,
}

impl NewSubscription {
    /// Creates a subscription, if the connection and the service can have one more. `all` counts those of the service.
    pub(crate) fn new(subscriber: &Arc<Subscriber>, all: &Arc<Gauge>) -> Result<Box<Self>, Fault> {
        let mut permits = vec![
            permit(&subscriber.gauge, |limit| {
                format!(
                    "a connection may have {limit} subscriptions (max_connection_subscriptions)"
                )
            })?,
            permit(all, |limit| {
                format!("the service may have {limit} subscriptions (max_subscriptions)")
            })?,
        ];
        if let Some(streams) = &subscriber.streams {
            permits.push(permit(streams, streams_reason)?);
        }
        Ok(Box::new(Self {
            subscriber: Arc::clone(subscriber),
            permits,
            opened: None,
        }))
    }

    /// Takes the source, and returns the id of the subscription.
    pub(crate) fn open(&mut self, call: Arc<Call>, items: ItemSource) -> SubscriptionId {
        let last = self.subscriber.last.fetch_add(1, Ordering::Relaxed);
        let id = SubscriptionId(last + 1);
        self.opened = Some(OpenedSource { id, call, items });
        id
    }
}

/// Takes a permit for a subscription.
fn permit(gauge: &Arc<Gauge>, reason: impl FnOnce(usize) -> String) -> Result<Permit, Fault> {
    let limit = gauge.limit();
    Permit::take(gauge)
        .ok_or_else(|| Fault::over_limit(code::TOO_MANY_SUBSCRIPTIONS, limit, reason(limit)))
}

/// Returns the reason why no more streams can be opened.
pub(crate) fn streams_reason(limit: usize) -> String {
    format!("the service may have {limit} WebSockets and responses with events (max_streams)")
}

/// Returns the error for what only a connection can carry, with the carriers of the service that could.
pub(crate) fn needs_connection(description: &ServiceDescription, cannot: &[&str]) -> Fault {
    let carriers: Vec<&str> = description
        .carriers
        .iter()
        .map(|carrier| &*carrier.name)
        .filter(|name| !cannot.contains(name))
        .collect();
    let data = BTreeMap::from([("carriers", carriers)]);
    Fault::protocol(code::NEEDS_A_CONNECTION).set_data(&data)
}
