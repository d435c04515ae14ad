//! Messages over the standard input and output of a command, one on each line.
//!
//! A command may write without end, stop reading, or end at any time, so each pipe has a thread of its
//! own, and every wait has a limit.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use docent_describe::code::{self, METHOD_NOT_FOUND};
use docent_describe::json::{Json, shorten};
use docent_tools::check::{Rule, Unanswered};
use url::Url;

use crate::exec::command_words;
use crate::failure::Failure;
use crate::files::MAX_BYTES;
use crate::http::{API_KEY_VARIABLE, Exchange, TOKEN_VARIABLE};

/// The report of a command that runs, but no longer answers.
const SILENT_COMMAND: &str =
    "the command has closed its standard output, or has written a line of more than 64 MiB";
/// The header field that begins each message of language servers, in lower case.
const FRAME_FIELD: &[u8] = b"content-length:";
/// The report of a command that begins its messages with it.
const FRAMED: &str = "this server frames its messages by Content-Length, as language servers do; \
    those of MCP are one message on each line";
/// The time that a command has to end by itself.
const END_TIMEOUT: Duration = Duration::from_secs(2);
/// The time after the end of its standard output in which a command says how it has ended.
const STATUS_TIMEOUT: Duration = Duration::from_millis(200);
/// The pause before it is asked again whether a command has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// The number of times that a command which has ended is started again.
const MAX_RESTARTS: usize = 100;
/// The maximum length of a line that is shown.
const MAX_SHOWN: usize = 120;

/// A command that runs until this is dropped. One request is open at a time.
pub(super) struct CommandPipes {
    child: Child,
    /// The messages to write. `None` closes the standard input.
    messages: Option<Sender<String>>,
    /// The lines of its standard output, which a thread reads so that waiting can have a limit.
    lines: Receiver<Vec<u8>>,
    /// True once it was seen that the command has ended.
    is_over: bool,
    /// The number of times that it was started again, which has a limit.
    restarts: usize,
}

