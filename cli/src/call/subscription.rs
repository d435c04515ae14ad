//! Subscriptions: prints each item when it comes.
//!
//! Over HTTP, a subscription is a request whose response is a stream of events. A connection that is lost, or that the
//! service ends because it stops, is made again with the cursor of the last item, so that nothing is missed and nothing
//! comes twice. Without a cursor there is no telling what was missed, so the loss is a failure. A command that ends is
//! not started again, because its lines have no place for a cursor.

use std::thread;
use std::time::Duration;

use docent_client::Event;
use docent_core::carrier::LAST_CURSOR;
use docent_describe::code;
use docent_describe::json::Json;
use docent_tools::check::Rule;
use docent_tools::locate::spans;
use reqwest::header::HeaderValue;

use super::CallTarget;
use super::response::{self, CallReply};
use crate::args::CallArgs;
use crate::exec::CommandService;
use crate::failure::{Failure, Result};
use crate::http::{EventStream, HttpRequest, HttpResponse, LAST_EVENT_ID, Subscribed};
use crate::terminal::Terminal;

/// The pauses before attempts to come back, unless the service has set one: they double from the first to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LAST_PAUSE: Duration = Duration::from_secs(30);

/// Subscribes, and prints the items until the subscription ends or enough have come.
pub(super) fn follow(
    call: &CallTarget<'_>,
    args: &CallArgs,
    request: HttpRequest<'_>,
    terminal: Terminal,
) -> Result {
    let mut follower = Follower {
        call,
        args,
        terminal,
        request,
        pause: None,
        failures: 0,
        printed: 0,
    };
    match &call.remote.exchange.command {
        Some(command) => follower.follow_lines(command),
        None => follower.follow_events(),
    }
}

/// A subscription whose items are printed.
struct Follower<'f> {
    call: &'f CallTarget<'f>,
    args: &'f CallArgs,
    terminal: Terminal,
    /// The request to subscribe. It has the cursor of the last item, if there is one.
    request: HttpRequest<'f>,
    /// The pause before the next attempt to come back, if the service has set it.
    pause: Option<Duration>,
    /// The number of attempts to come back since the last item.
    failures: u32,
    printed: u64,
}

/// The reason for which no more messages are read from a connection.
enum End {
    /// The subscription is over, or no more items are wanted.
    Over,
    /// The connection was lost, and the subscription can go on.
    Lost(String),
}

