//! Batches that mix reads, writes, notifications and entries other than requests.
//!
//! A batch may mix everything, and each entry has to be answered as if it were alone.

use super::{Worker, reads};
use crate::call::{ExpectedCall, post};
use crate::contract::{self, Breach, Outcome, Version, code};
use crate::http::Response;

/// Entries other than requests.
const INVALID_ENTRIES: [&str; 4] = [
    "1",
    "{}",
    r#"{"jsonrpc":"2.0","method":1}"#,
    r#"{"version":"1.1","method":"stats"}"#,
];

/// An entry of a batch: a call, or something other than a request.
enum BatchEntry {
    Call(Box<ExpectedCall>),
    Junk(&'static str),
}

impl BatchEntry {
    fn text(&self) -> String {
        match self {
            Self::Call(call) => call.text(Version::V2_0),
            Self::Junk(text) => (*text).to_owned(),
        }
    }

    fn is_answered(&self) -> bool {
        match self {
            Self::Call(call) => call.id.is_some(),
            Self::Junk(_) => true,
        }
    }
}

impl Worker<'_> {
    pub(super) fn batch(&mut self) {
        let length = self.rng.usize(1..20);
        let entries: Vec<_> = (0..length).map(|_| self.entry()).collect();
        let texts: Vec<_> = entries.iter().map(BatchEntry::text).collect();
        let body = format!("[{}]", texts.join(" ,\n"));
        let request = post(self.caller.world, body.as_bytes());
        let Some(response) = self.caller.call("batch", &request) else {
            for entry in &entries {
                self.lose(entry);
            }
            return;
        };
        match outcomes(&entries, body.as_bytes(), &response) {
            Ok(outcomes) => self.settle_all(&entries, outcomes),
            Err(breach) => self.broke(&breach, &request, &response),
        }
    }

    fn entry(&mut self) -> BatchEntry {
        let mut call = match self.rng.u8(..20) {
            0 => return BatchEntry::Junk(self.rng.choice(INVALID_ENTRIES).unwrap_or_default()),
            1..8 => self.writer.any(&mut self.rng, self.caller.world),
            _ => reads::any(&mut self.rng, &self.writer),
        };
        let answered = self.rng.u8(..8) > 0 || call.lends();
        call.id = answered.then(|| self.id());
        call.note(self.caller.world);
        BatchEntry::Call(Box::new(call))
    }

    fn lose(&mut self, entry: &BatchEntry) {
        if let BatchEntry::Call(call) = entry {
            self.writer.lost(call);
        }
    }

    fn settle_all(&mut self, entries: &[BatchEntry], outcomes: Vec<Outcome>) {
        let answered = entries.iter().filter(|entry| entry.is_answered());
        for (entry, outcome) in answered.zip(outcomes) {
            match entry {
                BatchEntry::Call(call) => self.settle(call, outcome),
                BatchEntry::Junk(_) if outcome == Outcome::Error(code::INVALID_REQUEST) => {}
                BatchEntry::Junk(_) if outcome == Outcome::Error(code::BUSY) => {}
                BatchEntry::Junk(text) => self
                    .caller
                    .world
                    .found(format!("{text} returned {outcome:?}")),
            }
        }
    }
}

/// Returns the outcome of each entry that has a response.
fn outcomes(
    entries: &[BatchEntry],
    body: &[u8],
    response: &Response,
) -> Result<Vec<Outcome>, Breach> {
    if contract::busy(response).is_ok() {
        let answered = entries.iter().filter(|entry| entry.is_answered()).count();
        return Ok(vec![Outcome::Error(code::BUSY); answered]);
    }
    contract::posted(response, body)
}
