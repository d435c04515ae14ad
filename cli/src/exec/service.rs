//! A service of plain JSON-RPC that a command is: one message on each line.
//!
//! To the rest of the program it answers like a service over HTTP. What has no response is found out with a message
//! after it, which every service answers: a notification, and what is no request.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use docent_describe::json::Json;
use docent_tools::check::{Rule, Unanswered};
use docent_tools::request::message;

use super::pipes::{CommandPipes, CommandUser, ResponseTime, warn_of_noise};
use crate::failure::Failure;

/// The method of the message that is sent after one that may have no response. No service has it.
pub(crate) const PROBE_METHOD: &str = "docent.probe";
/// The beginning of the id of such a message.
const PROBE_ID: &str = "docent-probe-";
/// The time in which such a message should be answered.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// The command of a URL, which is started when something is first sent to it, and then shared.
#[derive(Clone, Default)]
pub(crate) struct CommandService(Arc<Mutex<CommandState>>);

#[derive(Default)]
struct CommandState {
    /// `None` before the first message.
    pipes: Option<CommandPipes>,
    /// The number of probes, each of which has an id of its own.
    probes: usize,
}

/// The response that a message has.
enum Expected {
    /// One with this id.
    Response(Json),
    /// An array of responses.
    Batch,
    /// Perhaps none: it is a notification, or no request.
    Uncertain,
}

impl CommandService {
    /// Takes the command for a protocol of its own. It is started if it does not run.
    pub(crate) fn take(&self, user: &dyn CommandUser) -> Result<CommandPipes, Failure> {
        let running = self.lock().pipes.take().filter(|pipes| !pipes.is_over());
        match running {
            Some(pipes) => Ok(pipes),
            None => CommandPipes::start(user.url()),
        }
    }

    /// Gives back a command that does not speak that protocol.
    pub(crate) fn put_back(&self, pipes: CommandPipes) {
        self.lock().pipes = Some(pipes);
    }

    /// Sends a message, with the key of its call, and returns the response if there is one.
    pub(crate) fn send(
        &self,
        user: &dyn CommandUser,
        message: &str,
        key: Option<&str>,
    ) -> Result<Option<Vec<u8>>, Unanswered> {
        if message.trim().is_empty() {
            return Err(Unanswered::new(
                Rule::Unreachable,
                "a line without text is no message",
            ));
        }
        let line = with_key(&message.replace(['\n', '\r'], " "), key);
        self.lock().exchange(user, &line)
    }

    /// Waits for the next message that the service sends by itself, such as an item of a subscription.
    pub(crate) fn next_notification(&self, user: &dyn CommandUser) -> Result<String, Unanswered> {
        let mut state = self.lock();
        let Some(pipes) = &mut state.pipes else {
            return Err(Unanswered::new(
                Rule::Closed,
                "the command does not run".to_owned(),
            ));
        };
        loop {
            let (json, line) = pipes.next_json(user, &ResponseTime::new(None))?;
            match (json.get("method"), json.get("id")) {
                // JSON is UTF-8.
                (Some(_), None) => return Ok(String::from_utf8_lossy(&line).into_owned()),
                (Some(_), Some(id)) => pipes.refuse(id),
                (None, _) => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, CommandState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CommandState {
    /// Sends a line, and returns the one that answers it.
    fn exchange(
        &mut self,
        user: &dyn CommandUser,
        line: &str,
    ) -> Result<Option<Vec<u8>>, Unanswered> {
        let pipes = if let Some(pipes) = &mut self.pipes {
            pipes
        } else {
            let started = CommandPipes::start(user.url()).map_err(|failure| {
                Unanswered::new(Rule::Unreachable, failure.messages.join(" "))
            })?;
            self.pipes.insert(started)
        };
        if pipes.is_over() {
            pipes.start_again(user.url())?;
        }
        pipes.write(line);
        let expected = Expected::of(line);
        let mut time = ResponseTime::new(user.limit());
        let mut probe = None;
        if matches!(expected, Expected::Uncertain) {
            self.probes += 1;
            let id = Json::from(format!("{PROBE_ID}{}", self.probes));
            pipes.write(&message(PROBE_METHOD, None, Some(&id.to_string()), false));
            probe = Some(id);
            let limit = user.limit().unwrap_or(PROBE_TIMEOUT);
            time = ResponseTime::new(Some(limit.min(PROBE_TIMEOUT)));
        }
        let found = wait(pipes, user, &expected, probe.as_ref(), &time);
        match found {
            // It may be a service that answers no unknown method.
            Err(unanswered) if probe.is_some() && unanswered.rule == Rule::TimedOut => Ok(None),
            Err(unanswered) => {
                if unanswered.rule == Rule::TimedOut {
                    pipes.give_up();
                }
                Err(unanswered)
            }
            found => found,
        }
    }
}

/// Waits for the response to a message. Returns `None` if the probe is answered first.
fn wait(
    pipes: &mut CommandPipes,
    user: &dyn CommandUser,
    expected: &Expected,
    probe: Option<&Json>,
    time: &ResponseTime,
) -> Result<Option<Vec<u8>>, Unanswered> {
    loop {
        let (json, mut line) = pipes.next_json(user, time)?;
        while line.pop_if(|byte| matches!(byte, b'\n' | b'\r')).is_some() {}
        let id = json.get("id").unwrap_or(&Json::Null);
        let is_response = json.get("result").or(json.get("error")).is_some();
        if json.get("method").is_some() && !is_response {
            // A notification of the service, such as an item of a subscription, or a request.
            if *id != Json::Null {
                pipes.refuse(id);
            }
            continue;
        }
        if probe == Some(id) {
            return Ok(None);
        }
        // The answer to an earlier probe, whose message was answered first.
        if id.as_str().is_some_and(|id| id.starts_with(PROBE_ID)) {
            continue;
        }
        let is_batch = json.as_array().is_some();
        if !is_response && !is_batch {
            warn_of_noise(user, &line);
            continue;
        }
        // What could not be read has no id.
        let is_unread = is_response && *id == Json::Null;
        let is_answer = match expected {
            Expected::Response(expected) => is_response && (id == expected || is_unread),
            Expected::Batch => is_batch || is_unread,
            Expected::Uncertain => true,
        };
        if is_answer {
            return Ok(Some(line));
        }
        let reason = format!("a response has the id {id}, which no request has");
        return Err(Unanswered::new(Rule::BadResponse, reason));
    }
}

impl Expected {
    fn of(message: &str) -> Self {
        match message.parse::<Json>() {
            Ok(json) if json.get("id").is_some() => {
                Self::Response(json.get("id").cloned().unwrap_or_default())
            }
            Ok(Json::Array(calls)) if calls.iter().any(|call| call.get("id").is_some()) => {
                Self::Batch
            }
            _ => Self::Uncertain,
        }
    }
}

/// Returns a call with its key, which a line has no header field for.
pub(crate) fn with_key(message: &str, key: Option<&str>) -> String {
    match (key, message.strip_prefix('{')) {
        (Some(key), Some(members)) => {
            format!(r#"{{"x-idempotency-key":{},{members}"#, Json::from(key))
        }
        _ => message.to_owned(),
    }
}
