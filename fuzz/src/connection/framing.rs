//! The oracle of framing. It reads requests by its own rules, and shares no code with the connection.
//!
//! It is certain about requests of plain characters. About others it claims only that responses are
//! well-formed, and that nothing follows a response that closes the connection.

use docent_core::Service;
use docent_core::carrier::Incoming;

use super::responses::{Response, split, unchunked};
use super::{Conversation, service};
use crate::service::run;

thread_local! {
    static FRAMED_SERVICE: Service = service();
}

/// The first thing in some bytes.
enum Framed<'b> {
    /// No complete head.
    Nothing,
    /// A malformed head, which must be refused.
    Refused,
    /// The head of a request whose body is incomplete.
    Cut { is_head: bool },
    /// A request, and the bytes after it.
    Request(FramedRequest, &'b [u8]),
    /// Something unusual, about which the oracle is not certain.
    Unsure,
}

struct FramedRequest {
    is_head: bool,
    /// True if the request asks to close the connection.
    closes: bool,
    /// The body, if the request is an ordinary call.
    call: Option<Vec<u8>>,
}

/// The contents of a head's fields.
#[derive(Default)]
struct HeadFields {
    hosts: usize,
    length: Option<usize>,
    is_chunked: bool,
    closes: bool,
    is_json: Option<bool>,
    verdict: Verdict,
}

#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    #[default]
    Fine,
    Refused,
    /// Unusual, so that the outcome is not certain.
    Unusual,
}

/// Checks that a server frames a connection as the contract requires.
///
/// # Errors
/// Returns a description of the violation.
pub fn check_conversation(bytes: &[u8], seen: &Conversation) -> Result<(), String> {
    ensure(seen.ended, "the connection does not end with its input")?;
    ensure(seen.consumed <= bytes.len(), "more is read than was sent")?;
    let mut left = bytes;
    let mut responses = &seen.responses[..];
    loop {
        let (is_head, request) = match next(left) {
            Framed::Nothing => return stays_open(seen.consumed == bytes.len(), responses, seen),
            Framed::Unsure => return is_well_formed(responses),
            Framed::Refused => {
                let response = Response::read(responses, false)?;
                ensure(response.status == 400, "a malformed head is not refused")?;
                return closes(&response, seen);
            }
            // It may be answered before its body arrives, or after the input ends.
            Framed::Cut { .. } if responses.is_empty() => return Ok(()),
            Framed::Cut { is_head } => (is_head, None),
            Framed::Request(request, rest) => {
                left = rest;
                (request.is_head, Some(request))
            }
        };
        let mut response = Response::read(responses, is_head)?;
        while response.status == 100 {
            response = Response::read(response.rest, is_head)?;
        }
        let Some(request) = request else {
            return ensure(response.rest.is_empty(), "a request is answered twice");
        };
        if let Some(call) = request.call {
            let reply = FRAMED_SERVICE.with(|service| run(service.exchange(Incoming::new(call))));
            let body = reply.into_body().unwrap_or_default();
            let status = if body.is_empty() { 204 } else { 200 };
            ensure(response.status == status, "a call has another status")?;
            ensure(response.body == body, "a call is answered as another")?;
            let as_asked = response.closes == request.closes;
            ensure(as_asked, "a call decides about its connection")?;
        }
        ensure(
            response.closes || !request.closes,
            "a request to close is ignored",
        )?;
        if response.closes {
            return closes(&response, seen);
        }
        responses = response.rest;
    }
}

fn ensure(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}

/// Checks that everything was read and answered, and that the connection waits for more.
fn stays_open(all: bool, responses: &[u8], seen: &Conversation) -> Result<(), String> {
    ensure(all, "some bytes wait although everything is answered")?;
    ensure(
        responses.is_empty(),
        "something is answered that is no request",
    )?;
    ensure(!seen.closed, "a connection that looked open is closed")
}

/// Checks that nothing follows a response, and that the connection is closed.
fn closes(response: &Response<'_>, seen: &Conversation) -> Result<(), String> {
    ensure(response.closes, "a last response does not say so")?;
    ensure(
        response.rest.is_empty(),
        "something follows the last response",
    )?;
    ensure(seen.closed, "the connection is not closed")?;
    let all = seen.responses.len() == seen.before_end;
    ensure(all, "the last response waits for the end of the input")
}

/// Checks the responses to unusual bytes.
fn is_well_formed(mut responses: &[u8]) -> Result<(), String> {
    while !responses.is_empty() {
        // A response to HEAD looks incomplete, or as if the next one began in its body.
        let Ok(response) = Response::read(responses, false) else {
            return Ok(());
        };
        let is_last = !response.closes || response.rest.is_empty();
        ensure(
            is_last || response.body.is_empty(),
            "something follows the last response",
        )?;
        responses = response.rest;
    }
    Ok(())
}

