//! Limits how often each caller calls.
//!
//! This is the generic cell rate algorithm (GCRA), a token bucket that needs one number for each
//! caller: the moment at which the bucket is full again. `governor` implements it too, but could
//! replace only [`Rate::wait`]: its clock is fixed when a limiter is created, while here each call
//! brings the time of the service's runtime, and its store of keys grows without bound.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::fast_map::FastMap;
use crate::fault::Fault;
use crate::identity::SharedIdentity;
use crate::panic::lock;

/// The maximum number of callers to remember, for each procedure with a limit.
const MAX_CALLERS: usize = 100_000;

/// The limit on idle callers that one call forgets, so that every call is short.
const MAX_FORGOTTEN_AT_ONCE: usize = 8;

/// The longest time that is counted, in nanoseconds. It is more than a century, and sums with it do
/// not overflow.
const MAX_NANOSECONDS: u64 = u64::MAX / 4;

/// Nanoseconds since the first call.
type Moment = u64;

/// A group of calls that are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RateGroup<'a> {
    Caller(Cow<'a, str>),
    Address(IpAddr),
    /// Neither the caller nor its address is known, as for calls over a Unix socket.
    Unknown,
}

impl<'a> RateGroup<'a> {
    pub(super) fn new(caller: Option<&'a SharedIdentity>, address: Option<IpAddr>) -> Self {
        match (caller, address) {
            (Some(caller), _) => Self::Caller(caller.id()),
            (None, Some(address)) => Self::Address(network(address)),
            (None, None) => Self::Unknown,
        }
    }
}

/// Returns the addresses that one subscriber has: an IPv4 address, or the /64 around an IPv6
/// address.
fn network(address: IpAddr) -> IpAddr {
    const NETWORK_PREFIX: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & NETWORK_PREFIX).into()),
        address @ IpAddr::V4(_) => address,
    }
}

/// A limit on how often each caller calls.
pub(crate) struct Rate {
    /// The time after which a caller may make one more call.
    interval: u64,
    /// The time by which a caller may be ahead of that pace.
    tolerance: u64,
    /// The moment of the first call.
    start: OnceLock<Instant>,
    /// Keyed, so that an attacker cannot find two callers with the same fingerprint.
    hasher: RandomState,
    due_times: Mutex<DueTimes>,
}

impl Rate {
    /// Creates a limit of `calls` in the time `per`, neither of which is 0.
    pub(crate) fn new(calls: u32, per: Duration) -> Self {
        let per = u64::try_from(per.as_nanos()).unwrap_or(MAX_NANOSECONDS);
        let interval = (per.min(MAX_NANOSECONDS) / u64::from(calls.max(1))).max(1);
        Self {
            interval,
            tolerance: interval.saturating_mul(u64::from(calls.saturating_sub(1))),
            start: OnceLock::new(),
            hasher: RandomState::new(),
            due_times: Mutex::default(),
        }
    }

    /// Counts a call, or refuses it.
    pub(crate) fn count(
        &self,
        caller: Option<&SharedIdentity>,
        address: Option<IpAddr>,
        now: Instant,
    ) -> Result<(), Fault> {
        self.admit(&RateGroup::new(caller, address), now)
            .map_err(Fault::too_many_requests)
    }

    /// Counts a call, or returns how long its caller has to wait.
    fn admit(&self, group: &RateGroup<'_>, now: Instant) -> Result<(), Duration> {
        let key = self.fingerprint(group);
        let now = self.moment(now);
        let mut due_times = lock(&self.due_times);
        due_times.forget_idle(now);
        let due = due_times.due(key).max(now);
        match (due - now).saturating_sub(self.tolerance) {
            0 => due_times.remember(key, due.saturating_add(self.interval)),
            wait => return Err(Duration::from_nanos(wait)),
        }
        Ok(())
    }

    /// Returns whether a caller may make a call in addition to those that are not decided yet. A
    /// caller that is not remembered has made none, even if the table is full.
    pub(super) fn turn(&self, group: &RateGroup<'_>, undecided: u64, now: Instant) -> Admission {
        let key = self.fingerprint(group);
        let now = self.moment(now);
        let counted = match lock(&self.due_times).by_caller.get(&key) {
            Some(due) => due.saturating_sub(now),
            None => 0,
        };
        if counted > self.tolerance {
            return Admission::Never(Duration::from_nanos(counted - self.tolerance));
        }
        let ahead = counted.saturating_add(self.interval.saturating_mul(undecided));
        match ahead.saturating_sub(self.tolerance) {
            0 => Admission::Now,
            wait => Admission::Later((wait <= counted).then(|| Duration::from_nanos(wait))),
        }
    }

