//! The circumstances of a run: the limits of the service, and how its callers and its store behave.
//!
//! Each is drawn from a few extreme choices: a run with mild settings finds nothing.

use std::time::Duration;

use fastrand::Rng;

/// A fault that is planted in a run, to prove that the simulation finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// The key store gives all of its room to the first callers.
    KeysWithoutShares,
    /// The key store sometimes grants a key again.
    KeysGrantedTwice,
    /// The key store takes twice as many keys as it has room for.
    KeysBeyondTheRoom,
    /// The service accepts more failed logins than it should.
    MoreLogins,
    /// The service counts the failed logins of all clients together.
    LoginsTogether,
    /// The service drops the check of credentials whose caller has left.
    CheckDropped,
    /// An observer is not notified of every call.
    CallUnobserved,
    /// The permit of a call is sometimes not given back.
    PermitLost,
    /// More calls run at once than should.
    MorePermits,
    /// More calls of one procedure run at once than should.
    MorePermitsOfOne,
    /// A procedure may be called more often than it should.
    MoreOften,
    /// A procedure that changes something is dropped like one that does not.
    WriteDropped,
    /// A caller gets the result of another call.
    ResultsMixedUp,
    /// A connection does not answer every message.
    AnswerLost,
    /// A connection answers a message twice.
    AnswerTwice,
    /// The first item of a subscription comes before the answer.
    AnswerLate,
    /// An item does not reach the peer.
    ItemLost,
    /// A source does not say that it has lost items.
    LossUnreported,
    /// The end of a subscription does not reach the peer.
    EndLost,
    /// A subscription continues after the peer has left it.
    UnsubscribeIgnored,
    /// Messages count as written before they are.
    AccountForgotten,
    /// More calls of a connection run at once than should.
    MoreConnectionCalls,
    /// A connection has more subscriptions than it should.
    MoreOfConnection,
    /// The service has more subscriptions than it should.
    MoreOfService,
    /// A source remains after its subscription.
    SourceKept,
}

/// The time limit of each call, which handlers and authenticators sometimes exceed.
pub(crate) const CALL_TIMEOUT: Duration = Duration::from_secs(5);
/// The time for which outcomes are kept, longer than a run takes.
pub(crate) const KEEP_TIME: Duration = Duration::from_secs(86_400);
/// The periods over which failed logins and calls are counted.
pub(crate) const LOGINS_PER: Duration = Duration::from_secs(60);
pub(crate) const CALLS_PER: Duration = Duration::from_secs(10);
/// The maximum size of a response and of an item, which only one kind of item exceeds.
pub(crate) const MAX_RESPONSE_BYTES: usize = 100_000;
/// The maximum number of keys that a known caller may have in a store of this size, as documented.
pub(crate) const KEYS_PER_CALLER: usize = 100;

/// The circumstances of a run. They differ from seed to seed, so that each run is extreme in some way.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) planted: Option<Planted>,
    pub(crate) steps: usize,
    pub(crate) permits: usize,
    pub(crate) permits_of_few: usize,
    pub(crate) batch_time: Option<Duration>,
    pub(crate) logins: u32,
    pub(crate) calls: u32,
    /// True if the store works like a database: it decides first, and writes later.
    pub(crate) is_database: bool,
    pub(crate) room: usize,
    /// The percentage of store operations that are delayed, and of those that fail.
    pub(crate) store_waits: u32,
    pub(crate) store_fails: u32,
    /// The percentage of wrong credentials, and of delayed checks by the authenticator.
    pub(crate) wrong: u32,
    pub(crate) authenticator_waits: u32,
    /// The percentage of exchanges that are large batches of keys.
    pub(crate) floods: u32,
    /// The weights of two kinds of steps: a caller leaves, and time passes.
    pub(crate) cancels: u32,
    pub(crate) passes: u32,
    /// The weight of the steps of connections.
    pub(crate) connecting: u32,
    pub(crate) connection_calls: usize,
    pub(crate) connection_subscriptions: usize,
    pub(crate) all_subscriptions: usize,
    pub(crate) waiting_bytes: usize,
}

fn one_of(rng: &mut Rng, from: &[u32]) -> u32 {
    from[rng.usize(..from.len())]
}

impl Settings {
    pub(crate) fn draw(rng: &mut Rng, planted: Option<Planted>) -> Self {
        let of_keys = matches!(
            planted,
            Some(
                Planted::KeysWithoutShares | Planted::KeysGrantedTwice | Planted::KeysBeyondTheRoom
            )
        );
        let batch_seconds = one_of(rng, &[0, 1, 10]);
        Self {
            planted,
            steps: one_of(rng, &[100, 300, 600]) as usize,
            permits: one_of(rng, &[4, 8, 24, 64]) as usize,
            permits_of_few: one_of(rng, &[1, 2, 3]) as usize,
            batch_time: match batch_seconds {
                0 => None,
                seconds => Some(Duration::from_secs(seconds.into())),
            },
            logins: one_of(rng, &[1, 2, 4]),
            calls: one_of(rng, &[1, 2, 4]),
            is_database: one_of(rng, &[0, 1]) == 1 || of_keys,
            room: one_of(rng, &[200, 220, 260]) as usize,
            store_waits: one_of(rng, &[0, 0, 20, 60]),
            store_fails: one_of(rng, &[0, 0, 10]),
            wrong: one_of(rng, &[0, 10, 60]),
            authenticator_waits: one_of(rng, &[0, 50, 90]),
            floods: one_of(rng, &[0, 0, 10]),
            cancels: one_of(rng, &[0, 1, 3]),
            passes: one_of(rng, &[1, 3, 6]),
            connecting: one_of(rng, &[2, 10, 40]),
            connection_calls: one_of(rng, &[1, 2, 8]) as usize,
            connection_subscriptions: one_of(rng, &[1, 2, 4]) as usize,
            all_subscriptions: one_of(rng, &[2, 3, 6]) as usize,
            waiting_bytes: one_of(rng, &[1, 300, 4_000]) as usize,
        }
    }

    pub(crate) fn is(&self, planted: Planted) -> bool {
        self.planted == Some(planted)
    }

    /// Returns what a limit is raised by if this fault is planted.
    pub(crate) fn one_if(&self, planted: Planted) -> usize {
        usize::from(self.is(planted))
    }

    /// Returns the maximum number of keys that a caller may have.
    pub(crate) fn share(&self, caller: Option<&str>) -> usize {
        match caller {
            Some(_) => KEYS_PER_CALLER,
            None => self.room / 2,
        }
    }

    /// Returns the maximum number of calls between a decision of the store and its entry.
    pub(crate) fn in_flight(&self) -> usize {
        if self.is_database { self.permits } else { 0 }
    }
}
