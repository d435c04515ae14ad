//! A ready source for subscriptions: what is published reaches everybody who follows.
//!
//! A topic keeps its last items in a ring. A follower is a position in it, so it costs a few words, and publishing
//! never waits for one. A follower that falls further behind than the ring is long loses the oldest items, and is told
//! how many. The other ways are worse: a queue for each follower has no bound, and a publisher that waits for the slowest follower stops
//! with it.
//!
//! ```text
//!            publish ──▶ [ 17 │ 18 │ 19 │ 20 ]      17 is overwritten by 21
//!                           ▲              ▲
//!            a slow follower               one that waits for 21
//! ```
//!
//! An item is serialised once, when it is published, and not again for each follower.

use std::collections::VecDeque;
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_util::Stream;
use serde::Serialize;

use crate::fast_map::FastMap;
use crate::finite::Finite;
use crate::panic::lock;

/// A bounded list of the last items that were published, for any number of followers.
///
/// Clones share the items. Once the last clone is dropped, followers get what is left, and then the end.
///
/// ```
/// # use docent::Topic;
/// use futures_util::StreamExt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let returns = Topic::new(100);
/// let mut follower = returns.follow::<docent::Fault>();
/// returns.publish("Moby-Dick")?;
/// let item = follower.next().await.unwrap()?;
/// assert_eq!(item.value(), Some(&"Moby-Dick"));
/// # Ok(())
/// # }
/// ```
pub struct Topic<T> {
    publisher: Arc<Publisher<T>>,
}

/// Closes the topic when it is dropped.
struct Publisher<T> {
    ring: Arc<Mutex<Ring<T>>>,
}

struct Ring<T> {
    /// The last items, the newest at the end.
    kept: VecDeque<Arc<PublishedItem<T>>>,
    capacity: usize,
    /// The number of items so far, which is the position of the next one.
    published: u64,
    /// The followers that wait for the next item, by their numbers.
    waiting: FastMap<u64, Waker>,
    /// The number of the last follower.
    last_follower: u64,
    is_closed: bool,
}

struct PublishedItem<T> {
    value: T,
    json: Bytes,
}

impl<T> Topic<T> {
    /// Creates a topic that keeps so many items, at least one. A follower that is further behind loses the oldest.
    pub fn new(capacity: usize) -> Self {
        let ring = Ring {
            kept: VecDeque::new(),
            capacity: capacity.max(1),
            published: 0,
            waiting: FastMap::default(),
            last_follower: 0,
            is_closed: false,
        };
        Self {
            publisher: Arc::new(Publisher {
                ring: Arc::new(Mutex::new(ring)),
            }),
        }
    }

    /// Publishes an item to all who follow. It never waits for them.
    ///
    /// # Errors
    /// The item cannot be written as JSON, and is not published.
    pub fn publish(&self, value: T) -> Result<(), serde_json::Error>
    where
        T: Serialize,
    {
        let json = serde_json::to_vec(&Finite(&value))?.into();
        let item = Arc::new(PublishedItem { value, json });
        let mut ring = lock(&self.publisher.ring);
        let oldest = (ring.kept.len() == ring.capacity).then(|| ring.kept.pop_front());
        ring.kept.push_back(item);
        ring.published += 1;
        let waiting = ring.take_waiting();
        drop(ring);
        // Neither runs inside the lock: the item of a caller's own type, and the runtime's wakers.
        drop(oldest);
        wake(waiting);
        Ok(())
    }

    /// Follows the topic from the next item on. `E` is the error of the subscription that the items are for; the
    /// follower itself never fails.
    pub fn follow<E>(&self) -> Following<T, E> {
        let next = lock(&self.publisher.ring).published;
        self.follow_from(next)
    }

    /// Follows the topic from the item after the last one that is accepted by `is_last_seen`. Returns `None` if no such
    /// item is kept: what came after it may be lost, too.
    pub fn resume<E>(&self, is_last_seen: impl Fn(&T) -> bool) -> Option<Following<T, E>> {
        let (kept, published) = {
            let ring = lock(&self.publisher.ring);
            (ring.kept.clone(), ring.published)
        };
        let newer = kept
            .iter()
            .rev()
            .position(|item| is_last_seen(&item.value))?;
        Some(self.follow_from(published - newer as u64))
    }

    fn follow_from<E>(&self, next: u64) -> Following<T, E> {
        let ring = Arc::clone(&self.publisher.ring);
        let number = {
            let mut ring = lock(&ring);
            ring.last_follower += 1;
            ring.last_follower
        };
        Following {
            ring,
            number,
            next,
            missed: 0,
            filters: Vec::new(),
            error: PhantomData,
        }
    }
}

