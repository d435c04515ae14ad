//! An HTTP/1.1 client for tests. It sends exactly what it is given, valid or not, and returns
//! exactly what it receives.
//!
//! ```no_run
//! use std::net::TcpStream;
//!
//! use raw_http::{Request, Response};
//!
//! let mut connection = TcpStream::connect("127.0.0.1:8080").unwrap();
//! let request = Request::post("/rpc", b"[]").header("Accept", "application/json");
//! let response = Response::exchange(&mut connection, &request);
//! assert_eq!(response.status, 200);
//! ```

pub mod hostile;
pub mod streams;

use std::fmt::Write as _;
use std::io::{self, Read, Write};

/// The maximum length of a head or a body that the client reads, in bytes.
const MAX_BYTES: usize = 32 << 20;

/// A request, header field by header field.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The method, in any case.
    pub method: &'a str,
    /// The request target, as it appears in the request line.
    pub target: &'a str,
    /// The header fields other than `Host` and, if there is a body, `Content-Length`.
    pub headers: Vec<(&'a str, &'a str)>,
    /// The body.
    pub body: Option<&'a [u8]>,
}

impl<'a> Request<'a> {
    /// Creates a request without header fields and without a body.
    pub fn new(method: &'a str, target: &'a str) -> Self {
        Self {
            method,
            target,
            headers: Vec::new(),
            body: None,
        }
    }

    /// Creates a POST request with a JSON body.
    pub fn post(target: &'a str, body: &'a [u8]) -> Self {
        Self {
            body: Some(body),
            ..Self::new("POST", target).header("Content-Type", "application/json")
        }
    }

    /// Sets a header field and replaces any with the same name.
    #[must_use]
    pub fn header(self, name: &'a str, value: &'a str) -> Self {
        let mut request = self.without(name);
        request.headers.push((name, value));
        request
    }

    /// Removes a header field.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers
            .retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self
    }

    /// Returns the bytes of the request.
    pub fn bytes(&self) -> Vec<u8> {
        let Self { method, target, .. } = self;
        let mut head = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\n");
        for (name, value) in &self.headers {
            // Writing to a `String` cannot fail.
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if let Some(body) = self.body {
            let _ = write!(head, "Content-Length: {}\r\n", body.len());
        }
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend_from_slice(self.body.unwrap_or_default());
        bytes
    }

    /// Returns the bytes of the request, with the body in chunks of `size` bytes.
    pub fn chunked(&self, size: usize) -> Vec<u8> {
        let mut bodiless = self.clone().header("Transfer-Encoding", "chunked");
        bodiless.body = None;
        let mut bytes = bodiless.bytes();
        for chunk in self.body.unwrap_or_default().chunks(size) {
            bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            bytes.extend_from_slice(chunk);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"0\r\n\r\n");
        bytes
    }
}

/// A response.
#[derive(Debug, Clone, Default)]
pub struct Response {
    /// The status. It may be 1xx.
    pub status: u16,
    /// The header fields in the order received, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, decoded if it was chunked.
    pub body: Vec<u8>,
}

impl Response {
    /// Sends a request and reads the response. The connection stays open.
    ///
    /// # Panics
    /// If no complete response arrives.
    #[track_caller]
    pub fn exchange(connection: &mut (impl Read + Write), request: &Request<'_>) -> Self {
        connection
            .write_all(&request.bytes())
            .expect("the request is sent");
        Self::read(connection, request.method == "HEAD")
    }

    /// Reads a response. `bodiless` says that the request was HEAD.
    ///
    /// # Panics
    /// If no complete response arrives.
    #[track_caller]
    pub fn read(connection: &mut impl Read, bodiless: bool) -> Self {
        Self::try_read(connection, bodiless).expect("a complete response")
    }

    /// Reads a response and not a byte more. `bodiless` says that the request was HEAD.
    ///
    /// # Errors
    /// If the connection breaks, or the bytes are not HTTP ([`io::ErrorKind::InvalidData`]).
    pub fn try_read(connection: &mut impl Read, bodiless: bool) -> io::Result<Self> {
        let head = until(connection, b"\r\n\r\n")?;
        let text = std::str::from_utf8(&head).map_err(|_| garbled("a head not in UTF-8"))?;
        let mut lines = text.trim_end().split("\r\n");
        let status = lines
            .next()
            .and_then(|line| line.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok())
            .ok_or_else(|| garbled("a head that is none"))?;
        let mut response = Self {
            status,
            ..Self::default()
        };
        for line in lines {
            let Some((name, value)) = line.split_once(':') else {
                return Err(garbled("a head that is none"));
            };
            let name = name.to_ascii_lowercase();
            response.headers.push((name, value.trim().to_owned()));
        }
        if !bodiless && status >= 200 && !matches!(status, 204 | 304) {
            response.body = response.read_body(connection)?;
        }
        Ok(response)
    }

