//! Sends calls to the service, within limits on their number and rate.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use docent_describe::json::{Json, push_quoted};
use url::Url;

use super::response::LiveResponse;
use super::tested::TestedProcedure;
use crate::request::{self, query};

/// A parameter that no procedure has.
pub(super) const UNKNOWN: &str = "noSuchParameter";
/// The number of failed requests after which the service counts as unavailable.
const FAILURES: usize = 5;
/// Ids that a service must send back byte for byte if its contract promises that.
const IDS: [&str; 6] = [
    "1",
    "\"docent-check\"",
    "7.0",
    "-12",
    "\"a\\u0062\"",
    "12345678901234567890",
];
/// The number of these ids that every service can be expected to accept.
const PLAIN_IDS: usize = 2;

/// The way in which a call is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallForm {
    Post,
    Get,
    Notification,
}

/// The way in which a check calls a service.
#[derive(Debug, Clone, Copy)]
pub struct LiveOptions<'o> {
    /// The address of the service.
    pub address: &'o Url,
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
    /// The maximum number of calls in a second.
    pub rate: u32,
}

/// Sends a request, or explains why there is no response. Takes the URL, the JSON that is posted (without
/// any, it is a GET), and the value of the header field `If-None-Match`, if it is sent.
pub type SendLive<'s> =
    dyn Fn(&Url, Option<&str>, Option<&str>) -> Result<LiveResponse, String> + Sync + 's;

/// Sends the calls of all threads.
pub(super) struct TrialCaller<'c> {
    send: &'c SendLive<'c>,
    pub(super) options: LiveOptions<'c>,
    /// True if the service follows Docent's contract in addition to JSON-RPC.
    pub(super) is_docent: bool,
    log: Mutex<CallLog>,
}

/// The calls so far.
struct CallLog {
    sent: usize,
    /// The time of the next call.
    next: Instant,
    failures: Vec<String>,
}

impl CallLog {
    fn is_over(&self, most: usize) -> bool {
        self.sent >= most || self.failures.len() >= FAILURES
    }
}

impl<'c> TrialCaller<'c> {
    pub(super) fn new(send: &'c SendLive<'c>, options: LiveOptions<'c>, is_docent: bool) -> Self {
        Self {
            send,
            options,
            is_docent,
            log: Mutex::new(CallLog {
                sent: 0,
                next: Instant::now(),
                failures: Vec::new(),
            }),
        }
    }

    fn log(&self) -> MutexGuard<'_, CallLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of calls sent.
    pub(super) fn sent(&self) -> usize {
        self.log().sent
    }

    /// Returns whether this many more calls may be sent.
    pub(super) fn has_room(&self, calls: u64) -> bool {
        let left = self.options.max_calls.saturating_sub(self.sent());
        usize::try_from(calls).is_ok_and(|calls| calls < left)
    }

    /// Returns whether no more calls may be sent.
    pub(super) fn is_done(&self) -> bool {
        self.log().is_over(self.options.max_calls)
    }

    /// Returns the last failure if the service has become unavailable.
    pub(super) fn failure(&self) -> Option<String> {
        let mut log = self.log();
        let is_lost = log.failures.len() >= FAILURES;
        log.failures.pop().filter(|_| is_lost)
    }

    /// Sends a call. Returns `None` if no more calls are allowed, or if there was no response.
    pub(super) fn call(
        &self,
        tested: &TestedProcedure<'_>,
        form: CallForm,
        params: Option<&Json>,
    ) -> Option<LiveResponse> {
        if form == CallForm::Get {
            return self.get(&self.query(tested, params)?, None);
        }
        let ids = if self.is_docent { IDS.len() } else { PLAIN_IDS };
        let id = IDS[self.sent() % ids];
        let id = (form == CallForm::Post).then_some(id);
        let body = message(&tested.procedure.name, params, id);
        self.send(self.options.address, Some(&body), None, id)
    }

    /// Returns the URL that makes a call by GET, or `None` if GET cannot carry its parameters.
    pub(super) fn query(&self, tested: &TestedProcedure<'_>, params: Option<&Json>) -> Option<Url> {
        let text = params.map(Json::to_string);
        let reads = |query: &[_]| tested.binding.read(query);
        let address = self.options.address;
        query(address, tested.procedure, text.as_deref(), reads).ok()
    }

    /// Sends a message unchanged.
    pub(super) fn post(&self, message: &str) -> Option<LiveResponse> {
        self.send(self.options.address, Some(message), None, None)
    }

    pub(super) fn get(&self, url: &Url, etag: Option<&str>) -> Option<LiveResponse> {
        self.send(url, None, etag, None)
    }

    fn send(
        &self,
        url: &Url,
        body: Option<&str>,
        if_none_match: Option<&str>,
        id: Option<&'static str>,
    ) -> Option<LiveResponse> {
        let mut log = self.log();
        if log.is_over(self.options.max_calls) {
            return None;
        }
        log.sent += 1;
        let own = log.next.max(Instant::now());
        log.next = own + Duration::from_secs(1) / self.options.rate.max(1);
        drop(log);
        thread::sleep(own.saturating_duration_since(Instant::now()));
        let response = (self.send)(url, body, if_none_match);
        let response = response.map_err(|failure| self.log().failures.push(failure));
        let mut response = response.ok()?;
        response.sent_id = id;
        Some(response)
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
    let mut keyed = String::from(r#"{"x-idempotency-key":"#);
    push_quoted(&mut keyed, key);
    keyed.push(',');
    keyed.push_str(rest);
    keyed
}

/// A call that is tried.
#[derive(Debug, Clone)]
pub(super) struct TrialCall {
    pub(super) form: CallForm,
    pub(super) params: Option<Json>,
    /// True if the description allows the parameters.
    pub(super) is_valid: bool,
    /// The end of this call in an example: a result, or an error with a code.
    pub(super) example: Option<Result<(), i64>>,
    /// An outline of the value that is tried.
    pub(super) focus: String,
}

impl TrialCall {
    pub(super) fn new(form: CallForm, params: Option<Json>, is_valid: bool) -> Self {
        Self {
            form,
            params,
            is_valid,
            example: None,
            focus: String::new(),
        }
    }
}
