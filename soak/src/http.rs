//! As much of HTTP/1.1 as a soak needs, on plain sockets: what is hostile is what a well-behaved
//! client cannot be made to send.

use std::fmt::{self, Write as _};
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use super::PATIENCE;

/// The most bytes that are taken as one answer.
const MOST: usize = 32 << 20;

/// What came back.
#[derive(Debug, Clone, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header field that is there once; its name is in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    /// Whether the connection ends with this answer.
    pub(crate) fn closes(&self) -> bool {
        self.header("connection")
            .is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// The beginning of it, for a report.
    pub(crate) fn excerpt(&self) -> String {
        let body = excerpt(&self.body);
        format!("{} {:?} {body}", self.status, self.headers)
    }
}

/// The beginning of a text, for a report.
pub(crate) fn excerpt(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(400)];
    let more = if shown.len() < bytes.len() { "…" } else { "" };
    format!("{}{more}", String::from_utf8_lossy(shown).escape_debug())
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The connection broke.
    Broken(io::Error),
    /// Nothing came for too long.
    Late,
    /// What came is no HTTP.
    Garbled(&'static str),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(error) => write!(f, "the connection broke ({error})"),
            Self::Late => write!(f, "nothing came for {PATIENCE:?}"),
            Self::Garbled(what) => f.write_str(what),
        }
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::Late,
            _ => Self::Broken(error),
        }
    }
}

/// A connection, and what it has received and nobody has looked at.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Result<Self, Trouble> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let buffer = Vec::new();
        Ok(Self { stream, buffer })
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        Ok(self.stream.write_all(bytes)?)
    }

    /// Says that nothing more will be sent.
    pub(crate) fn end(&mut self) -> Result<(), Trouble> {
        Ok(self.stream.shutdown(Shutdown::Write)?)
    }

    /// Looks for a moment whether something has come, and says whether the connection is open.
    pub(crate) fn peek(&mut self) -> bool {
        let moment = Some(Duration::from_millis(1));
        if self.stream.set_read_timeout(moment).is_err() {
            return false;
        }
        let open = match self.fill() {
            Ok(()) | Err(Trouble::Late) => true,
            Err(_) => false,
        };
        open && self.stream.set_read_timeout(Some(PATIENCE)).is_ok()
    }

    /// Whether nothing has come that nobody has looked at.
    pub(crate) fn is_silent(&self) -> bool {
        self.buffer.is_empty()
    }

    /// The next answer; `bodiless` where it answers HEAD.
    pub(crate) fn receive(&mut self, bodiless: bool) -> Result<Answer, Trouble> {
        loop {
            let mut answer = self.head()?;
            if answer.status >= 200 {
                if !bodiless && !matches!(answer.status, 204 | 304) {
                    answer.body = self.body(&answer)?;
                }
                return Ok(answer);
            }
        }
    }

    fn head(&mut self) -> Result<Answer, Trouble> {
        let end = loop {
            let found = self.buffer.windows(4).position(|four| four == b"\r\n\r\n");
            match found {
                Some(end) => break end,
                None => self.fill()?,
            }
        };
        let head = self.take(end + 4)?;
        let head = str::from_utf8(&head).map_err(|_| Trouble::Garbled("a head not in UTF-8"))?;
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 "));
        let status = status.and_then(|line| line.get(..3)?.parse().ok());
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        match (status, headers.collect()) {
            (Some(status), Some(headers)) => Ok(Answer {
                status,
                headers,
                body: Vec::new(),
            }),
            _ => Err(Trouble::Garbled("a head that is none")),
        }
    }

    fn body(&mut self, answer: &Answer) -> Result<Vec<u8>, Trouble> {
        if let Some(length) = answer.header("content-length") {
            let length = length.parse();
            return self.take(length.map_err(|_| Trouble::Garbled("a length that is none"))?);
        }
        if answer.header("transfer-encoding") != Some("chunked") {
            return Err(Trouble::Garbled("a body without a length"));
        }
        let mut body = Vec::new();
        loop {
            let line = loop {
                let found = self.buffer.windows(2).position(|two| two == b"\r\n");
                match found {
                    Some(end) => break self.take(end + 2)?,
                    None => self.fill()?,
                }
            };
            let size = str::from_utf8(&line).unwrap_or_default().trim();
            let size = usize::from_str_radix(size, 16);
            let size = size.map_err(|_| Trouble::Garbled("a chunk without a size"))?;
            let chunk = self.take(size.saturating_add(2))?;
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                return Ok(body);
            }
        }
    }

    fn take(&mut self, length: usize) -> Result<Vec<u8>, Trouble> {
        while self.buffer.len() < length {
            self.fill()?;
        }
        let rest = self.buffer.split_off(length);
        Ok(std::mem::replace(&mut self.buffer, rest))
    }

    fn fill(&mut self) -> Result<(), Trouble> {
        if self.buffer.len() > MOST {
            return Err(Trouble::Garbled("more than an answer can be"));
        }
        let mut chunk = [0; 16 << 10];
        let length = self.stream.read(&mut chunk)?;
        if length == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        self.buffer.extend_from_slice(&chunk[..length]);
        Ok(())
    }
}

/// A request with these header fields, and a body of the length that it says.
pub(crate) fn request(
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: Option<&[u8]>,
) -> Vec<u8> {
    let mut head = format!("{method} {target} HTTP/1.1\r\nHost: library.example\r\n");
    for (name, value) in headers {
        // Writing to a `String` cannot fail.
        let _ = write!(head, "{name}: {value}\r\n");
    }
    if let Some(body) = body {
        let _ = write!(head, "Content-Length: {}\r\n", body.len());
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(body.unwrap_or_default());
    bytes
}
