//! Follows subscriptions, and holds what comes to the description.
//!
//! ```text
//! subscribe ── the id, then items ──► unsubscribe ──► resume after the item in the middle
//! ```
//!
//! The answer comes before the first item; each item has its schema, its notification and its cursor; an end is one
//! that the procedure declares; nothing follows an end. Who resumes gets the items that came after the cursor the first
//! time, each once. Items are told apart by their cursors, because a source may say today's date in each.
//!
//! A source that is quiet proves nothing, so silence ends the wait for items. Only items that came before have to come
//! again, however slowly: in the time that a call has.

mod items;
mod resume;

use std::time::{Duration, Instant};

use docent_describe::code;
use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, SubscriptionDescription};

use super::caller::{CallForm, TrialCall, USUAL_ID, message};
use super::checker::Checker;
use super::response::{LiveOutcome, LiveResponse};
use super::transport::{LiveStep, LiveStream, LiveSubscribed};
use crate::check::finding::{Finding, short_json};
use crate::check::rule::Rule;

/// The number of calls with which a subscription is tried.
const MAX_SUBSCRIPTIONS: usize = 3;
/// The number of items that are taken of each.
pub(super) const MAX_ITEMS: usize = 10;
/// The time without an item after which no more are waited for.
const MAX_SILENCE: Duration = Duration::from_secs(2);
/// The id of `rpc.unsubscribe`, which differs from that of the call.
const UNSUBSCRIBE_ID: &str = "2";

/// Follows the subscription with parameters that its description allows.
pub(super) fn subscription(checker: &Checker<'_, '_>) -> Option<()> {
    let procedure = checker.tested.procedure;
    let described = procedure.subscription.as_ref()?;
    let mut tried = Vec::new();
    for params in checker.tested.allowed_params(checker.validator) {
        let is_over = tried.len() == MAX_SUBSCRIPTIONS || checker.has_given_up();
        if is_over || tried.contains(&params) {
            continue;
        }
        let follower = Follower {
            checker,
            procedure,
            described,
            params: params.clone(),
        };
        follower.follow();
        tried.push(params);
    }
    Some(())
}

/// Follows a subscription with the same parameters each time, apart from the cursor.
struct Follower<'f, 'd> {
    checker: &'f Checker<'f, 'd>,
    procedure: &'d ProcedureDescription,
    described: &'d SubscriptionDescription,
    params: Object,
}

/// A subscription that has begun.
struct RunningSubscription {
    stream: Box<dyn LiveStream>,
    /// The call that began it.
    call: TrialCall,
    /// The id with which it was answered.
    id: Json,
    /// The cursors of its items, in their order. Items without one have an empty cursor.
    cursors: Vec<String>,
    /// True if the service has reported that items were lost.
    has_lost_items: bool,
    end: Option<End>,
}

/// The reason for which no more items come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The service has announced that the source is over, or has failed as the procedure declares.
    Announced,
    /// The service has sent an error of the protocol, such as that it stops.
    Failed,
    /// The connection is gone.
    Closed,
}

impl Follower<'_, '_> {
    /// Takes some items, ends the subscription, and resumes it. Returns `None` if it has to stop early.
    fn follow(&self) -> Option<()> {
        let mut running = self.subscribe(None, None)?;
        self.take_items(&mut running, MAX_ITEMS, MAX_SILENCE);
        let has_items = !running.cursors.is_empty();
        let mut report = self.checker.report();
        report.decided += usize::from(has_items || running.end.is_some());
        if has_items {
            report.with_results.insert(self.procedure.name.clone());
        }
        drop(report);
        let cursors = running.cursors.clone();
        let id = running.id.clone();
        let can_resume = self.described.resume.is_some() && !running.has_lost_items;
        let stream = self.unsubscribe(running);
        if can_resume && cursors.iter().all(|cursor| !cursor.is_empty()) {
            self.resume(&cursors, &id, stream)?;
        }
        Some(())
    }

