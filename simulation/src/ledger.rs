//! The events of a run, and the promises that are checked after every step.
//!
//! Everything here comes from what handlers, observers and callers see. It takes nothing from the service
//! but the number of its running calls, because it would otherwise only agree with the service.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::connections::Connections;
use crate::keys::Keys;
use crate::plan::{CLIENT_ADDRESSES, Exchange};
use crate::rates::{Bucket, Logins};
use crate::settings::{CALLS_PER, Settings};

/// The state of an exchange.
#[derive(Debug)]
pub(crate) struct ExchangeRecord {
    pub(crate) started: Duration,
    calls: usize,
    /// True if the service has seen the exchange.
    begun: bool,
    /// The number of its calls that were reported to observers.
    reported: usize,
    /// The codes of its answers.
    pub(crate) codes: Vec<Option<i64>>,
}

#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) settings: Settings,
    pub(crate) exchanges: BTreeMap<u64, ExchangeRecord>,
    /// The number of running handlers of each procedure.
    inside: BTreeMap<&'static str, usize>,
    /// The last time at which all permits were taken, and all permits of `few`.
    pub(crate) full_at: Option<Duration>,
    pub(crate) few_full_at: Option<Duration>,
    /// The calls without keys that have run.
    ran: BTreeSet<u64>,
    pub(crate) keys: Keys,
    pub(crate) logins: [Logins; CLIENT_ADDRESSES.len()],
    /// The calls of `often` by each client, against their limit.
    pub(crate) rates: [Bucket; CLIENT_ADDRESSES.len()],
    pub(crate) connections: Connections,
}

impl Ledger {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            exchanges: BTreeMap::new(),
            inside: BTreeMap::new(),
            full_at: None,
            few_full_at: None,
            ran: BTreeSet::new(),
            keys: Keys::default(),
            logins: CLIENT_ADDRESSES.map(|_| Logins::new(settings.logins)),
            rates: CLIENT_ADDRESSES.map(|_| Bucket::new(settings.calls, CALLS_PER)),
            connections: Connections::new(settings),
        }
    }

    pub(crate) fn open(&mut self, exchange: &Exchange, now: Duration) {
        let record = ExchangeRecord {
            started: now,
            calls: exchange.calls.len(),
            begun: false,
            reported: 0,
            codes: Vec::new(),
        };
        self.exchanges.insert(exchange.number, record);
    }

    pub(crate) fn begin(&mut self, exchange: u64) {
        if let Some(record) = self.exchanges.get_mut(&exchange) {
            record.begun = true;
        }
    }

    /// Records that a connection takes this many more calls, which observers hear of.
    pub(crate) fn expect(&mut self, connection: u64, calls: usize) {
        if let Some(record) = self.exchanges.get_mut(&connection) {
            record.calls += calls;
        }
    }

    /// Records that observers hear of this many calls of a connection less.
    pub(crate) fn retract(&mut self, connection: u64, calls: usize) {
        if let Some(record) = self.exchanges.get_mut(&connection) {
            record.calls -= calls;
        }
    }

    pub(crate) fn answered(&mut self, exchange: u64, codes: Vec<Option<i64>>) {
        if let Some(record) = self.exchanges.get_mut(&exchange) {
            record.codes = codes;
        }
    }

    /// Records that a call was reported to an observer.
    pub(crate) fn reported(&mut self, exchange: Option<u64>) -> Result<(), String> {
        let record = exchange
            .and_then(|number| self.exchanges.get_mut(&number))
            .ok_or("an observer was told of a call that nobody has made")?;
        record.reported += 1;
        if record.reported > record.calls {
            return Err("an observer was told of a call twice".to_owned());
        }
        Ok(())
    }

    /// Records the number of running calls, according to the service.
    pub(crate) fn running(&mut self, calls: usize, now: Duration) -> Result<(), String> {
        if calls >= self.settings.permits {
            self.full_at = Some(now);
        }
        self.note_few(now);
        at_most(calls, self.settings.permits, "calls")
    }

    /// Records that a handler has started.
    pub(crate) fn enter(
        &mut self,
        name: &'static str,
        client: usize,
        now: Duration,
    ) -> Result<(), String> {
        *self.inside.entry(name).or_default() += 1;
        at_most(
            self.inside.values().sum(),
            self.settings.permits,
            "handlers",
        )?;
        match name {
            "few" => {
                self.note_few(now);
                at_most(
                    self.inside[name],
                    self.settings.permits_of_few,
                    "calls of `few`",
                )
            }
            "often" if !self.rates[client].count(now) => {
                Err(format!("client {client} calls `often` too often"))
            }
            _ => Ok(()),
        }
    }

    fn note_few(&mut self, now: Duration) {
        if self.inside.get("few") >= Some(&self.settings.permits_of_few) {
            self.few_full_at = Some(now);
        }
    }

    /// Records that a handler has ended or was dropped.
    pub(crate) fn leave(&mut self, name: &'static str, now: Duration) {
        self.note_few(now);
        if let Some(inside) = self.inside.get_mut(name) {
            *inside -= 1;
        }
    }

    /// Records that a call without a key has run.
    pub(crate) fn ran(&mut self, n: u64) -> Result<(), String> {
        if self.ran.insert(n) {
            Ok(())
        } else {
            Err(format!("call {n} has run twice"))
        }
    }

    /// Checks the promises that hold while nothing is running.
    pub(crate) fn check_at_rest(&self) -> Result<(), String> {
        at_most(self.inside.values().sum(), 0, "handlers")?;
        self.keys.check_at_rest()?;
        self.connections.check_at_rest()?;
        for (number, record) in &self.exchanges {
            let expected = if record.begun { record.calls } else { 0 };
            if record.reported != expected {
                let reported = record.reported;
                return Err(format!(
                    "observers were told of {reported} of {expected} calls of exchange {number}"
                ));
            }
        }
        Ok(())
    }
}

fn at_most(number: usize, max: usize, subject: &str) -> Result<(), String> {
    if number <= max {
        return Ok(());
    }
    Err(format!("{number} {subject} are running, at most {max} may"))
}
