//! Messages over the standard input and output of a command, one on each line.
//!
//! A command may write without end, stop reading, or end at any time, so each pipe has a thread of its
//! own, and every wait has a limit.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use docent_describe::code::{self, METHOD_NOT_FOUND};
use docent_describe::json::{Json, shorten};
use docent_tools::check::{Rule, Unanswered};
use url::Url;

use super::address::command_words;
use crate::environment::{API_KEY_VARIABLE, TOKEN_VARIABLE};
use crate::failure::Failure;
use crate::files::MAX_BYTES;

/// The report of a command that runs, but no longer answers.
const SILENT_COMMAND: &str =
    "the command has closed its standard output, or has written a line of more than 64 MiB";
/// The header field that begins each message of language servers, in lower case.
const FRAME_FIELD: &[u8] = b"content-length:";
/// The report of a command that begins its messages with it.
const FRAMED: &str = "this server frames its messages by Content-Length, as language servers do; \
    docent speaks to servers whose messages are one line each";
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

/// Sends messages to the command of a URL.
pub(crate) trait CommandUser {
    /// Returns the URL that was typed.
    fn url(&self) -> &Url;

    /// Returns the time in which a message should be answered.
    fn limit(&self) -> Option<Duration>;

    /// Prints a warning about the command, unless there was one on this subject.
    fn warn_once(&self, subject: &str, text: fmt::Arguments<'_>);
}

/// The time in which a message should be answered.
pub(crate) struct ResponseTime {
    start: Instant,
    limit: Duration,
}

impl ResponseTime {
    /// Begins the time.
    pub(crate) fn new(limit: Option<Duration>) -> Self {
        Self {
            start: Instant::now(),
            limit: limit.unwrap_or(Duration::MAX),
        }
    }

    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.start.elapsed())
    }
}

/// A command that runs until this is dropped. One request is open at a time.
pub(crate) struct CommandPipes {
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
    pub(crate) fn start(url: &Url) -> Result<Self, Failure> {
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
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Starts a command again that has ended.
    pub(crate) fn start_again(&mut self, url: &Url) -> Result<(), Unanswered> {
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

    /// Ends the command before the next message, because its further responses would be taken for those of others.
    pub(super) fn give_up(&mut self) {
        self.is_over = true;
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
    pub(crate) fn write(&self, message: &str) {
        self.write_raw(format!("{message}\n"));
    }

    /// Hands text to the thread that writes, as it is.
    pub(crate) fn write_raw(&self, text: String) {
        // If the command has ended, that is seen where its response is awaited.
        if let Some(messages) = &self.messages {
            let _ = messages.send(text);
        }
    }

    /// Closes the standard input, once all is written.
    pub(crate) fn end_input(&mut self) {
        self.messages = None;
    }

    /// Waits for the next line, but no longer than this. An error is the reason for which there will be none.
    pub(crate) fn next_line(&mut self, limit: Duration) -> Result<Option<Vec<u8>>, String> {
        match self.lines.recv_timeout(limit) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                self.is_over = true;
                Err(self.end())
            }
        }
    }

    /// Waits for the next line that is JSON, and returns its text as well.
    pub(crate) fn next_json(
        &mut self,
        user: &dyn CommandUser,
        time: &ResponseTime,
    ) -> Result<(Json, Vec<u8>), Unanswered> {
        loop {
            let line = match self.next_line(time.left()) {
                Ok(Some(line)) => line,
                Ok(None) => {
                    let reason = format!("no answer within {} s", time.limit.as_secs_f32());
                    return Err(Unanswered::new(Rule::TimedOut, reason));
                }
                Err(reason) => return Err(Unanswered::new(Rule::Closed, reason)),
            };
            let text = std::str::from_utf8(&line).ok();
            match text.and_then(|text| text.parse().ok()) {
                Some(json) => return Ok((json, line)),
                None if line.to_ascii_lowercase().starts_with(FRAME_FIELD) => {
                    return Err(Unanswered::new(Rule::BadResponse, FRAMED.to_owned()));
                }
                None => warn_of_noise(user, &line),
            }
        }
    }

    /// Answers a request of the server with an error: this program has no methods.
    pub(crate) fn refuse(&self, id: &Json) {
        let message = code::message(METHOD_NOT_FOUND);
        self.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{METHOD_NOT_FOUND},"message":"{message}"}}}}"#
        ));
    }
}

/// Warns once that a command prints a line that is not a message. It may be a log that hides a mistake.
pub(crate) fn warn_of_noise(user: &dyn CommandUser, line: &[u8]) {
    let line = String::from_utf8_lossy(line);
    if !line.trim().is_empty() {
        let line = shorten(line.trim(), MAX_SHOWN);
        user.warn_once("noise", format_args!(
            "the command writes to its standard output a line that is not a message, and that is \
             skipped (logs belong on standard error): {line}"
        ));
    }
}

impl Drop for CommandPipes {
    fn drop(&mut self) {
        // A server ends when its standard input is closed.
        self.end_input();
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