    /// Subscribes on this connection, or on a new one, and returns the subscription once its call is answered with an
    /// id.
    fn subscribe(
        &self,
        cursor: Option<&str>,
        stream: Option<Box<dyn LiveStream>>,
    ) -> Option<RunningSubscription> {
        let checker = self.checker;
        let tested = checker.tested;
        let mut params = self.params.clone();
        if let (Some(cursor), Some(name)) = (cursor, &self.described.resume) {
            params.insert(name.as_str(), self.cursor_param(name, cursor)?);
        }
        let call = TrialCall::new(CallForm::Post, tested.by_name(&params), true);
        // Over HTTP, browsers resume with a header field.
        let field = cursor.filter(|_| !checker.caller.options.is_command);
        let sent = match field {
            Some(_) => tested.by_name(&self.params),
            None => call.params.clone(),
        };
        let message = message(&self.procedure.name, sent.as_ref(), call.id());
        let mut stream = match stream {
            Some(mut stream) => {
                checker.caller.wait_for_turn()?;
                stream.send(&message);
                stream
            }
            None => self.open(&call, &message, field)?,
        };
        let mut before = Vec::new();
        let answer = self.wait_for_answer(&call, &mut *stream, USUAL_ID, |text| {
            before.push(text.to_owned());
        })?;
        let response = LiveResponse::new(
            200,
            |field| (field == "content-type").then(|| "application/json".to_owned()),
            answer.into_bytes(),
        );
        let id = self.result(&call, response)?;
        let is_number = id.as_number().is_some();
        // Only Docent promises that it is a string.
        if id.as_str().is_none() && (checker.caller.is_docent || !is_number) {
            let message = format!(
                "the call was answered with {}, which is no id",
                short_json(&id)
            );
            self.add(&call, Finding::new(Rule::SubscriptionId, message));
            return None;
        }
        let mut running = RunningSubscription {
            stream,
            call,
            id,
            cursors: Vec::new(),
            has_lost_items: false,
            end: None,
        };
        before.retain(|text| self.read(text).is_some());
        if !before.is_empty() {
            let message = "an item came before the answer to the call";
            self.add(&running.call, Finding::new(Rule::ItemEarly, message));
        }
        for text in before {
            self.take_message(&mut running, &text, None);
        }
        Some(running)
    }

    /// Sends the message of a call on a connection of its own.
    fn open(
        &self,
        call: &TrialCall,
        message: &str,
        field: Option<&str>,
    ) -> Option<Box<dyn LiveStream>> {
        let checker = self.checker;
        checker.caller.wait_for_turn()?;
        let Some(reply) = checker.caller.transport.subscribe(message, field) else {
            checker.give_up("subscriptions are followed over HTTP and WebSockets".to_owned());
            return None;
        };
        match reply {
            Ok(LiveSubscribed::Stream(stream)) => return Some(stream),
            Ok(LiveSubscribed::Refused(response)) => {
                if self.result(call, response).is_some() {
                    checker.give_up("the service does not send its items as events".to_owned());
                }
            }
            Err(missing) => self.add(call, missing.into()),
        }
        None
    }

    /// Returns the value with which a parameter takes a cursor: the text, or the number that it is.
    fn cursor_param(&self, name: &str, cursor: &str) -> Option<Json> {
        let param = self
            .procedure
            .params
            .iter()
            .find(|param| param.name == name)?;
        let validator = self.checker.validator;
        [Some(Json::from(cursor)), cursor.parse().ok()]
            .into_iter()
            .flatten()
            .find(|value| validator.is_valid(&param.schema, value) != Some(false))
    }

