//! Sends calls to the service, within limits on their number and rate.
//!
//! It knows nothing of HTTP: a [transport](LiveTransport) that `cli` passes sends one request. All threads share one
//! caller, so that together they keep the rate, and all stop if the service is gone.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use docent_describe::Origin;
use docent_describe::json::Json;
use url::Url;

use super::response::{LiveResponse, Unanswered};
use super::tested::TestedProcedure;
use super::transport::LiveTransport;
use crate::check::rule::Rule;
use crate::request::{self, query};

/// A parameter that no procedure has.
pub(super) const UNKNOWN_PARAM: &str = "noSuchParameter";
/// The pause before a service that accepts no connections is tried again.
const RETRY_PAUSE: Duration = Duration::from_millis(250);
/// The time in which a service that was ended should be back.
const MAX_RESTART_TIME: Duration = Duration::from_secs(5);
/// The id of calls that are shown, if it makes no difference.
pub(super) const USUAL_ID: &str = "1";
/// Ids that every service can be expected to accept.
const PLAIN_IDS: [&str; 2] = [USUAL_ID, "\"docent-check\""];
/// Ids that a service must send back byte for byte if its contract promises that.
const EXACT_IDS: [&str; 6] = [
    USUAL_ID,
    "\"docent-check\"",
    "7.0",
    "-12",
    "\"a\\u0062\"",
    "12345678901234567890",
];

/// The way in which a call is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CallForm {
    /// A message in the body of a POST.
    Post,
    /// A query, which only idempotent procedures take.
    Get,
    /// A message without an id, to which there is no response.
    Notification,
}

/// The way in which a check calls a service.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct LiveOptions<'o> {
    /// The address of the service.
    pub address: &'o Url,
    /// True if the address stands for a command or a WebSocket, which carry messages and have no GET.
    pub is_command: bool,
    /// True if requests carry credentials. Otherwise, procedures that need some are not called.
    pub has_credentials: bool,
    /// True if procedures that are not idempotent are called too.
    pub with_writes: bool,
    /// The seed of the calls. The same seed leads to the same calls.
    pub seed: u64,
    /// The maximum number of calls.
    pub max_calls: usize,
    /// The number of calls at the same time.
    pub at_once: u8,
    /// The maximum number of calls in a second, if there is one.
    pub rate: Option<u32>,
    /// The time that a request with its response may take.
    pub max_time: Duration,
}

impl<'o> LiveOptions<'o> {
    /// Creates the options for calls to this address, without credentials and writes: at most 1000 calls, 4 at the same
    /// time and 20 in a second, each of at most 30 seconds.
    pub const fn new(address: &'o Url) -> Self {
        Self {
            address,
            is_command: false,
            has_credentials: false,
            with_writes: false,
            seed: 0,
            max_calls: 1000,
            at_once: 4,
            rate: Some(20),
            max_time: Duration::from_secs(30),
        }
    }
}

/// A response, or the reason for which there is none. It is `None` if no more calls are allowed.
pub(super) type LiveReply = Option<Result<LiveResponse, Unanswered>>;

/// Sends the calls of all threads.
pub(super) struct TrialCaller<'c> {
    pub(super) transport: &'c dyn LiveTransport,
    pub(super) options: LiveOptions<'c>,
    /// True if the service follows Docent's contract in addition to JSON-RPC.
    pub(super) is_docent: bool,
    /// True if it is a server of MCP, which has no calls by GET, no notifications and no batches.
    pub(super) is_mcp: bool,
    /// The log that all threads share, so that the limits hold for all of them together.
    log: Mutex<CallLog>,
}

/// The calls so far.
#[derive(Default)]
pub(super) struct CallLog {
    /// The number of requests, which the limit on calls is about.
    pub(super) sent: usize,
    /// The time of the next call, if calls have a rate.
    next: Option<Instant>,
    answered: usize,
    /// The number of requests that were answered only when they were repeated.
    pub(super) unanswered: usize,
    /// The reason for which the service can no longer be called.
    pub(super) lost: Option<Unanswered>,
}

