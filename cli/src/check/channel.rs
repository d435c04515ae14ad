//! Connections on which `--wire` tries rules: WebSockets, and the lines of commands.
//!
//! An answer has no place of its own there, as the response to a request has. So each trial ends with a call that every
//! server answers, and what comes until then belongs to the trial. The answer to that call may overtake others, so a
//! trial that has not heard enough waits a little longer.

use std::time::{Duration, Instant};

use docent_describe::json::{Json, Object};
use docent_tools::check::{Rule, Unanswered};
use docent_tools::request::message;
use docent_tools::wire::{WireFrame, WireRule};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
#[cfg(feature = "websocket")]
use tokio_websockets::Message;

use crate::exec::{CommandPipes, PROBE_METHOD, warn_of_noise};
use crate::http::{Exchange, HttpResponse};
#[cfg(feature = "websocket")]
use crate::http::{OpenedSocket, RawSocket};

/// The time in which others may come after the answer to the last call, and in which that is waited for if nothing else
/// should come.
const MAX_DELAY: Duration = Duration::from_secs(1);

/// The connection to a server, which is made again when it has ended.
pub(super) struct WireConnection<'e> {
    exchange: &'e Exchange,
    channel: Option<Channel>,
    /// The number of trials, each of which ends with a call with an id of its own.
    trials: usize,
}

enum Channel {
    #[cfg(feature = "websocket")]
    Socket(Box<RawSocket>),
    Lines(CommandPipes),
}

/// A message of the server, or another sign of it.
enum Heard {
    Message(String),
    #[cfg(feature = "websocket")]
    Pong(String),
    Closed(Option<u16>),
    Silence,
}

/// All that belongs to the trial of a rule.
#[derive(Default)]
struct Trial {
    /// Messages, and other signs as objects with a member of their name.
    heard: Vec<String>,
    is_closed: bool,
}

/// The outcome of connecting.
enum Connected {
    Yes(Channel),
    /// The response of a server that does not accept a WebSocket.
    #[cfg(feature = "websocket")]
    Refused(HttpResponse),
}

impl<'e> WireConnection<'e> {
    pub(super) fn new(exchange: &'e Exchange) -> Self {
        Self {
            exchange,
            channel: None,
            trials: 0,
        }
    }

    /// Tries a rule, and returns what was heard as the body of a response: the message, or an array of all that came if
    /// the rule is one of connections.
    pub(super) fn try_rule(
        &mut self,
        rule: &WireRule,
        procedure: &str,
    ) -> Result<HttpResponse, Unanswered> {
        let mut channel = match self.channel.take() {
            Some(channel) => channel,
            None => match self.connect()? {
                Connected::Yes(channel) => channel,
                #[cfg(feature = "websocket")]
                Connected::Refused(response) => return Ok(response),
            },
        };
        self.trials += 1;
        let last_id = Json::from(format!("{PROBE_METHOD}-{}", self.trials));
        let frames = rule.frames(procedure);
        let is_blank = matches!(&*frames, [WireFrame::Message(text)] if text.trim().is_empty());
        if is_blank && matches!(channel, Channel::Lines(_)) {
            self.channel = Some(channel);
            let reason = "a line without text is no message";
            return Err(Unanswered::new(Rule::Unreachable, reason));
        }
        let ends_input = matches!(frames.last(), Some(WireFrame::LastLine(_)));
        for frame in frames {
            channel.send(frame);
        }
        let last_id = (!ends_input).then_some(last_id);
        if let Some(id) = &last_id {
            let call = message(PROBE_METHOD, None, Some(&id.to_string()), false);
            channel.send(WireFrame::Message(call));
        }
        let trial = self.listen(&mut channel, rule, last_id.as_ref());
        if !trial.is_closed {
            self.channel = Some(channel);
        }
        Ok(HttpResponse {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: body(rule, &trial.heard),
            url: self.exchange.typed.clone(),
        })
    }

    /// Listens until the last call is answered and nothing else can change the judgement of the rule, or nothing comes
    /// in time. Without a last call, the input has ended.
    fn listen(&self, channel: &mut Channel, rule: &WireRule, last_id: Option<&Json>) -> Trial {
        let mut trial = Trial::default();
        let mut is_over = last_id.is_none();
        let mut limit = self.exchange.limit.unwrap_or(MAX_DELAY);
        if !rule.has_answer() {
            limit = limit.min(MAX_DELAY);
        }
        let mut start = Instant::now();
        loop {
            let is_decided = is_over && has_heard_all(rule, &trial.heard);
            if trial.is_closed || is_decided {
                return trial;
            }
            match channel.next(limit.saturating_sub(start.elapsed())) {
                Heard::Message(text) => match text.parse::<Json>() {
                    Ok(json) if last_id.is_some() && json.get("id") == last_id => {
                        is_over = true;
                        limit = limit.min(MAX_DELAY);
                        start = Instant::now();
                    }
                    Ok(json) if is_of_server(&json) => {}
                    Err(_) if matches!(channel, Channel::Lines(_)) => {
                        warn_of_noise(self.exchange, text.as_bytes());
                    }
                    _ => trial.heard.push(text),
                },
                #[cfg(feature = "websocket")]
                Heard::Pong(text) => trial.heard.push(member("pong", Json::from(text))),
                Heard::Closed(code) => {
                    trial.is_closed = true;
                    let code = code.map_or(Json::Null, |code| Json::from(i64::from(code)));
                    trial.heard.push(member("close", code));
                }
                Heard::Silence => return trial,
            }
        }
    }

