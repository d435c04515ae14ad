//! The limits on rates and failed logins, computed in the simplest way.
//!
//! A service may count an attempt when it begins or when it ends. So there are a fastest and a slowest count, and the
//! service has to be between them.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::settings::LOGINS_PER;

/// Counts events against a limit. The count decreases steadily with time, like the level of a leaking bucket.
///
/// The level is a time: each event raises it by the time in which the bucket leaks one.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    /// The time in which one event leaks out.
    interval: Duration,
    /// The level at which the bucket is full.
    capacity: Duration,
    /// The level after the last event.
    level: Duration,
    /// The time of the last event.
    last: Duration,
    /// The time until which there was or is no room for another event.
    pub(crate) full_until: Duration,
}

impl Bucket {
    /// Creates an empty bucket that allows this many events in this time.
    pub(crate) fn new(max: u32, period: Duration) -> Self {
        let interval = period / max;
        Self {
            interval,
            capacity: interval * max,
            level: Duration::ZERO,
            last: Duration::ZERO,
            full_until: Duration::ZERO,
        }
    }

    /// Counts an event, and returns whether there was room for it.
    pub(crate) fn count(&mut self, at: Duration) -> bool {
        let leaked = at.saturating_sub(self.last);
        self.level = self.level.saturating_sub(leaked) + self.interval;
        self.last = at;
        self.full_until = at + (self.level + self.interval).saturating_sub(self.capacity);
        self.level <= self.capacity
    }
}

/// The wrong credentials that one client has sent.
#[derive(Debug)]
pub(crate) struct Logins {
    max: u32,
    /// The time at which the authenticator began to check the credentials, by exchange.
    being_checked: BTreeMap<u64, Duration>,
    /// The time from which refused credentials count, by exchange: all credentials of one exchange are
    /// the same, and count once.
    refused: BTreeMap<u64, Duration>,
    /// Counts credentials when they are refused. No correct limit refuses for longer than this one.
    pub(crate) slowest: Bucket,
}

impl Logins {
    pub(crate) fn new(max: u32) -> Self {
        Self {
            max,
            being_checked: BTreeMap::new(),
            refused: BTreeMap::new(),
            slowest: Bucket::new(max, LOGINS_PER),
        }
    }

    /// Records that the authenticator begins to check wrong credentials.
    pub(crate) fn begin(&mut self, exchange: u64, now: Duration) -> Result<(), String> {
        self.being_checked.insert(exchange, now);
        self.check(now)
    }

    /// Records that the authenticator is done, and whether it has refused the credentials.
    pub(crate) fn end(
        &mut self,
        exchange: u64,
        now: Duration,
        refused: bool,
    ) -> Result<(), String> {
        let since = self.being_checked.remove(&exchange).unwrap_or(now);
        if refused {
            self.slowest.count(now);
            self.refused.entry(exchange).or_insert(since);
        }
        self.check(now)
    }

    /// Returns whether the credentials of an exchange were refused.
    pub(crate) fn is_refused(&self, exchange: u64) -> bool {
        self.refused.contains_key(&exchange)
    }

    /// Checks that the credentials that are being checked or were refused do not exceed the limit.
    /// Refused ones count from the start of the check, which is the most that a limit may allow.
    fn check(&self, now: Duration) -> Result<(), String> {
        let mut moments: Vec<_> = self.refused.values().copied().collect();
        moments.sort();
        for exchange in self.being_checked.keys() {
            if !self.refused.contains_key(exchange) {
                moments.push(now);
            }
        }
        let mut fastest = Bucket::new(self.max, LOGINS_PER);
        let mut has_room = true;
        for moment in moments {
            has_room = fastest.count(moment);
        }
        if has_room {
            return Ok(());
        }
        Err(format!(
            "{} wrong credentials are allowed, {} are in work after {}",
            self.max,
            self.being_checked.len(),
            self.refused.len()
        ))
    }
}