impl<T> Clone for Topic<T> {
    fn clone(&self) -> Self {
        Self {
            publisher: Arc::clone(&self.publisher),
        }
    }
}

impl<T> fmt::Debug for Topic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ring = lock(&self.publisher.ring);
        f.debug_struct("Topic")
            .field("capacity", &ring.capacity)
            .field("published", &ring.published)
            .finish_non_exhaustive()
    }
}

impl<T> Drop for Publisher<T> {
    fn drop(&mut self) {
        let mut ring = lock(&self.ring);
        ring.is_closed = true;
        let waiting = ring.take_waiting();
        drop(ring);
        wake(waiting);
    }
}

impl<T> Ring<T> {
    /// Takes the wakers of all followers that wait. The map keeps its room, because most of them soon wait again.
    fn take_waiting(&mut self) -> Vec<Waker> {
        self.waiting.drain().map(|(_, waker)| waker).collect()
    }
}

fn wake(waiting: Vec<Waker>) {
    for waker in waiting {
        waker.wake();
    }
}

/// The items of a [`Topic`] from a position on. It is the stream of a subscription, or a part of it.
#[must_use = "a follower gets items only while it is polled"]
pub struct Following<T, E> {
    ring: Arc<Mutex<Ring<T>>>,
    /// The key of its waker.
    number: u64,
    /// The position of the next item.
    next: u64,
    /// The number of items that were lost, and not reported yet.
    missed: u64,
    filters: Vec<Filter<T>>,
    error: PhantomData<fn() -> E>,
}

type Filter<T> = Box<dyn Fn(&T) -> bool + Send>;

/// An item of a topic, or the number of items that were lost where none follows that passes the filters.
pub struct Published<T> {
    item: Option<Arc<PublishedItem<T>>>,
    missed: u64,
}

impl<T, E> Following<T, E> {
    /// Passes on only the items that `filter` accepts, in addition to earlier filters. Unlike a filter of the stream,
    /// it reports the number of items that were lost even if nothing passes.
    pub fn filter(mut self, filter: impl Fn(&T) -> bool + Send + 'static) -> Self {
        self.filters.push(Box::new(filter));
        self
    }

    /// Returns the next item whatever it is, and counts those that were lost before it.
    fn next_item(&mut self, cx: &mut Context<'_>) -> Poll<Option<Arc<PublishedItem<T>>>> {
        let mut ring = lock(&self.ring);
        let oldest = ring.published - ring.kept.len() as u64;
        if self.next < oldest {
            self.missed += oldest - self.next;
            self.next = oldest;
        }
        let at = usize::try_from(self.next - oldest).unwrap_or(usize::MAX);
        if let Some(item) = ring.kept.get(at) {
            self.next += 1;
            return Poll::Ready(Some(Arc::clone(item)));
        }
        if ring.is_closed {
            return Poll::Ready(None);
        }
        let earlier = ring.waiting.insert(self.number, cx.waker().clone());
        drop(ring);
        // Not inside the lock: it is the runtime's.
        drop(earlier);
        Poll::Pending
    }
}

impl<T, E> Stream for Following<T, E> {
    type Item = Result<Published<T>, E>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let Poll::Ready(item) = self.next_item(cx) else {
                return Poll::Pending;
            };
            let missed = std::mem::take(&mut self.missed);
            let has_ended = item.is_none();
            let item = item.filter(|item| self.filters.iter().all(|filter| filter(&item.value)));
            // An item that was lost may have been one that passes.
            if item.is_some() || missed > 0 {
                return Poll::Ready(Some(Ok(Published { item, missed })));
            }
            if has_ended {
                return Poll::Ready(None);
            }
        }
    }
}

impl<T, E> Drop for Following<T, E> {
    fn drop(&mut self) {
        let waker = lock(&self.ring).waiting.remove(&self.number);
        drop(waker);
    }
}

impl<T, E> fmt::Debug for Following<T, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Following")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl<T> Published<T> {
    /// Returns the item. `None` if only the number of items that were lost is reported, because the topic has ended, or
    /// because the next item did not pass a filter.
    pub fn value(&self) -> Option<&T> {
        self.item.as_ref().map(|item| &item.value)
    }

    /// Returns the number of items that this follower has lost since the last one that it got. Items that a filter would
    /// have kept back count, too.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Returns the item as JSON.
    pub(crate) fn json(&self) -> Option<&Bytes> {
        self.item.as_ref().map(|item| &item.json)
    }
}

impl<T> fmt::Debug for Published<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Published")
            .field(
                "json",
                &self.json().map(|json| String::from_utf8_lossy(json)),
            )
            .field("missed", &self.missed)
            .finish_non_exhaustive()
    }
}
