//! What limits on rates and failed logins allow, computed in the plainest way.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::settings::LOGINS_PER;

/// Counts what has happened, and how much of that has run off since.
#[derive(Debug, Clone)]
pub(crate) struct Bucket {
    interval: Duration,
    room: Duration,
    level: Duration,
    at: Duration,
    /// Until when there was or is no room for one more.
    pub(crate) full_until: Duration,
}

impl Bucket {
    /// Creates an empty one, for this many in this time.
    pub(crate) fn new(most: u32, per: Duration) -> Self {
        let interval = per / most;
        Self {
            interval,
            room: interval * most,
            level: Duration::ZERO,
            at: Duration::ZERO,
            full_until: Duration::ZERO,
        }
    }

    /// Counts one more. Returns whether there was room for it.
    pub(crate) fn count(&mut self, at: Duration) -> bool {
        let run_off = at.saturating_sub(self.at);
        self.level = self.level.saturating_sub(run_off) + self.interval;
        self.at = at;
        self.full_until = at + (self.level + self.interval).saturating_sub(self.room);
        self.level <= self.room
    }
}

/// The wrong credentials of one client.
#[derive(Debug)]
pub(crate) struct Logins {
    most: u32,
    /// By exchange: since when the authenticator has looked at them.
    in_work: BTreeMap<u64, Duration>,
    /// By exchange, because all credentials of one are the same and count once: since when they count.
    spent: BTreeMap<u64, Duration>,
    /// Counts them when they are found to be wrong: no limit that is kept refuses for longer.
    pub(crate) slowest: Bucket,
}

impl Logins {
    pub(crate) fn new(most: u32) -> Self {
        Self {
            most,
            in_work: BTreeMap::new(),
            spent: BTreeMap::new(),
            slowest: Bucket::new(most, LOGINS_PER),
        }
    }

    /// The authenticator begins to look at wrong credentials.
    pub(crate) fn begin(&mut self, exchange: u64, now: Duration) -> Result<(), String> {
        self.in_work.insert(exchange, now);
        self.check(now)
    }

    /// It has stopped, and has refused them or not.
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

    /// Checks that no more are in work and spent than there are places. Those that are spent run off
    /// from when they began, which is the most that a limit can allow.
    fn check(&self, now: Duration) -> Result<(), String> {
        let mut spent: Vec<_> = self.spent.values().copied().collect();
        spent.sort();
        let in_work = self.in_work.keys();
        let in_work = in_work.filter(|exchange| !self.spent.contains_key(exchange));
        let counted = spent.into_iter().chain(in_work.map(|_| now));
        let mut fastest = Bucket::new(self.most, LOGINS_PER);
        if counted.fold(true, |_, at| fastest.count(at)) {
            return Ok(());
        }
        let (most, in_work, spent) = (self.most, self.in_work.len(), self.spent.len());
        Err(format!(
            "{most} wrong credentials are allowed, {in_work} are in work after {spent}"
        ))
    }
}
