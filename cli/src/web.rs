//! A small web server for one user: each connection has a thread and one request.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(5);
const MAX_HEAD: u64 = 16 << 10;
const MAX_BODY: u64 = 8 << 20;
const MAX_CONNECTIONS: usize = 64;

/// A request.
#[derive(Debug, Default)]
pub(crate) struct WebRequest {
    pub(crate) method: String,
    pub(crate) target: String,
    /// The header fields, with their names in lower case.
    fields: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl WebRequest {
    /// Returns the value of a header field.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        fields.find_map(|(field, value)| (field == name).then_some(&**value))
    }

    /// Returns whether the request names this machine as its host.
    pub(crate) fn is_for_loopback(&self) -> bool {
        let host = self.field("host").unwrap_or_default();
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        matches!(name, "127.0.0.1" | "[::1]") || name.eq_ignore_ascii_case("localhost")
    }

    fn read(stream: &TcpStream) -> io::Result<Self> {
        let mut reader = BufReader::new(stream.take(MAX_HEAD));
        let mut request = Self::default();
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap_or_default().to_owned();
        (request.method, request.target) = (word(), word());
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            let field = (name.to_ascii_lowercase(), value.trim().to_owned());
            request.fields.push(field);
        }
        let length = request
            .field("content-length")
            .and_then(|it| it.parse().ok());
        let length = length.unwrap_or(0).min(MAX_BODY);
        if request.field("expect").is_some() {
            let mut stream = stream;
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        // What has been buffered counts too.
        reader.get_mut().set_limit(length);
        reader.take(length).read_to_end(&mut request.body)?;
        Ok(request)
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct WebAnswer {
    status: &'static str,
    content_type: &'static str,
    pub(crate) fields: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl WebAnswer {
    /// Creates an answer from its status line, such as `200 OK`, its media type and its body.
    pub(crate) fn new(
        status: &'static str,
        content_type: &'static str,
        body: impl Into<Vec<u8>>,
    ) -> Self {
        Self {
            status,
            content_type,
            fields: Vec::new(),
            body: body.into(),
        }
    }

    /// Adds a header field.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }

    fn write(&self, mut stream: &TcpStream, is_head: bool) -> io::Result<()> {
        let mut head = Vec::new();
        write!(head, "HTTP/1.1 {}\r\nConnection: close\r\n", self.status)?;
        if !self.status.starts_with("204") {
            write!(head, "Content-Length: {}\r\n", self.body.len())?;
        }
        if !self.content_type.is_empty() {
            write!(head, "Content-Type: {}\r\n", self.content_type)?;
        }
        for (name, value) in &self.fields {
            write!(head, "{name}: {value}\r\n")?;
        }
        head.extend(b"\r\n");
        stream.write_all(&head)?;
        if !is_head {
            stream.write_all(&self.body)?;
        }
        stream.flush()
    }
}

/// Serves in separate threads.
pub(crate) fn start(
    listener: TcpListener,
    answer: impl Fn(&WebRequest) -> WebAnswer + Send + Sync + 'static,
) -> io::Result<SocketAddr> {
    let address = listener.local_addr()?;
    let shared = Arc::new((answer, AtomicUsize::new(0)));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // The process is probably out of file descriptors. Some will be closed soon.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            if shared.1.fetch_add(1, Ordering::Relaxed) >= MAX_CONNECTIONS {
                shared.1.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (answer, connections) = &*shared;
                // A client that has disconnected needs no response, and the error affects nobody else.
                let _ = exchange(&stream, answer);
                connections.fetch_sub(1, Ordering::Relaxed);
            });
        }
    });
    Ok(address)
}

fn exchange(stream: &TcpStream, answer: impl Fn(&WebRequest) -> WebAnswer) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = WebRequest::read(stream)?;
    answer(&request).write(stream, request.method == "HEAD")
}