    fn read_body(&self, connection: &mut impl Read) -> io::Result<Vec<u8>> {
        if let Some(length) = self.header("content-length") {
            let length = length
                .parse()
                .map_err(|_| garbled("a length that is none"))?;
            return take(connection, length);
        }
        if self.header("transfer-encoding") != Some("chunked") {
            return Err(garbled("a body without a length"));
        }
        let mut body = Vec::new();
        loop {
            let line = until(connection, b"\r\n")?;
            let digits = std::str::from_utf8(&line).unwrap_or_default().trim();
            let size =
                usize::from_str_radix(digits, 16).map_err(|_| garbled("a chunk without a size"))?;
            let chunk = take(connection, size.saturating_add(2))?;
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                return Ok(body);
            }
        }
    }

    /// Returns the value of the first header field with this lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(other, _)| other == name)?;
        Some(value)
    }

    /// Returns the value of the header field with this lower-case name, if there is exactly one.
    pub fn only(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(other, _)| other == name);
        match (values.next(), values.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    /// Returns the body as text.
    ///
    /// # Panics
    /// If the body is not UTF-8.
    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a response in UTF-8")
    }

    /// Returns the body as JSON.
    ///
    /// # Panics
    /// If the body is not JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// Reads up to and including a delimiter.
fn until(connection: &mut impl Read, ending: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(ending) {
        if bytes.len() > MAX_BYTES {
            return Err(garbled("more than an answer can be"));
        }
        connection.read_exact(&mut byte)?;
        bytes.push(byte[0]);
    }
    Ok(bytes)
}

fn take(connection: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    if length > MAX_BYTES {
        return Err(garbled("more than an answer can be"));
    }
    let mut bytes = vec![0; length];
    connection.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn garbled(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &str) -> io::Result<Response> {
        Response::try_read(&mut bytes.as_bytes(), false)
    }

    #[test]
    fn a_request_is_sent_exactly_as_given() {
        let request = Request::post("/rpc", b"[]").header("content-type", "text/plain");
        let text = String::from_utf8(request.bytes()).expect("text");
        let head = "POST /rpc HTTP/1.1\r\nHost: localhost\r\ncontent-type: text/plain\r\n";
        assert_eq!(text, format!("{head}Content-Length: 2\r\n\r\n[]"));
        let text = String::from_utf8(request.chunked(1)).expect("text");
        let rest = "Transfer-Encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n";
        assert_eq!(text, format!("{head}{rest}"));
    }

    #[test]
    fn a_response_is_read_to_its_end_and_no_further() {
        let mut two =
            &b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 204 No Content\r\n\r\n"[..];
        let first = Response::read(&mut two, false);
        assert_eq!((first.status, first.text()), (200, "{}"));
        assert_eq!(Response::read(&mut two, false).status, 204);
        assert_eq!(
            read("HTTP/1.0 204 Gone\r\n\r\n")
                .map(|response| response.status)
                .ok(),
            Some(204)
        );
        assert!(two.is_empty());
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n7\r\n0\r\n\r\n";
        let twice =
            read("HTTP/1.1 204 No Content\r\nA: 1\r\nB: 2\r\na: 3\r\n\r\n").expect("a response");
        assert_eq!(
            (twice.header("a"), twice.only("a"), twice.only("b")),
            (Some("1"), None, Some("2"))
        );
        assert_eq!(
            read(chunked).map(|response| response.body).ok(),
            Some(b"7".to_vec())
        );
    }

    #[test]
    fn invalid_http_and_a_truncated_response_are_different_errors() {
        for (bytes, kind) in [
            ("garbage\r\n\r\n", io::ErrorKind::InvalidData),
            ("HTTP/1.1 x\r\n\r\n", io::ErrorKind::InvalidData),
            (
                "HTTP/1.1 200 OK\r\n\r\nno length",
                io::ErrorKind::InvalidData,
            ),
            ("HTTP/1.1 200 OK\r\n", io::ErrorKind::UnexpectedEof),
            ("", io::ErrorKind::UnexpectedEof),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}",
                io::ErrorKind::UnexpectedEof,
            ),
        ] {
            assert_eq!(
                read(bytes).map(|_| ()).map_err(|error| error.kind()),
                Err(kind),
                "{bytes}"
            );
        }
    }
}