impl Follower<'_> {
    /// Follows the subscription over HTTP, on as many connections as it takes.
    fn follow_events(&mut self) -> Result {
        loop {
            match self.follow_connection()? {
                End::Over => return Ok(()),
                End::Lost(reason) => self.wait_after_loss(&reason)?,
            }
        }
    }

    fn follow_connection(&mut self) -> Result<End> {
        let exchange = &self.call.remote.exchange;
        let mut events = match exchange.subscribe(&self.request) {
            Ok(Subscribed::Events(events)) => events,
            Ok(Subscribed::Refused(response)) if self.has_cursor() && is_temporary(&response) => {
                return Ok(End::Lost(format!("HTTP {}", response.status)));
            }
            Ok(Subscribed::Refused(response)) => {
                let finished = self.call.finish(&response, self.args, self.terminal);
                return finished.map(|()| End::Over);
            }
            Err(unanswered) if self.has_cursor() && unanswered.rule != Rule::BadResponse => {
                return Ok(End::Lost(unanswered.reason));
            }
            Err(unanswered) => return Err(exchange.unavailable(&unanswered)),
        };
        if let Some(end) = self.read_response(&mut events)? {
            return Ok(end);
        }
        loop {
            let event = match events.next() {
                Ok(event) => event,
                Err(reason) => return Ok(End::Lost(reason)),
            };
            if let Some(end) = self.read_event(&event)? {
                return Ok(end);
            }
        }
    }

    /// Reads the answer to the call, which is the first event with data.
    fn read_response(&mut self, events: &mut EventStream) -> Result<Option<End>> {
        let event = loop {
            match events.next() {
                Ok(event) if event.data.is_empty() => self.pause = event.retry.or(self.pause),
                Ok(event) => break event,
                Err(reason) => return Ok(Some(End::Lost(reason))),
            }
        };
        self.pause = event.retry.or(self.pause);
        let remote = self.call.remote;
        let reply = CallReply::read(&event.data).ok_or_else(|| response::no_reply(remote))?;
        match &reply.outcome {
            Ok(_) if self.args.get || reply.is_of_call() => Ok(None),
            Ok(_) => Err(response::foreign_reply(&reply, remote)),
            Err(error) => self.read_error(error, &event).map(Some),
        }
    }

    fn read_event(&mut self, event: &Event) -> Result<Option<End>> {
        self.pause = event.retry.or(self.pause);
        if !event.data.is_empty() {
            return self.read_message(event);
        }
        // A service that tells no ends still tells that there is nothing to come back to.
        let is_last = event.id.as_deref() == Some(LAST_CURSOR);
        Ok(is_last.then_some(End::Over))
    }

    /// Reads a message of the subscription, and prints its item.
    fn read_message(&mut self, event: &Event) -> Result<Option<End>> {
        let text = &event.data;
        let json: Json = text.parse().unwrap_or_default();
        let params = json.get("params").unwrap_or(&Json::Null);
        let missed = params.get("missed").and_then(Json::as_i64).unwrap_or(0);
        if missed > 0 {
            let warning = format_args!("docent: {missed} of the source's items were missed here");
            self.terminal.warn(warning);
        }
        if let Some(error) = params.get("error").filter(|error| **error != Json::Null) {
            return self.read_error(error, event).map(Some);
        }
        let Some(span) = spans(text, &["/params/result"]).remove("/params/result") else {
            return match params.get("ended").and_then(Json::as_bool) {
                Some(true) => Ok(Some(End::Over)),
                _ => Err(response::no_reply(self.call.remote)),
            };
        };
        let printed = if self.args.envelope {
            text.trim_end()
        } else {
            response::part(&text[span], self.args.pointer.as_deref())?
        };
        // Outside of strings, which have no line breaks, they are white space.
        let line = printed.replace(['\n', '\r'], " ");
        let has_reader = self.terminal.write_item(&line)?;
        self.failures = 0;
        self.printed += 1;
        self.remember(params.get_str("cursor").or(event.id.as_deref()));
        let is_enough = self
            .args
            .items
            .is_some_and(|items| self.printed >= items.get());
        Ok((is_enough || !has_reader).then_some(End::Over))
    }

    /// Returns the failure that an error stands for, unless the service stops and may be back soon.
    fn read_error(&self, error: &Json, event: &Event) -> Result<End> {
        let is_last = event.id.as_deref() == Some(LAST_CURSOR);
        let code = error.get("code").and_then(Json::as_i64);
        let is_command = self.call.remote.exchange.command.is_some();
        if code == Some(code::GOING_AWAY) && !is_last && !is_command {
            return Ok(End::Lost("the server stops".to_owned()));
        }
        let service = &self.call.remote.description;
        Err(response::failure(error, self.call.procedure, service))
    }

    /// Takes the cursor of an item, with which the next connection resumes.
    fn remember(&mut self, cursor: Option<&str>) {
        let value = cursor.and_then(|cursor| HeaderValue::from_bytes(cursor.as_bytes()).ok());
        if let Some(value) = value {
            self.request.headers.insert(LAST_EVENT_ID, value);
        }
    }

    fn has_cursor(&self) -> bool {
        self.request.headers.contains_key(LAST_EVENT_ID)
    }

    /// Waits before the next attempt to come back. Says once that the connection was lost.
    fn wait_after_loss(&mut self, reason: &str) -> Result {
        if !self.has_cursor() {
            let display_name = self.call.remote.display_name();
            return Err(Failure::system(format_args!(
                "{display_name}: the connection was lost ({reason}), and the subscription cannot be resumed, because no item \
                 has come with a cursor"
            )));
        }
        if self.failures == 0 {
            self.terminal.warn(format_args!(
                "docent: the connection was lost ({reason}); coming back after the last item"
            ));
        }
        let doubled = FIRST_PAUSE * (1 << self.failures.min(5));
        self.failures += 1;
        thread::sleep(self.pause.take().unwrap_or(doubled.min(LAST_PAUSE)));
        Ok(())
    }

    /// Follows the subscription on the lines of a command.
    fn follow_lines(&mut self, command: &CommandService) -> Result {
        let remote = self.call.remote;
        let response = remote.send(&self.request)?;
        let reply = CallReply::read(response.json_text()?);
        let Some(Ok(subscription)) = reply.map(|reply| reply.outcome) else {
            return self.call.finish(&response, self.args, self.terminal);
        };
        let subscription: Json = subscription.parse().unwrap_or_default();
        loop {
            let line = command
                .next_notification(&remote.exchange)
                .map_err(|unanswered| remote.exchange.unavailable(&unanswered))?;
            let json: Json = line.parse().unwrap_or_default();
            let told = json
                .get("params")
                .and_then(|params| params.get("subscription"));
            if told != Some(&subscription) {
                continue;
            }
            let mut event = Event::default();
            event.data = line;
            if self.read_message(&event)?.is_some() {
                return Ok(());
            }
        }
    }
}

/// Returns whether a response means that it helps to come back later.
fn is_temporary(response: &HttpResponse) -> bool {
    // Such as a page of a proxy whose service starts anew.
    if matches!(response.status.as_u16(), 502..=504) {
        return true;
    }
    let reply = response.json_text().ok().and_then(CallReply::read);
    let Some(Err(error)) = reply.map(|reply| reply.outcome) else {
        return false;
    };
    let code = error.get("code").and_then(Json::as_i64);
    code.and_then(code::find)
        .is_some_and(|known| known.retry.helps())
}
