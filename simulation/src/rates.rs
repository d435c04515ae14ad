//! The limits on rates and failed logins, computed in the simplest way.
//!
//! A service may count in more ways than one: an attempt from its begin or from its end. So there are a
//! fastest and a slowest count, and the service has to be between them.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::settings::LOGINS_PER;

/// Counts events against a limit. The count decreases steadily with time.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    interval: Duration,
    room: Duration,
    level: Duration,
    at: Duration,
    /// The time until which there was or is no room for another event.
    pub(crate) full_until: Duration,
}

impl Bucket {
    /// Creates an empty bucket that allows this many events in this time.
    pub(crate) fn new(max: u32, period: Duration) -> Self {
        let interval = period / max;
        Self {
            interval,
            room: interval * max,
            level: Duration::ZERO,
            at: Duration::ZERO,
            full_until: Duration::ZERO,
        }
    }

    /// Counts an event, and returns whether there was room for it.
    pub(crate) fn count(&mut self, at: Duration) -> bool {
        let run_off = at.saturating_sub(self.at);
        self.level = self.level.saturating_sub(run_off) + self.interval;
        self.at = at;
        self.full_until = at + (self.level + self.interval).saturating_sub(self.room);
        self.level <= self.room
    }
}

/// The wrong credentials that one client has sent.
#[derive(Debug)]
pub(crate) struct Logins {
    max: u32,
    /// The time at which the authenticator began to check the credentials, by exchange.
    in_work: BTreeMap<u64, Duration>,
    /// The time from which refused credentials count, by exchange: all credentials of one exchange are
    /// the same, and count once.
    spent: BTreeMap<u64, Duration>,
    /// Counts credentials when they are refused. No correct limit refuses for longer than this one.
    pub(crate) slowest: Bucket,
}

impl Logins {
    pub(crate) fn new(max: u32) -> Self {
        Self {
            max,
            in_work: BTreeMap::new(),
            spent: BTreeMap::new(),
            slowest: Bucket::new(max, LOGINS_PER),
        }
    }

    /// Records that the authenticator begins to check wrong credentials.
    pub(crate) fn begin(&mut self, exchange: u64, now: Duration) -> Result<(), String> {
        self.in_work.insert(exchange, now);
        self.check(now)
    }

    /// Records that the authenticator is done, and whether it has refused the credentials.
    pub(crate) fn end(
        &mut self,
        exchange: u64,
        now: Duration,
        refused: bool,
    ) -> Result<(), String> {
        let since = self.in_work.remove(&exchange).unwrap_or(now);
        if refused {
            self.slowest.count(now);
            self.spent.entry(exchange).or_insert(since);
        }
        self.check(now)
    }

    /// Returns whether the credentials of an exchange were refused.
    pub(crate) fn is_spent(&self, exchange: u64) -> bool {
        self.spent.contains_key(&exchange)
    }

    /// Checks that the credentials that are being checked or were refused do not exceed the limit.
    /// Refused ones count from the start of the check, which is the most that a limit may allow.
    fn check(&self, now: Duration) -> Result<(), String> {
        let mut moments: Vec<_> = self.spent.values().copied().collect();
        moments.sort();
        for exchange in self.in_work.keys() {
            if !self.spent.contains_key(exchange) {
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
            self.in_work.len(),
            self.spent.len()
        ))
    }
}
