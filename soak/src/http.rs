//! Raw connections, for requests that a well-behaved client would not send.
//!
//! A library for HTTP would correct what is sent here on purpose.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

pub(crate) use raw_http::{Request, Response};

use super::ANSWER_TIMEOUT;

/// Returns whether the response closes the connection.
pub(crate) fn closes(response: &Response) -> bool {
    response
        .header("connection")
        .is_some_and(|value| value.eq_ignore_ascii_case("close"))
}

/// Returns the start of a response, for a report.
pub(crate) fn shown(response: &Response) -> String {
    let body = excerpt(&response.body);
    format!("{} {:?} {body}", response.status, response.headers)
}

/// Returns the start of a text, for a report.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(400)];
    let more = if start.len() < bytes.len() { "…" } else { "" };
    format!("{}{more}", String::from_utf8_lossy(start).escape_debug())
}

/// The reason for which a response is missing.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The connection broke.
    Broken(io::Error),
    /// Nothing arrived in time.
    Late,
    /// The bytes that arrived are not HTTP.
    Garbled(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(error) => write!(f, "the connection broke ({error})"),
            Self::Late => write!(f, "nothing came for {ANSWER_TIMEOUT:?}"),
            Self::Garbled(what) => f.write_str(what),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::Late,
            io::ErrorKind::InvalidData => Self::Garbled(error.to_string()),
            _ => Self::Broken(error),
        }
    }
}

/// A connection, with the bytes it has received but not yet parsed.
pub(crate) struct Connection(BufReader<TcpStream>);

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Result<Self, Trouble> {
        let stream = TcpStream::connect_timeout(&address, ANSWER_TIMEOUT)?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        stream.set_write_timeout(Some(ANSWER_TIMEOUT))?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        Ok(self.0.get_mut().write_all(bytes)?)
    }

    /// Closes the sending side.
    pub(crate) fn end(&mut self) -> Result<(), Trouble> {
        Ok(self.0.get_ref().shutdown(Shutdown::Write)?)
    }

    /// Polls for incoming bytes, and returns whether the connection is open.
    pub(crate) fn peek(&mut self) -> bool {
        let moment = Some(Duration::from_millis(1));
        if self.0.get_ref().set_read_timeout(moment).is_err() {
            return false;
        }
        let open = match self.0.fill_buf().map_err(Trouble::from) {
            Ok(bytes) => !bytes.is_empty(),
            Err(trouble) => matches!(trouble, Trouble::Late),
        };
        open && self
            .0
            .get_ref()
            .set_read_timeout(Some(ANSWER_TIMEOUT))
            .is_ok()
    }

    /// Returns whether all received bytes have been parsed.
    pub(crate) fn is_silent(&self) -> bool {
        self.0.buffer().is_empty()
    }

    /// Reads the next response. `bodiless` means that the request was HEAD.
    pub(crate) fn receive(&mut self, bodiless: bool) -> Result<Response, Trouble> {
        loop {
            let response = Response::try_read(&mut self.0, bodiless)?;
            if response.status >= 200 {
                return Ok(response);
            }
        }
    }
}

/// Returns a request with these header fields, and a `Content-Length` that matches the body.
pub(crate) fn request(
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: Option<&[u8]>,
) -> Vec<u8> {
    let mut request = Request::new(method, target);
    request.headers.extend_from_slice(headers);
    request.body = body;
    request.bytes()
}