    fn connect(&self) -> Result<Connected, Unanswered> {
        #[cfg(feature = "websocket")]
        if let Some(opened) = self.exchange.open_socket() {
            return Ok(match opened? {
                OpenedSocket::Accepted(socket) => Connected::Yes(Channel::Socket(Box::new(socket))),
                OpenedSocket::Refused(response) => Connected::Refused(response),
            });
        }
        let started = CommandPipes::start(&self.exchange.typed)
            .map_err(|failure| Unanswered::new(Rule::Unreachable, failure.messages.join(" ")))?;
        Ok(Connected::Yes(Channel::Lines(started)))
    }
}

impl Channel {
    fn send(&mut self, frame: WireFrame) {
        match self {
            #[cfg(feature = "websocket")]
            Self::Socket(socket) => match frame {
                WireFrame::Message(text) | WireFrame::Lines(text) | WireFrame::LastLine(text) => {
                    socket.send(Message::text(text));
                }
                WireFrame::Binary(text) => socket.send(Message::binary(text)),
                WireFrame::Ping(text) => socket.send(Message::ping(text)),
                WireFrame::NotUtf8 => socket.send(Message::text(&b"\xff"[..])),
            },
            Self::Lines(pipes) => match frame {
                // Outside of strings, line breaks are white space.
                WireFrame::Message(text) => pipes.write(&text.replace(['\n', '\r'], " ")),
                WireFrame::Lines(text) => pipes.write_raw(text),
                WireFrame::LastLine(text) => {
                    pipes.write_raw(text);
                    pipes.end_input();
                }
                // Rules of WebSockets are not tried here.
                WireFrame::Binary(_) | WireFrame::Ping(_) | WireFrame::NotUtf8 => {}
            },
        }
    }

    /// Waits for what comes next, but no longer than this.
    fn next(&mut self, limit: Duration) -> Heard {
        match self {
            #[cfg(feature = "websocket")]
            Self::Socket(socket) => next_of_socket(socket, limit),
            Self::Lines(pipes) => match pipes.next_line(limit) {
                Ok(Some(line)) => Heard::Message(String::from_utf8_lossy(&line).trim().to_owned()),
                Ok(None) => Heard::Silence,
                Err(_) => Heard::Closed(None),
            },
        }
    }
}

#[cfg(feature = "websocket")]
fn next_of_socket(socket: &mut RawSocket, limit: Duration) -> Heard {
    let start = Instant::now();
    loop {
        let message = match socket.next(limit.saturating_sub(start.elapsed())) {
            Ok(Some(message)) => message,
            Ok(None) => return Heard::Silence,
            Err(_) => return Heard::Closed(None),
        };
        if let Some((code, _)) = message.as_close() {
            return Heard::Closed(Some(code.into()));
        }
        let text = String::from_utf8_lossy(message.as_payload()).into_owned();
        if message.is_pong() {
            return Heard::Pong(text);
        }
        if !message.is_ping() {
            return Heard::Message(text);
        }
    }
}

/// Returns whether nothing else can change the judgement: the rule is kept, or its only message has come.
fn has_heard_all(rule: &WireRule, heard: &[String]) -> bool {
    let has_message = rule.carrier.is_none() && !heard.is_empty();
    has_message || rule.judge(&body(rule, heard)).is_ok()
}

/// Returns whether a message is sent by the server of its own accord, such as an item of a subscription.
fn is_of_server(json: &Json) -> bool {
    json.get("method").is_some() && json.get("result").or(json.get("error")).is_none()
}

/// Returns what was heard as the body of a response.
fn body(rule: &WireRule, heard: &[String]) -> Vec<u8> {
    if rule.carrier.is_none() {
        return heard.join("\n").into_bytes();
    }
    let heard = heard.iter().map(|text| {
        let json = text.parse::<Json>();
        json.unwrap_or_else(|_| Json::from(text.as_str()))
    });
    heard.collect::<Json>().to_string().into_bytes()
}

fn member(name: &str, value: Json) -> String {
    Json::from(Object::new().with(name, value)).to_string()
}