fn next(mut bytes: &[u8]) -> Framed<'_> {
    while let Some(rest) = bytes.strip_prefix(b"\r\n") {
        bytes = rest;
    }
    // The first byte of a TLS handshake.
    if bytes.first() == Some(&22) {
        return Framed::Refused;
    }
    let crlf = split(bytes, b"\n\r\n").map(|(_, rest)| rest.len());
    let lf = split(bytes, b"\n\n").map(|(_, rest)| rest.len());
    let Some(rest) = crlf.max(lf) else {
        let starts_with_lf = bytes.starts_with(b"\n\r\n") || bytes.starts_with(b"\n\n");
        return if starts_with_lf {
            Framed::Refused
        } else {
            Framed::Nothing
        };
    };
    let (head, rest) = bytes.split_at(bytes.len() - rest);
    let Some(head) = head.strip_suffix(b"\r\n\r\n") else {
        return Framed::Refused;
    };
    let Ok(head) = std::str::from_utf8(head) else {
        return Framed::Unsure;
    };
    let lines: Vec<_> = head.split("\r\n").collect();
    if lines.iter().any(|line| line.contains('\n')) {
        return Framed::Refused;
    }
    let Some((method, target)) = request_line(lines[0]) else {
        return Framed::Unsure;
    };
    let mut said = HeadFields::default();
    lines[1..].iter().for_each(|line| said.read(line));
    if said.verdict == Verdict::Unusual || lines.len() > 90 {
        return Framed::Unsure;
    }
    if said.verdict == Verdict::Refused || said.hosts != 1 {
        return Framed::Refused;
    }
    let is_head = method == "HEAD";
    let (body, rest) = match (said.is_chunked, said.length) {
        // Both fields are valid by themselves.
        (true, Some(_)) => return Framed::Unsure,
        (true, None) => match unchunked(rest) {
            Some(body) => body,
            None => return Framed::Unsure,
        },
        (false, length) => match rest.split_at_checked(length.unwrap_or_default()) {
            Some((body, rest)) => (body.to_vec(), rest),
            None => return Framed::Cut { is_head },
        },
    };
    let is_call = (method, target) == ("POST", "/rpc") && said.is_json == Some(true);
    Framed::Request(
        FramedRequest {
            is_head,
            closes: said.closes,
            call: is_call.then_some(body),
        },
        rest,
    )
}

/// Returns the method and the target of a plain request line.
fn request_line(line: &str) -> Option<(&str, &str)> {
    let (method, rest) = line.split_once(' ')?;
    let target = rest.strip_suffix(" HTTP/1.1")?;
    let is_known = matches!(method, "GET" | "HEAD" | "POST" | "PUT" | "OPTIONS");
    let mut others = target.bytes();
    let is_plain = others.next() == Some(b'/')
        && others.all(|byte| byte.is_ascii_alphanumeric() || b"/._-?=&".contains(&byte));
    (is_known && is_plain).then_some((method, target))
}

impl HeadFields {
    fn note(&mut self, verdict: Verdict, holds: bool) {
        if holds && verdict > self.verdict {
            self.verdict = verdict;
        }
    }

    fn read(&mut self, line: &str) {
        let Some((name, value)) = line.split_once(':') else {
            self.note(Verdict::Unusual, true);
            return;
        };
        let is_name = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if name.is_empty() || !is_name || !is_plain {
            self.note(Verdict::Unusual, true);
            return;
        }
        let value = value.trim_matches(' ');
        match &*name.to_ascii_lowercase() {
            "host" => self.read_host(value),
            "content-length" => {
                let is_number =
                    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let length = value.parse().ok().filter(|_| is_number && value.len() < 7);
                self.note(Verdict::Refused, !is_number || self.length.is_some());
                self.note(Verdict::Unusual, is_number && length.is_none());
                self.length = length.or(self.length);
            }
            "transfer-encoding" => {
                self.note(Verdict::Unusual, self.is_chunked || value != "chunked");
                self.is_chunked = true;
            }
            "connection" => match value {
                "close" => self.closes = true,
                "keep-alive" | "Upgrade" => self.note(Verdict::Unusual, self.closes),
                _ => self.note(Verdict::Unusual, true),
            },
            "content-type" => {
                self.note(Verdict::Unusual, self.is_json.is_some());
                self.is_json = Some(value == "application/json");
            }
            // These change the outcome of a call.
            "content-encoding" | "idempotency-key" | "expect" => self.note(Verdict::Unusual, true),
            _ => {}
        }
    }

    fn read_host(&mut self, value: &str) {
        self.hosts += 1;
        let (name, port) = value.split_once(':').unwrap_or((value, ""));
        let is_name = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
        let is_plain = is_name && port.bytes().all(|byte| byte.is_ascii_digit());
        let is_wrong = value.contains([' ', '/', '@', '"', '<', '?', '#', '\\', '^', '`', '{']);
        self.note(Verdict::Refused, is_wrong);
        self.note(Verdict::Unusual, !is_plain && !is_wrong);
    }
}