impl CallLog {
    /// Returns whether no more calls may be sent.
    pub(super) fn is_over(&self, max_calls: usize) -> bool {
        self.sent >= max_calls || self.lost.is_some()
    }

    /// Reserves the time of the next call, and returns how long to wait for it.
    fn take_turn(&mut self, now: Instant, rate: u32) -> Duration {
        let turn = self.next.map_or(now, |next| next.max(now));
        self.next = Some(turn + Duration::from_secs(1) / rate.max(1));
        turn - now
    }
}

impl<'c> TrialCaller<'c> {
    pub(super) fn new(
        transport: &'c dyn LiveTransport,
        options: LiveOptions<'c>,
        origin: Origin,
    ) -> Self {
        Self {
            transport,
            options,
            is_docent: origin == Origin::Docent,
            is_mcp: origin == Origin::Mcp,
            log: Mutex::default(),
        }
    }

    /// Returns whether a call can end the server, which has to be started again then.
    pub(super) fn can_be_ended(&self) -> bool {
        self.is_mcp || self.options.is_command
    }

    /// Locks the log. It is only counters, which stay right if a thread panics while it has the lock.
    pub(super) fn log(&self) -> MutexGuard<'_, CallLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether more calls than this may still be sent.
    pub(super) fn has_room(&self, calls: usize) -> bool {
        let log = self.log();
        log.lost.is_none() && calls < self.options.max_calls.saturating_sub(log.sent)
    }

    /// Returns an id for the next call.
    pub(super) fn next_id(&self) -> &'static str {
        let ids: &[&str] = if self.is_docent {
            &EXACT_IDS
        } else {
            &PLAIN_IDS
        };
        ids[self.log().sent % ids.len()]
    }

    /// Sends a call.
    pub(super) fn call(&self, tested: &TestedProcedure<'_>, call: &TrialCall) -> LiveReply {
        let params = call.params.as_ref();
        if call.form == CallForm::Get {
            return self.get(&self.query(tested, params)?, None);
        }
        let id = call.id();
        let reply = self.post(&message(&tested.procedure.name, params, id))?;
        Some(reply.map(|response| response.to(id)))
    }

    /// Returns the URL that makes a call by GET, or `None` if GET cannot carry its parameters.
    pub(super) fn query(&self, tested: &TestedProcedure<'_>, params: Option<&Json>) -> Option<Url> {
        if self.is_mcp || self.options.is_command {
            return None;
        }
        let text = params.map(Json::to_string);
        query(
            self.options.address,
            tested.procedure,
            text.as_deref(),
            |query| tested.binding.read(query),
        )
        .ok()
    }

    /// Sends a message unchanged.
    pub(super) fn post(&self, message: &str) -> LiveReply {
        self.send(self.options.address, Some(message), None)
    }

    /// Sends a GET. With `etag`, it asks for a response only if that has changed.
    pub(super) fn get(&self, url: &Url, etag: Option<&str>) -> LiveReply {
        self.send(url, None, etag)
    }

    /// Sends a request, and once more if there is no response: the reason may be another call, which ended
    /// the service.
    fn send(&self, url: &Url, body: Option<&str>, etag: Option<&str>) -> LiveReply {
        Some(match self.send_once(url, body, etag)? {
            Err(mut missing) if missing.rule != Rule::BadResponse => {
                match self.send_once(url, body, etag) {
                    Some(Ok(response)) => {
                        self.log().unanswered += 1;
                        Ok(response)
                    }
                    Some(again) => again,
                    None => {
                        if self.options.at_once > 1 && self.log().lost.is_some() {
                            missing.reason += "; the service ended, maybe because of another call";
                        }
                        Err(missing)
                    }
                }
            }
            reply => reply,
        })
    }

    /// Counts a request, and waits until it is its turn. Returns `None` if no more are allowed.
    pub(super) fn wait_for_turn(&self) -> Option<()> {
        let mut log = self.log();
        if log.is_over(self.options.max_calls) {
            return None;
        }
        log.sent += 1;
        let pause = self
            .options
            .rate
            .map(|rate| log.take_turn(Instant::now(), rate));
        drop(log);
        if let Some(pause) = pause {
            thread::sleep(pause);
        }
        Some(())
    }

    /// Sends a request when it is its turn. Waits for a service that was ended and starts again.
    fn send_once(&self, url: &Url, body: Option<&str>, etag: Option<&str>) -> LiveReply {
        self.wait_for_turn()?;
        let start = Instant::now();
        loop {
            let reply = self.transport.send(url, body, etag);
            let mut log = self.log();
            match reply {
                Err(missing) if missing.rule == Rule::Unreachable => {
                    if log.answered == 0 || start.elapsed() > MAX_RESTART_TIME {
                        log.lost.get_or_insert(missing);
                        return None;
                    }
                }
                reply => {
                    log.answered += 1;
                    return Some(reply);
                }
            }
            drop(log);
            thread::sleep(RETRY_PAUSE);
        }
    }
}