    /// Counts a call that had its turn. The wait that follows is never longer than the time of the
    /// limit.
    pub(super) fn charge(&self, group: &RateGroup<'_>, now: Instant) {
        let key = self.fingerprint(group);
        let now = self.moment(now);
        let mut due_times = lock(&self.due_times);
        due_times.forget_idle(now);
        let due = due_times.due(key).max(now).saturating_add(self.interval);
        let longest_wait = self.tolerance.saturating_add(self.interval);
        due_times.remember(key, due.min(now.saturating_add(longest_wait)));
    }

    /// Returns the key under which a group is remembered. Only this is stored, so the length of the group's name does
    /// not matter.
    fn fingerprint(&self, group: &RateGroup<'_>) -> u64 {
        self.hasher.hash_one(group)
    }

    fn moment(&self, now: Instant) -> Moment {
        let start = *self.start.get_or_init(|| now);
        let elapsed = now.saturating_duration_since(start).as_nanos();
        Moment::try_from(elapsed).unwrap_or(Moment::MAX)
    }
}

/// The decision about a call while others of its caller are undecided.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Admission {
    Now,
    /// The caller may try again when one of the other calls is decided, or after this time.
    Later(Option<Duration>),
    /// Too many calls have been counted. The caller has to wait this long.
    Never(Duration),
}

/// The moments at which callers are due: at that moment, a caller has its whole limit again. Nothing panics while they
/// are locked, so they are never left half changed.
///
/// When the table is full, a new caller replaces the one that is due first, and inherits what that one
/// has used up. So in a flood of callers, none exceeds the limit by being forgotten, and none is kept
/// out for longer than the least busy of the remembered callers.
#[derive(Default)]
struct DueTimes {
    by_caller: FastMap<u64, Moment>,
    order: BTreeSet<(Moment, u64)>,
}

impl DueTimes {
    /// Forgets some callers that have their whole limit again.
    fn forget_idle(&mut self, now: Moment) {
        for _ in 0..MAX_FORGOTTEN_AT_ONCE {
            match self.order.first() {
                Some((due, _)) if *due <= now => self.forget_first(),
                _ => break,
            }
        }
    }

    fn forget_first(&mut self) {
        if let Some((_, key)) = self.order.pop_first() {
            self.by_caller.remove(&key);
        }
    }

    fn is_full(&self) -> bool {
        self.by_caller.len() >= MAX_CALLERS
    }

    fn due(&self, key: u64) -> Moment {
        match self.by_caller.get(&key) {
            Some(due) => *due,
            None if self.is_full() => self.order.first().map_or(0, |(due, _)| *due),
            None => 0,
        }
    }