impl CommandPipes {
    /// Starts the command of a URL, without a shell.
    pub(super) fn start(url: &Url) -> Result<Self, Failure> {
        let words = command_words(url).map_err(Failure::usage)?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped());
        // The token is for services over HTTP.
        command
            .stdout(Stdio::piped())
            .env_remove(TOKEN_VARIABLE)
            .env_remove(API_KEY_VARIABLE);
        let mut child = command
            .spawn()
            .map_err(|error| Failure::system(format_args!("cannot start {}: {error}", words[0])))?;
        let (messages, to_write) = channel::<String>();
        let (read, lines) = sync_channel(1);
        if let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            // A command that does not read must not stop the thread that waits for its answer.
            thread::spawn(move || {
                for line in to_write {
                    if stdin.write_all(line.as_bytes()).is_err() {
                        break;
                    }
                }
            });
            thread::spawn(move || read_lines(stdout, &read));
        }
        Ok(Self {
            child,
            messages: Some(messages),
            lines,
            is_over: false,
            restarts: 0,
        })
    }

    /// Returns whether it was seen that the command has ended.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Starts a command again that has ended.
    pub(super) fn start_again(&mut self, url: &Url) -> Result<(), Unanswered> {
        if self.restarts == MAX_RESTARTS {
            let reason =
                format!("the command has ended {MAX_RESTARTS} times, and is not started again");
            return Err(Unanswered::new(Rule::Unreachable, reason));
        }
        let mut started = Self::start(url)
            .map_err(|failure| Unanswered::new(Rule::Unreachable, failure.messages.join(" ")))?;
        started.restarts = self.restarts + 1;
        *self = started;
        Ok(())
    }

    /// Sends a message, and waits for the response to it if it has an id.
    pub(super) fn exchange(
        &mut self,
        exchange: &Exchange,
        message: &str,
        id: Option<i64>,
    ) -> Result<Option<Json>, Unanswered> {
        self.write(message);
        id.map(|id| self.wait(exchange, id)).transpose()
    }

    /// Returns how the command has ended.
    fn end(&mut self) -> String {
        match self.status_within(STATUS_TIMEOUT) {
            Some(status) => format!("the command has ended ({status})"),
            None => SILENT_COMMAND.to_owned(),
        }
    }

    /// Waits for the end of the command, but not longer than this.
    fn status_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < limit {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            // Its remaining output must not keep it from ending.
            let _ = self.lines.try_recv();
            thread::sleep(POLL_INTERVAL);
        }
        None
    }

    /// Hands a message to the thread that writes.
    fn write(&self, message: &str) {
        // If the command has ended, that is seen where its response is awaited.
        if let Some(messages) = &self.messages {
            let _ = messages.send(format!("{message}\n"));
        }
    }

    /// Waits for the response with this id, and answers requests of the server meanwhile.
    fn wait(&mut self, exchange: &Exchange, id: i64) -> Result<Json, Unanswered> {
        let start = Instant::now();
        let limit = exchange.limit.unwrap_or(Duration::MAX);
        loop {
            let line = match self
                .lines
                .recv_timeout(limit.saturating_sub(start.elapsed()))
            {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => {
                    let reason = format!("no answer within {} s", limit.as_secs_f32());
                    return Err(Unanswered::new(Rule::TimedOut, reason));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.is_over = true;
                    return Err(Unanswered::new(Rule::Closed, self.end()));
                }
            };
            let Some(json) = read_message(&line) else {
                if line.to_ascii_lowercase().starts_with(FRAME_FIELD) {
                    return Err(Unanswered::new(Rule::BadResponse, FRAMED.to_owned()));
                }
                warn_of_noise(exchange, &line);
                continue;
            };
            let found = json.get("id").unwrap_or(&Json::Null);
            match (json.get_str("method"), found.as_i64()) {
                (Some(method), _) if *found != Json::Null => {
                    let outcome = match method {
                        "ping" => r#""result":{}"#.to_owned(),
                        _ => format!(
                            r#""error":{{"code":{METHOD_NOT_FOUND},"message":"{}"}}"#,
                            code::message(METHOD_NOT_FOUND)
                        ),
                    };
                    self.write(&format!(r#"{{"jsonrpc":"2.0","id":{found},{outcome}}}"#));
                }
                (Some(_), _) => {}
                (None, Some(found)) if found == id => return Ok(json),
                // The response to an earlier request, which took too long.
                (None, Some(found)) if found < id => {}
                _ if *found == Json::Null && json.get("error").is_some() => return Ok(json),
                _ => {
                    let reason = format!("a response has the id {found}, which no request has");
                    return Err(Unanswered::new(Rule::BadResponse, reason));
                }
            }
        }
    }
}

/// Reads a line that is a message of JSON-RPC. Some commands also print what is none, such as a log in JSON.
fn read_message(line: &[u8]) -> Option<Json> {
    let json: Json = std::str::from_utf8(line).ok()?.parse().ok()?;
    let says_version = json.get_str("jsonrpc") == Some("2.0");
    // A careless server may still answer.
    let is_response = json.get("result").or(json.get("error")).is_some()
        && json.get("id").and_then(Json::as_i64).is_some();
    (says_version || is_response).then_some(json)
}

/// Warns once that a command prints a line that is not a message. It may be a log that hides a mistake.
fn warn_of_noise(exchange: &Exchange, line: &[u8]) {
    let line = String::from_utf8_lossy(line);
    if !line.trim().is_empty() {
        let line = shorten(line.trim(), MAX_SHOWN);
        exchange.warn_once("noise", format_args!(
            "the command writes to its standard output a line that is not a message, and that is \
             skipped (logs belong on standard error): {line}"
        ));
    }
}

impl Drop for CommandPipes {
    fn drop(&mut self) {
        // A server ends when its standard input is closed.
        self.messages = None;
        if self.status_within(END_TIMEOUT).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads lines until the output ends, or until one is longer than any message may be.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Vec<u8>>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = (&mut reader).take(MAX_BYTES).read_until(b'\n', &mut line);
        if read.is_err() || !line.ends_with(b"\n") || lines.send(line).is_err() {
            return;
        }
    }
}
