//! Counts what the clients of a soak send, and how it ends.
//!
//! Requests are counted by their side, `honest` or `hostile`, and by their kind on that side.

use std::collections::BTreeMap;
use std::time::Duration;

/// The outcomes of the requests of one kind.
#[derive(Debug, Default, Clone)]
struct Count {
    sent: u64,
    lost: u64,
    /// The number that the service refused because it was overloaded.
    shed: u64,
    /// The longest time until a response.
    worst: Duration,
}

/// The side that sends a request, and the kind of the request on that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RequestKind {
    side: &'static str,
    name: &'static str,
}

/// The end of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The response arrived after this time.
    Answered(Duration),
    /// The service responded after this time that it is overloaded.
    Shed(Duration),
    /// The process was killed or shut down before it responded.
    Lost,
    /// The client did not wait for the response.
    Abandoned,
}

/// Requests by kind, and errors by code.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    kinds: BTreeMap<RequestKind, Count>,
    /// The number of errors with each code.
    codes: BTreeMap<i64, u64>,
    replays: u64,
}

impl Tally {
    /// Counts an honest or hostile request.
    pub(crate) fn request(&mut self, side: &'static str, name: &'static str, end: End) {
        let count = self.kinds.entry(RequestKind { side, name }).or_default();
        count.sent += 1;
        match end {
            End::Answered(time) => count.worst = count.worst.max(time),
            End::Shed(time) => {
                count.shed += 1;
                count.worst = count.worst.max(time);
            }
            End::Lost => count.lost += 1,
            End::Abandoned => {}
        }
    }

    /// Counts a call that failed with this code.
    pub(crate) fn error(&mut self, code: i64) {
        *self.codes.entry(code).or_default() += 1;
    }

    /// Counts a repetition with a key that got the outcome of the first call.
    pub(crate) fn replay(&mut self) {
        self.replays += 1;
    }

    /// Returns how many repetitions with a key got the outcome of the first call.
    pub(crate) fn replays(&self) -> u64 {
        self.replays
    }

    /// Returns how many requests one side sent.
    pub(crate) fn sent(&self, side: &str) -> u64 {
        self.counts(side).map(|count| count.sent).sum()
    }

    /// Returns how many responses one side lost.
    pub(crate) fn lost(&self, side: &str) -> u64 {
        self.counts(side).map(|count| count.lost).sum()
    }

    /// Returns the longest time that one side waited for a response.
    pub(crate) fn worst(&self, side: &str) -> Duration {
        self.counts(side)
            .map(|count| count.worst)
            .max()
            .unwrap_or_default()
    }

    /// Returns the count of each kind of request of one side.
    fn counts<'a>(&'a self, side: &'a str) -> impl Iterator<Item = &'a Count> {
        self.kinds
            .iter()
            .filter(move |(kind, _)| kind.side == side)
            .map(|(_, count)| count)
    }

    /// Prints one line for each kind and one for each code.
    pub(crate) fn print(&self) {
        println!(
            "\n{:<8} {:<34} {:>9} {:>6} {:>7} {:>10}",
            "traffic", "kind", "requests", "lost", "shed", "worst"
        );
        for (RequestKind { side, name }, count) in &self.kinds {
            println!(
                "{side:<8} {name:<34} {:>9} {:>6} {:>7} {:>7} ms",
                count.sent,
                count.lost,
                count.shed,
                count.worst.as_millis()
            );
        }
        println!("\n{:<8} {:>9}", "error", "answers");
        for (code, responses) in &self.codes {
            println!("{code:<8} {responses:>9}");
        }
    }
}