    fn remember(&mut self, key: u64, due: Moment) {
        match self.by_caller.insert(key, due) {
            Some(before) => {
                self.order.remove(&(before, key));
            }
            None if self.by_caller.len() > MAX_CALLERS => self.forget_first(),
            None => {}
        }
        self.order.insert((due, key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> RateGroup<'static> {
        RateGroup::new(None, Some(text.parse().expect("it works")))
    }

    fn caller(name: usize) -> RateGroup<'static> {
        RateGroup::Caller(Cow::Owned(name.to_string()))
    }

    fn remembered(rate: &Rate) -> usize {
        let due_times = rate.due_times.lock().expect("it works");
        assert_eq!(due_times.by_caller.len(), due_times.order.len());
        due_times.by_caller.len()
    }

    #[test]
    fn a_caller_may_use_its_limit_at_once_and_then_at_its_pace() {
        let rate = Rate::new(3, Duration::from_secs(60));
        let start = Instant::now();
        let admit = |seconds| rate.admit(&caller(1), start + Duration::from_secs(seconds));
        assert_eq!([admit(0), admit(0), admit(0)], [Ok(()); 3]);
        assert_eq!(admit(0), Err(Duration::from_secs(20)));
        assert_eq!(admit(19), Err(Duration::from_secs(1)));
        assert_eq!(admit(20), Ok(()));
        assert_eq!(admit(20), Err(Duration::from_secs(20)));
        assert_eq!(rate.admit(&caller(2), start), Ok(()));
        assert_eq!([admit(200), admit(200), admit(200)], [Ok(()); 3]);
        assert_eq!(admit(200), Err(Duration::from_secs(20)));
    }

    #[test]
    fn no_pace_is_too_slow_or_too_fast() {
        let now = Instant::now();
        let rate = Rate::new(2, Duration::MAX);
        assert_eq!(rate.admit(&caller(1), now), Ok(()));
        assert_eq!(rate.admit(&caller(1), now), Ok(()));
        assert!(
            rate.admit(&caller(1), now + Duration::from_secs(1))
                .is_err()
        );
        let rate = Rate::new(u32::MAX, Duration::from_nanos(1));
        assert!((0..1_000).all(|_| rate.admit(&caller(1), now).is_ok()));
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        assert_eq!(address("2001:db8:1:2::1"), address("2001:db8:1:2:ffff::9"));
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
        assert_ne!(address("192.0.2.1"), address("192.0.2.2"));
        assert_eq!(RateGroup::new(None, None), RateGroup::Unknown);
    }

    #[test]
    fn a_flood_of_callers_is_bounded_and_lets_nobody_make_more_calls() {
        let rate = Rate::new(2, Duration::from_secs(3_600));
        let now = Instant::now();
        let spent = |now| (rate.admit(&caller(0), now), rate.admit(&caller(0), now));
        assert_eq!(spent(now), (Ok(()), Ok(())));
        for name in 1..3 * MAX_CALLERS {
            let _ = rate.admit(&caller(name), now);
        }
        assert!(remembered(&rate) <= MAX_CALLERS);
        // The caller has used up its limit, whether or not it was forgotten.
        assert!(rate.admit(&caller(0), now).is_err());
        // A new caller waits no longer than one of the others, even if all of them are busy.
        let new = caller(usize::MAX);
        let wait = rate.admit(&new, now).expect_err("too many");
        assert!(wait <= Duration::from_secs(1_800), "{wait:?}");
        assert_eq!(rate.admit(&new, now + wait), Ok(()));
    }

    #[test]
    fn what_is_undecided_takes_room_until_it_is_counted_or_not() {
        let rate = Rate::new(2, Duration::from_secs(60));
        let now = Instant::now();
        let turn = |undecided| rate.turn(&caller(1), undecided, now);
        assert_eq!((turn(0), turn(1)), (Admission::Now, Admission::Now));
        assert_eq!(turn(2), Admission::Later(None));
        rate.charge(&caller(1), now);
        assert_eq!(turn(0), Admission::Now);
        assert_eq!(turn(1), Admission::Later(Some(Duration::from_secs(30))));
        assert_eq!(turn(2), Admission::Later(None));
        rate.charge(&caller(1), now);
        assert_eq!(turn(0), Admission::Never(Duration::from_secs(30)));
        assert_eq!(rate.turn(&caller(2), 0, now), Admission::Now);
        let later = now + Duration::from_secs(30);
        assert_eq!(rate.turn(&caller(1), 0, later), Admission::Now);
    }

    #[test]
    fn a_caller_that_is_not_remembered_need_not_wait_however_many_do() {
        let rate = Rate::new(1, Duration::from_secs(3_600));
        let now = Instant::now();
        for name in 0..2 * MAX_CALLERS {
            rate.charge(&caller(name), now);
        }
        assert!(remembered(&rate) <= MAX_CALLERS);
        let new = caller(usize::MAX);
        assert_eq!(rate.turn(&new, 0, now), Admission::Now);
        rate.charge(&new, now);
        // Even a caller that takes the place of others never owes more than the time of the limit.
        let wait = Duration::from_secs(3_600);
        assert_eq!(rate.turn(&new, 0, now), Admission::Never(wait));
    }

    #[test]
    fn idle_callers_are_forgotten() {
        let rate = Rate::new(1, Duration::from_secs(1));
        let now = Instant::now();
        for name in 0..MAX_CALLERS / 2 {
            assert_eq!(rate.admit(&caller(name), now), Ok(()));
        }
        let before = remembered(&rate);
        let later = now + Duration::from_secs(2);
        for name in MAX_CALLERS..MAX_CALLERS + 1_000 {
            assert_eq!(rate.admit(&caller(name), later), Ok(()));
        }
        assert!(remembered(&rate) < before - 5_000);
    }
}
