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

use std::time::{Duration, Instant};

use docent_describe::code;
use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, SubscriptionDescription};

use super::caller::{CallForm, TrialCall, USUAL_ID, message};
use super::checker::Checker;
use super::response::{LiveError, LiveOutcome, LiveResponse};
use super::transport::{LiveStep, LiveStream, LiveSubscribed};
use crate::check::finding::{Finding, shown};
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
    for params in checker.tested.bases(checker.validator) {
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
struct Running {
    stream: Box<dyn LiveStream>,
    /// The call that began it.
    call: TrialCall,
    /// The id with which it was answered.
    id: Json,
    /// The cursors of its items, in their order. Items without one have an empty cursor.
    cursors: Vec<String>,
    /// True if the service has told that items were lost.
    has_lost_items: bool,
    end: Option<End>,
}

/// The reason for which no more items come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The service has told that the source is over, or has failed as the procedure declares.
    Told,
    /// The service has told an error of the protocol, such as that it stops.
    Failed,
    /// The connection is gone.
    Closed,
}

/// A notification that looks like one of a subscription.
struct Notification {
    method: String,
    params: Object,
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
        let Running { cursors, id, .. } = &running;
        let (cursors, id) = (cursors.clone(), id.clone());
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
    ) -> Option<Running> {
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
            let message = format!("the call was answered with {}, which is no id", shown(&id));
            self.add(&call, Finding::new(Rule::SubscriptionId, message));
            return None;
        }
        let mut running = Running {
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
            checker.leave_alone("subscriptions are followed over HTTP and WebSockets".to_owned());
            return None;
        };
        match reply {
            Ok(LiveSubscribed::Stream(stream)) => return Some(stream),
            Ok(LiveSubscribed::Refused(response)) => {
                if self.result(call, response).is_some() {
                    checker.leave_alone("the service does not send its items as events".to_owned());
                }
            }
            Err(missing) => self.add(call, missing.into()),
        }
        None
    }

    /// Returns the value with which a parameter takes a cursor: the text, or the number that it is.
    fn cursor_param(&self, name: &str, cursor: &str) -> Option<Json> {
        let mut params = self.procedure.params.iter();
        let param = params.find(|param| param.name == name)?;
        let validator = self.checker.validator;
        let values = [Some(Json::from(cursor)), cursor.parse().ok()];
        values
            .into_iter()
            .flatten()
            .find(|value| validator.is_valid(&param.schema, value) != Some(false))
    }

    /// Waits for the response with an id. Other messages that come before it are passed to `see`.
    fn wait_for_answer(
        &self,
        call: &TrialCall,
        stream: &mut dyn LiveStream,
        id: &str,
        mut see: impl FnMut(&str),
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
                    see(&text);
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
                checker.leave_alone("it needs a connection, such as a WebSocket".to_owned());
                return None;
            }
            // The cursor was made up, or is too old by now.
            Some(code::CANNOT_RESUME) => return None,
            _ => {}
        }
        match checker.judge(call, &response) {
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

    /// Takes items until there are enough, none comes in time, or there will be none.
    fn take_items(&self, running: &mut Running, number: usize, silence: Duration) {
        let start = Instant::now();
        let limit = self.checker.caller.options.max_time;
        while running.cursors.len() < number && running.end.is_none() && start.elapsed() < limit {
            match running.stream.next(silence) {
                LiveStep::Message { text, event_id } => {
                    self.take_message(running, &text, event_id.as_deref());
                }
                LiveStep::Silence => return,
                LiveStep::Closed(reason) => {
                    running.end = Some(End::Closed);
                    if !self.described.ends_untold {
                        let message = format!("the end of the subscription was not told: {reason}");
                        self.add(&running.call, Finding::new(Rule::Closed, message));
                    }
                }
            }
        }
    }

    /// Takes a message, which may be an item or the end of the subscription.
    fn take_message(&self, running: &mut Running, text: &str, event_id: Option<&str>) {
        let Some(Notification { method, params }) = self.read(text) else {
            return;
        };
        let call = &running.call;
        let id = params.get("subscription").unwrap_or(&Json::Null);
        if *id != running.id {
            let own = shown(&running.id);
            let id = shown(id);
            let message = format!("an item of {id} came, and the call was answered with {own}");
            return self.add(call, Finding::new(Rule::ItemForm, message));
        }
        let expected = self.procedure.item_notification().unwrap_or_default();
        if method != expected {
            let message = format!("the notification is {expected:?}, and {method:?} came");
            self.add(call, Finding::new(Rule::ItemForm, message));
        }
        if let Some(error) = params.get("error").filter(|error| **error != Json::Null) {
            running.end = Some(self.failed(call, error));
        } else if let Some(item) = params.get("result") {
            self.take_item(running, item, &params, event_id);
        } else if params.get("ended") == Some(&Json::Bool(true)) {
            running.end = Some(End::Told);
        } else {
            let message = "a notification came without an item and without an end";
            self.add(call, Finding::new(Rule::ItemForm, message));
        }
    }

    /// Returns the notification that a message is, if it can be one of the subscription.
    fn read(&self, text: &str) -> Option<Notification> {
        let json: Json = text.parse().ok()?;
        let method = json.get_str("method")?.to_owned();
        let params = json.get("params")?.as_object()?.clone();
        let is_named = Some(&*method) == self.procedure.item_notification();
        (is_named || params.contains_key("subscription")).then_some(Notification { method, params })
    }

    /// Checks the error with which the subscription ends.
    fn failed(&self, call: &TrialCall, error: &Json) -> End {
        let error = match LiveError::read(error) {
            Ok(error) => error,
            Err(reason) => {
                let message = format!("the end of the subscription is wrong: {reason}");
                self.add(call, Finding::new(Rule::ItemForm, message));
                return End::Failed;
            }
        };
        if error.code == code::INTERNAL_ERROR {
            let message = format!("the subscription ended with {}", error.message);
            self.add(call, Finding::new(Rule::InternalError, message));
        }
        if code::find(error.code).is_some() {
            return End::Failed;
        }
        for finding in self.checker.own_error(self.procedure, &error) {
            self.add(call, finding);
        }
        End::Told
    }

    /// Checks an item, and remembers its cursor.
    fn take_item(
        &self,
        running: &mut Running,
        item: &Json,
        params: &Object,
        event_id: Option<&str>,
    ) {
        let call = &running.call;
        let schema = &self.described.item.schema;
        for finding in self
            .checker
            .violations(Rule::ItemSchema, "the item", schema, item)
        {
            self.add(call, finding);
        }
        let missed = params.get("missed").and_then(Json::as_i64);
        running.has_lost_items |= missed.is_some_and(|missed| missed > 0);
        let cursor = params.get_str("cursor").unwrap_or_default();
        let is_docent = self.checker.caller.is_docent;
        let event_id = event_id.filter(|_| is_docent).unwrap_or(cursor);
        let wrong = if self.described.resume.is_none() {
            None
        } else if cursor.is_empty() {
            Some((Rule::Cursor, "an item came without a cursor".to_owned()))
        } else if event_id != cursor {
            let message = format!("the id of an event is {event_id:?}, and the cursor {cursor:?}");
            Some((Rule::Cursor, message))
        } else if running.cursors.iter().any(|known| known == cursor) {
            let message = format!("two items have the cursor {cursor:?}");
            Some((Rule::ItemRepeated, message))
        } else {
            None
        };
        if let Some((rule, message)) = wrong {
            self.add(call, Finding::new(rule, message));
        }
        running.cursors.push(cursor.to_owned());
    }

    /// Ends the subscription, if it has not ended, and returns the connection if another can begin there. A stream of
    /// events is left.
    fn unsubscribe(&self, mut running: Running) -> Option<Box<dyn LiveStream>> {
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
            let answer = shown(&answer);
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

    /// Subscribes after the item in the middle, and compares what comes with the cursors of the first time.
    fn resume(
        &self,
        known: &[String],
        first_id: &Json,
        stream: Option<Box<dyn LiveStream>>,
    ) -> Option<()> {
        let middle = known.len().checked_sub(1)? / 2;
        let cursor = &known[middle];
        let expected = &known[middle + 1..];
        let is_same_connection = stream.is_some();
        let mut running = self.subscribe(Some(cursor), stream)?;
        let call = running.call.clone();
        if is_same_connection && running.id == *first_id {
            let message = format!(
                "two subscriptions of a connection have the id {}",
                shown(first_id)
            );
            self.add(&call, Finding::new(Rule::SubscriptionId, message));
        }
        let silence = if expected.is_empty() {
            MAX_SILENCE
        } else {
            self.checker.caller.options.max_time
        };
        self.take_items(&mut running, expected.len().max(1), silence);
        if running.has_lost_items {
            return Some(());
        }
        let mut missing = expected.iter();
        for came in &running.cursors {
            let next = missing.next();
            if next.is_none_or(|next| next == came) && !known[..=middle].contains(came) {
                continue;
            }
            let (rule, message) = match next {
                Some(next) if !known[..=middle].contains(came) => {
                    let message =
                        format!("after the cursor {cursor:?}, {came:?} came and not {next:?}");
                    (Rule::ItemSkipped, message)
                }
                _ => {
                    let message = format!("after the cursor {cursor:?}, {came:?} came again");
                    (Rule::ItemRepeated, message)
                }
            };
            self.add(&call, Finding::new(rule, message));
            return Some(());
        }
        let is_certain = matches!(running.end, None | Some(End::Told));
        if let Some(next) = missing.next().filter(|_| is_certain) {
            let message = format!("after the cursor {cursor:?}, {next:?} did not come again");
            self.add(&call, Finding::new(Rule::ItemSkipped, message));
        }
        Some(())
    }

    /// Reports a finding, unless it is known with other values.
    fn add(&self, call: &TrialCall, finding: Finding) {
        if self.checker.is_new(call, &finding) {
            self.checker.add(call, finding);
        }
    }
}