/// Returns the message of a call, or of a notification if there is no id.
pub(super) fn message(procedure: &str, params: Option<&Json>, id: Option<&str>) -> String {
    let params = params.map(Json::to_string);
    request::message(procedure, params.as_deref(), id, false)
}

/// Adds a key to a message.
pub(super) fn keyed(message: &str, key: &str) -> String {
    let rest = message.strip_prefix('{').unwrap_or(message);
    let key = Json::from(key);
    format!(r#"{{"x-idempotency-key":{key},{rest}"#)
}

/// A call that is tried.
#[derive(Clone)]
pub(super) struct TrialCall {
    /// The way in which it is sent.
    pub(super) form: CallForm,
    /// The parameters, or `None` for a call without the member `params`.
    pub(super) params: Option<Json>,
    /// The id as JSON text, which the response has to repeat.
    pub(super) id: &'static str,
    /// True if the description allows the parameters.
    pub(super) is_valid: bool,
    /// The end of this call in an example: a result, or an error with a code.
    pub(super) example: Option<Result<Json, i64>>,
    /// An outline of the value that is tried.
    pub(super) focus: String,
}

impl TrialCall {
    pub(super) fn new(form: CallForm, params: Option<Json>, is_valid: bool) -> Self {
        Self {
            form,
            params,
            id: USUAL_ID,
            is_valid,
            example: None,
            focus: String::new(),
        }
    }

    /// Returns the id that is sent in its message.
    pub(super) fn id(&self) -> Option<&'static str> {
        (self.form != CallForm::Notification).then_some(self.id)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use docent_describe::Origin;
    use url::Url;

    use super::{CallLog, LiveOptions, LiveTransport, TrialCaller};
    use crate::check::live::response::{LiveResponse, Unanswered};

    struct Empty;

    impl LiveTransport for Empty {
        fn send(
            &self,
            _: &Url,
            _: Option<&str>,
            _: Option<&str>,
        ) -> Result<LiveResponse, Unanswered> {
            Ok(LiveResponse::new(200, |_| None, Vec::new()))
        }
    }

    #[test]
    fn calls_wait_for_their_turn_only_if_there_is_a_rate() {
        let url = "http://localhost/rpc".parse().expect("a URL");
        for rate in [None, Some(100_000)] {
            let mut options = LiveOptions::new(&url);
            options.rate = rate;
            let caller = TrialCaller::new(&Empty, options, Origin::Docent);
            for _ in 0..10 {
                assert!(caller.post("{}").is_some_and(|reply| reply.is_ok()));
            }
            assert_eq!(caller.log().sent, 10);
            assert_eq!(caller.log().next.is_some(), rate.is_some());
        }
    }

    #[test]
    fn turns_are_as_far_apart_as_the_rate_says() {
        let mut log = CallLog::default();
        let now = Instant::now();
        let pauses = [(); 3].map(|()| log.take_turn(now, 20));
        assert_eq!(pauses, [0, 50, 100].map(Duration::from_millis));
    }
}
