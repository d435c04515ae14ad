//! Limits how often a client may show wrong credentials.
//!
//! Only what was turned away counts, so a client is asked about before its credential is looked at,
//! and counted after. Those that are being looked at meanwhile all count in the end, and make the
//! client wait for longer: on average, no client gets more than its limit.

use std::sync::Arc;
#[cfg(feature = "rate-limits")]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(feature = "rate-limits")]
use std::time::Duration;

#[cfg(feature = "rate-limits")]
use super::rate::{Key, Rate};
use crate::extensions::Extensions;
use crate::fault::Fault;
use crate::runtime::Runtime;

/// A limit on wrong credentials, by client.
#[cfg(feature = "rate-limits")]
pub(crate) struct Attempts {
    most: u32,
    per: Duration,
    rate: Rate,
    /// Whether there has been a wrong credential: until then, there is nothing to look up.
    has_counted: AtomicBool,
}

/// There is none without the feature `rate-limits`.
#[cfg(not(feature = "rate-limits"))]
pub(crate) enum Attempts {}

#[cfg(feature = "rate-limits")]
impl Attempts {
    pub(crate) fn new(most: u32, per: Duration) -> Self {
        Self {
            most,
            per,
            rate: Rate::new(most, per),
            has_counted: AtomicBool::new(false),
        }
    }

    /// What is wrong with the limit, if anything is.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        if self.most == 0 {
            return Some("failed_logins(0, …) would accept no credentials; allow at least one");
        }
        let is_endless = self.per.is_zero();
        is_endless.then_some("failed_logins needs a time that is longer than zero")
    }
}

#[cfg(not(feature = "rate-limits"))]
impl Attempts {
    pub(crate) fn problem(&self) -> Option<&'static str> {
        match *self {}
    }
}

/// A request of a client whose wrong credentials are counted.
#[cfg(feature = "rate-limits")]
pub(crate) struct Attempt {
    attempts: Arc<Attempts>,
    client: Key<'static>,
    runtime: Arc<dyn Runtime>,
}

/// There is none without the feature `rate-limits`.
#[cfg(not(feature = "rate-limits"))]
pub(crate) enum Attempt {}

#[cfg(feature = "rate-limits")]
impl Attempt {
    /// `None` where nothing is counted: without a limit, a client or a clock.
    #[inline]
    pub(crate) fn new(
        attempts: Option<&Arc<Attempts>>,
        extensions: Option<&Extensions>,
        runtime: Option<&Arc<dyn Runtime>>,
    ) -> Option<Self> {
        let attempts = Arc::clone(attempts?);
        let extensions = extensions?;
        let client = match extensions.client_address() {
            None if extensions.is_client_local() => Key::Unknown,
            address => Key::of(None, Some(address?)),
        };
        Some(Self {
            attempts,
            client,
            runtime: Arc::clone(runtime?),
        })
    }

    /// Whether the client may show a credential.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        let Attempts {
            rate, has_counted, ..
        } = &*self.attempts;
        if !has_counted.load(Ordering::Relaxed) {
            return Ok(());
        }
        let wait = rate.wait(&self.client, self.runtime.now());
        wait.map_or(Ok(()), |wait| Err(Fault::too_many_requests(wait)))
    }

    /// Counts a credential that was wrong.
    pub(crate) fn count(&self) {
        self.attempts.rate.charge(&self.client, self.runtime.now());
        self.attempts.has_counted.store(true, Ordering::Relaxed);
    }
}

#[cfg(not(feature = "rate-limits"))]
impl Attempt {
    pub(crate) fn new(
        _: Option<&Arc<Attempts>>,
        _: Option<&Extensions>,
        _: Option<&Arc<dyn Runtime>>,
    ) -> Option<Self> {
        None
    }

    pub(crate) fn check(&self) -> Result<(), Fault> {
        match *self {}
    }

    pub(crate) fn count(&self) {
        match *self {}
    }
}