    /// Waits for the response with an id. Other messages that come before it are passed to `on_other`.
    fn wait_for_answer(
        &self,
        call: &TrialCall,
        stream: &mut dyn LiveStream,
        id: &str,
        mut on_other: impl FnMut(&str),
    ) -> Option<String> {
        let limit = self.checker.caller.options.max_time;
        let start = Instant::now();
        let finding = loop {
            // A server that sends without end never answers.
            let step = match limit.checked_sub(start.elapsed()) {
                Some(left) => stream.next(left),
                None => LiveStep::Silence,
            };
            match step {
                LiveStep::Message { text, .. } => {
                    let json: Json = text.parse().unwrap_or_default();
                    let found = json.get("id").unwrap_or(&Json::Null);
                    let is_its_id = *found == Json::Null || found.to_string() == id;
                    if json.get("method").is_none() && is_its_id {
                        return Some(text);
                    }
                    on_other(&text);
                }
                LiveStep::Silence => {
                    let message = format!("there was no answer within {limit:?}");
                    break Finding::new(Rule::TimedOut, message);
                }
                LiveStep::Closed(reason) => {
                    let message = format!("there was no answer: {reason}");
                    break Finding::new(Rule::Closed, message);
                }
            }
        };
        self.add(call, finding);
        None
    }

    /// Returns the result of the call. Otherwise, reports what is wrong.
    fn result(&self, call: &TrialCall, response: LiveResponse) -> Option<Json> {
        let checker = self.checker;
        let response = response.to(call.id());
        let outcome = response.outcome(false).ok();
        match outcome.and_then(|outcome| outcome.code()) {
            Some(code::NEEDS_A_CONNECTION) => {
                checker.give_up("it needs a connection, such as a WebSocket".to_owned());
                return None;
            }
            // The cursor was made up, or is too old by now.
            Some(code::CANNOT_RESUME) => return None,
            _ => {}
        }
        match checker.check_response(call, &response) {
            Ok(LiveOutcome::Result(id)) => return Some(id),
            Ok(LiveOutcome::Error(_)) => {}
            Err(findings) => {
                for finding in findings {
                    self.add(call, finding);
                }
            }
        }
        None
    }

    /// Ends the subscription, if it has not ended, and returns the connection if another can begin there. A stream of
    /// events is left.
    fn unsubscribe(&self, mut running: RunningSubscription) -> Option<Box<dyn LiveStream>> {
        if running.end == Some(End::Closed) || !self.checker.caller.is_docent {
            return None;
        }
        let params = Object::new().with("subscription", running.id.clone());
        let params = Json::Object(params);
        let message = message("rpc.unsubscribe", Some(&params), Some(UNSUBSCRIBE_ID));
        if !running.stream.send(&message) {
            return None;
        }
        self.checker.caller.wait_for_turn()?;
        let call = running.call.clone();
        let mut before = Vec::new();
        let answer = self.wait_for_answer(&call, &mut *running.stream, UNSUBSCRIBE_ID, |text| {
            before.push(text.to_owned());
        })?;
        // What was queued is written before the answer, and may be the end.
        for text in before {
            self.take_message(&mut running, &text, None);
        }
        let was_running = running.end.is_none();
        let answer: Json = answer.parse().unwrap_or_default();
        if answer.get("result") != Some(&Json::Bool(was_running)) {
            let state = if was_running { "running" } else { "over" };
            let answer = short_json(&answer);
            let message = format!(
                "the subscription was {state}, and `rpc.unsubscribe` was answered with {answer}"
            );
            self.add(&call, Finding::new(Rule::Unsubscribe, message));
        }
        // A source that was quiet all the time shows nothing more.
        if !running.cursors.is_empty() {
            match running.stream.next(MAX_SILENCE) {
                LiveStep::Message { text, .. } if self.read(&text).is_some() => {
                    let message = "a notification came after the end of the subscription";
                    self.add(&call, Finding::new(Rule::ItemLate, message));
                    return None;
                }
                LiveStep::Closed(_) => return None,
                LiveStep::Message { .. } | LiveStep::Silence => {}
            }
        }
        Some(running.stream)
    }

    /// Reports a finding, unless it is known with other values.
    fn add(&self, call: &TrialCall, finding: Finding) {
        if self.checker.is_new(call, &finding) {
            self.checker.add(call, finding);
        }
    }
}
