//! Sends calls to the service, within limits on their number and rate.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use docent_describe::json::{Json, push_quoted};
use ureq::http::{HeaderName, HeaderValue};
use url::Url;

use super::response::Response;
use super::subject::Subject;
use crate::call::request::{self, query};
use crate::failure::Failure;
use crate::http::{Exchange, Request};

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
/// Ids that every service can be expected to accept.
const PLAIN_IDS: [&str; 2] = ["1", "\"docent-check\""];

/// The way in which a call is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Post,
    Get,
    Notification,
}

/// Sends the calls of all threads.
pub(super) struct Caller<'c> {
    pub(super) exchange: &'c Exchange,
    pub(super) address: &'c Url,
    /// True if the service follows Docent's contract in addition to JSON-RPC.
    pub(super) is_docent: bool,
    interval: Duration,
    most: usize,
    sent: AtomicUsize,
    next: Mutex<Instant>,
    failed: Mutex<Vec<Failure>>,
}

impl<'c> Caller<'c> {
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
            sent: AtomicUsize::new(0),
            next: Mutex::new(Instant::now()),
            failed: Mutex::default(),
        }
    }

    /// Returns the number of calls sent.
    pub(super) fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed).min(self.most)
    }

    /// Returns whether this many more calls may be sent, in less than this time.
    pub(super) fn has_room(&self, calls: u64, time: Duration) -> bool {
        let left = self.most.saturating_sub(self.sent());
        let takes = |calls| self.interval.checked_mul(calls);
        usize::try_from(calls).is_ok_and(|calls| calls < left)
            && u32::try_from(calls).is_ok_and(|calls| takes(calls).is_some_and(|it| it < time))
    }

    /// Returns whether no more calls may be sent.
    pub(super) fn is_done(&self) -> bool {
        self.sent.load(Ordering::Relaxed) >= self.most || self.has_lost()
    }

    fn failed(&self) -> std::sync::MutexGuard<'_, Vec<Failure>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_lost(&self) -> bool {
        self.failed().len() >= FAILURES
    }

    /// Returns the last failure if the service has become unavailable.
    pub(super) fn failure(&self) -> Option<Failure> {
        let mut failed = self.failed();
        if failed.len() < FAILURES {
            return None;
        }
        failed.pop()
    }

    /// Sends a call. Returns `None` if no more calls are allowed, or if there was no response.
    pub(super) fn call(
        &self,
        subject: &Subject<'_>,
        form: Form,
        params: Option<&Json>,
    ) -> Option<Response> {
        if form == Form::Get {
            return self.get(&self.query(subject, params)?, None);
        }
        let ids: &[&str] = if self.is_docent { &IDS } else { &PLAIN_IDS };
        let id = ids[self.sent.load(Ordering::Relaxed) % ids.len()];
        let id = (form == Form::Post).then_some(id);
        let body = message(&subject.procedure.name, params, id);
        self.send(self.address, Some(&body), Vec::new(), id)
    }

    /// Returns the URL that makes a call by GET, or `None` if GET cannot carry its parameters.
    pub(super) fn query(&self, subject: &Subject<'_>, params: Option<&Json>) -> Option<Url> {
        let text = params.map(Json::to_string);
        let Subject {
            procedure,
            arguments,
            ..
        } = subject;
        query(self.address, procedure, arguments, text.as_deref()).ok()
    }

    /// Sends a message unchanged.
    pub(super) fn post(&self, message: &str) -> Option<Response> {
        self.send(self.address, Some(message), Vec::new(), None)
    }

    /// Sends calls as one batch.
    pub(super) fn batch(&self, calls: &[String]) -> Option<Response> {
        let body = format!("[{}]", calls.join(","));
        self.send(self.address, Some(&body), Vec::new(), None)
    }

    pub(super) fn get(&self, url: &Url, etag: Option<&str>) -> Option<Response> {
        let etag = etag.and_then(|etag| HeaderValue::try_from(etag).ok());
        let headers = etag.map(|etag| (HeaderName::from_static("if-none-match"), etag));
        self.send(url, None, headers.into_iter().collect(), None)
    }

    fn send(
        &self,
        url: &Url,
        body: Option<&str>,
        headers: Vec<(HeaderName, HeaderValue)>,
        id: Option<&str>,
    ) -> Option<Response> {
        if self.has_lost() || self.sent.fetch_add(1, Ordering::Relaxed) >= self.most {
            return None;
        }
        self.wait();
        match self.exchange.send(&Request { url, body, headers }) {
            Ok(answer) => Some(Response::new(answer, id.map(str::to_owned))),
            Err(failure) => {
                self.failed().push(failure);
                None
            }
        }
    }

    /// Waits until the next call may be sent.
    fn wait(&self) {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let own = (*next).max(Instant::now());
        *next = own + self.interval;
        drop(next);
        thread::sleep(own.saturating_duration_since(Instant::now()));
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
