//! Limits how often a client may present wrong credentials.
//!
//! A request takes a permit before its credentials are checked, and gives it back after the check,
//! unless they were wrong: then the permit stays used up for a while. A client whose permits are all
//! taken waits in line. So the service never checks more credentials than the limit allows, however
//! many arrive at once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::rate::{Admission, Rate, RateGroup};
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::panic::lock;
use crate::runtime::{BoxFuture, Runtime};

/// A limit on wrong credentials, by client.
pub(crate) struct Attempts {
    max_wrong: u32,
    per: Duration,
    rate: Rate,
    /// The clients with credentials that are being checked. Nothing that happens under the lock can
    /// leave one half changed.
    clients: Mutex<Clients>,
}

type Clients = HashMap<RateGroup<'static>, Client>;

/// A client with credentials that are being checked.
#[derive(Default)]
struct Client {
    /// The number of requests that have a permit.
    reserved: u64,
    /// The requests that wait for a permit, by number, in the order of their arrival.
    line: BTreeMap<u64, Waker>,
}

impl Attempts {
    pub(crate) fn new(max_wrong: u32, per: Duration) -> Self {
        Self {
            max_wrong,
            per,
            rate: Rate::new(max_wrong, per),
            clients: Mutex::default(),
        }
    }

    /// Returns what is wrong with the limit, or `None` if it is valid.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        if self.max_wrong == 0 {
            return Some("failed_logins(0, …) would accept no credentials; allow at least one");
        }
        self.per
            .is_zero()
            .then_some("the time of `failed_logins` must be longer than zero")
    }
}

/// A request with credentials, from a client whose wrong credentials are counted. Dropping it gives
/// its permit back, or leaves the line.
pub(crate) struct LoginAttempt {
    attempts: Arc<Attempts>,
    client: RateGroup<'static>,
    runtime: Arc<dyn Runtime>,
    has_permit: bool,
    /// The number in the line, if the request waits.
    number: Option<u64>,
    /// A timer until a used-up permit is free again. Only the first in line has one.
    timer: Option<BoxFuture<()>>,
}

impl LoginAttempt {
    /// Creates an attempt. Returns `None` if there is nothing to count: without a limit, a client
    /// or a clock.
    #[inline]
    pub(crate) fn new(
        attempts: Option<&Arc<Attempts>>,
        extensions: Option<&Extensions>,
        runtime: Option<&Arc<dyn Runtime>>,
    ) -> Option<Self> {
        let attempts = Arc::clone(attempts?);
        let extensions = extensions?;
        let client = match extensions.client_address() {
            None if extensions.is_client_local() => RateGroup::Unknown,
            address => RateGroup::new(None, Some(address?)),
        };
        Some(Self {
            attempts,
            client,
            runtime: Arc::clone(runtime?),
            has_permit: false,
            number: None,
            timer: None,
        })
    }

    /// Takes a permit, before credentials are checked. Waits in line while all permits are taken; fails
    /// if all are used up.
    pub(crate) fn poll_permit(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Fault>> {
        let now = self.runtime.now();
        let attempts = Arc::clone(&self.attempts);
        let mut clients = lock(&attempts.clients);
        let client = clients.entry(self.client.clone()).or_default();
        let is_first = match client.line.keys().next() {
            Some(first) => self.number == Some(*first),
            None => true,
        };
        let wait = match attempts.rate.turn(&self.client, client.reserved, now) {
            Admission::Never(wait) => {
                self.leave_line(false, clients);
                return Poll::Ready(Err(Fault::too_many_requests(wait)));
            }
            Admission::Now if is_first => {
                self.leave_line(true, clients);
                return Poll::Ready(Ok(()));
            }
            Admission::Later(wait) if is_first => wait,
            Admission::Now | Admission::Later(_) => None,
        };
        let next = match client.line.keys().next_back() {
            Some(last) => last + 1,
            None => 0,
        };
        let number = *self.number.get_or_insert(next);
        // An old waker is dropped after the lock: dropping it runs code of a runtime.
        let _old_waker = client.line.insert(number, cx.waker().clone());
        drop(clients);
        self.timer = wait.map(|wait| self.runtime.sleep(wait));
        // Polling the timer once sets its waker. If its time is over already, nothing else would wake this task.
        if let Some(timer) = &mut self.timer
            && timer.as_mut().poll(cx).is_ready()
        {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }

    /// Leaves the line with or without a permit, or gives a permit back, and wakes the request that is now
    /// first in line. Wakers are called and dropped without the lock.
    fn leave_line(&mut self, has_permit: bool, mut clients: MutexGuard<'_, Clients>) {
        let client = clients.entry(self.client.clone()).or_default();
        let _old_waker = match self.number.take() {
            Some(number) => client.line.remove(&number),
            None => None,
        };
        client.reserved += u64::from(has_permit);
        client.reserved -= u64::from(self.has_permit);
        self.has_permit = has_permit;
        let first = client.line.values().next().cloned();
        if client.reserved == 0 && first.is_none() {
            clients.remove(&self.client);
        }
        drop(clients);
        if let Some(first) = first {
            first.wake();
        }
    }

    /// Uses up the permit, because the credentials were wrong.
    pub(crate) fn spend(self) {
        self.attempts.rate.charge(&self.client, self.runtime.now());
    }
}

impl Drop for LoginAttempt {
    fn drop(&mut self) {
        if self.has_permit || self.number.is_some() {
            let attempts = Arc::clone(&self.attempts);
            self.leave_line(false, lock(&attempts.clients));
        }
    }
}
