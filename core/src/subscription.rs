//! A subscription until its call is answered: the source that its handler gives, and what its connection must grant.
//!
//! How a service registers one is in [`subscriptions`](crate::subscriptions). The [connection](crate::connection) owns it
//! afterwards. Calls find the subscriptions of their connection, a
//! [`Subscriber`], in the extensions; over plain HTTP there is none.

mod item;
mod topic;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use docent_describe::ServiceDescription;

pub(crate) use item::source;
pub use item::{IntoItem, ItemSource, SourceItem};
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
    /// The number of the last subscription. None has the same again.
    last: AtomicU64,
    /// The ids of the subscriptions whose answer is queued, and whose end is not.
    open: Mutex<BTreeSet<String>>,
}

impl Subscriber {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            gauge: Arc::new(Gauge::new(limits.max_connection_subscriptions)),
            last: AtomicU64::new(0),
            open: Mutex::default(),
        }
    }

    pub(crate) fn open(&self, id: &str) {
        lock(&self.open).insert(id.to_owned());
    }

    /// Closes a subscription. Returns false if it is not open.
    pub(crate) fn close(&self, id: &str) -> bool {
        lock(&self.open).remove(id)
    }

    pub(crate) fn is_open(&self, id: &str) -> bool {
        lock(&self.open).contains(id)
    }

    pub(crate) fn open_count(&self) -> usize {
        lock(&self.open).len()
    }
}

/// A subscription that a call opens. It has its permits before the handler starts.
pub(crate) struct NewSubscription {
    subscriber: Arc<Subscriber>,
    /// The permits of the connection and of the service.
    pub(crate) permits: [Permit; 2],
    /// Set once the handler has given its source.
    pub(crate) opened: Option<OpenedSource>,
}

/// The source of a subscription, with the call that has opened it.
pub(crate) struct OpenedSource {
    pub(crate) id: String,
    pub(crate) call: Arc<Call>,
    pub(crate) items: ItemSource,
}

impl NewSubscription {
    /// Creates a subscription, if the connection and the service can have one more. `all` counts those of the service.
    pub(crate) fn new(subscriber: &Arc<Subscriber>, all: &Arc<Gauge>) -> Result<Box<Self>, Fault> {
        let own = Permit::take(&subscriber.gauge).ok_or_else(|| {
            let limit = subscriber.gauge.limit();
            let reason = format_args!(
                "a connection may have {limit} subscriptions (max_connection_subscriptions)"
            );
            Fault::over_limit(code::TOO_MANY_SUBSCRIPTIONS, limit, reason)
        })?;
        let shared = Permit::take(all).ok_or_else(|| {
            let limit = all.limit();
            let reason =
                format_args!("the service may have {limit} subscriptions (max_subscriptions)");
            Fault::over_limit(code::TOO_MANY_SUBSCRIPTIONS, limit, reason)
        })?;
        Ok(Box::new(Self {
            subscriber: Arc::clone(subscriber),
            permits: [own, shared],
            opened: None,
        }))
    }

    /// Takes the source, and returns the id of the subscription.
    pub(crate) fn open(&mut self, call: Arc<Call>, items: ItemSource) -> &str {
        let number = self.subscriber.last.fetch_add(1, Ordering::Relaxed) + 1;
        let id = format!("s{number}");
        &self.opened.insert(OpenedSource { id, call, items }).id
    }
}

/// Returns the error for what only a connection can carry, with the carriers of the service that have one.
pub(crate) fn needs_connection(description: &ServiceDescription) -> Fault {
    let carriers: Vec<&str> = description
        .carriers
        .iter()
        .map(|carrier| &*carrier.name)
        .filter(|name| *name != "http")
        .collect();
    let data = BTreeMap::from([("carriers", carriers)]);
    Fault::protocol(code::NEEDS_A_CONNECTION).set_data(&data)
}
