//! Sends calls to the service, within limits on their number and rate.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use docent_describe::json::{Json, push_quoted};
use reqwest::header::{HeaderName, HeaderValue, IF_NONE_MATCH};
use url::Url;

use super::response::LiveResponse;
use super::tested::TestedProcedure;
use crate::call::request::{self, query};
use crate::failure::Failure;
use crate::http::{Exchange, HttpRequest};

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

/// Sends the calls of all threads.
pub(super) struct TrialCaller<'c> {
    pub(super) exchange: &'c Exchange,
    pub(super) address: &'c Url,
    /// True if the service follows Docent's contract in addition to JSON-RPC.
    pub(super) is_docent: bool,
    interval: Duration,
    most: usize,
    log: Mutex<CallLog>,
}

/// The calls so far.
struct CallLog {
    sent: usize,
    /// The time of the next call.
    next: Instant,
    failures: Vec<Failure>,
}

impl CallLog {
    fn is_over(&self, most: usize) -> bool {
        self.sent >= most || self.failures.len() >= FAILURES
    }
}

impl<'c> TrialCaller<'c> {
    pub(super) fn new(
        exchange: &'c Exchange,
        address: &'c Url,
        is_docent: bool,
        (most, rate): (usize, u32),
    ) -> Self {
        Self {
            exchange,
            address,
            is_docent,
            interval: Duration::from_secs(1) / rate.max(1),
            most,
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
        let left = self.most.saturating_sub(self.sent());
        usize::try_from(calls).is_ok_and(|calls| calls < left)
    }

    /// Returns whether no more calls may be sent.
    pub(super) fn is_done(&self) -> bool {
        self.log().is_over(self.most)
    }

    /// Returns the last failure if the service has become unavailable.
    pub(super) fn failure(&self) -> Option<Failure> {
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
        self.send(self.address, Some(&body), Vec::new(), id)
    }

    /// Returns the URL that makes a call by GET, or `None` if GET cannot carry its parameters.
    pub(super) fn query(&self, tested: &TestedProcedure<'_>, params: Option<&Json>) -> Option<Url> {
        let text = params.map(Json::to_string);
        let (procedure, arguments) = (tested.procedure, &tested.arguments);
        query(self.address, procedure, arguments, text.as_deref()).ok()
    }

    /// Sends a message unchanged.
    pub(super) fn post(&self, message: &str) -> Option<LiveResponse> {
        self.send(self.address, Some(message), Vec::new(), None)
    }

    pub(super) fn get(&self, url: &Url, etag: Option<&str>) -> Option<LiveResponse> {
        let etag = etag.and_then(|etag| HeaderValue::try_from(etag).ok());
        let headers = etag.map(|etag| (IF_NONE_MATCH, etag));
        self.send(url, None, headers.into_iter().collect(), None)
    }

    fn send(
        &self,
        url: &Url,
        body: Option<&str>,
        headers: Vec<(HeaderName, HeaderValue)>,
        id: Option<&'static str>,
    ) -> Option<LiveResponse> {
        let mut log = self.log();
        if log.is_over(self.most) {
            return None;
        }
        log.sent += 1;
        let own = log.next.max(Instant::now());
        log.next = own + self.interval;
        drop(log);
        thread::sleep(own.saturating_duration_since(Instant::now()));
        match self.exchange.send(&HttpRequest { url, body, headers }) {
            Ok(answer) => Some(LiveResponse::new(answer, id)),
            Err(failure) => {
                self.log().failures.push(failure);
                None
            }
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
