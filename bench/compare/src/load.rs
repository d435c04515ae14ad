//! A closed-loop load generator on one thread: each connection sends a request, reads the whole
//! response, and sends the next request.
//!
//! It must cost far less than the servers that it measures. So only the first response is parsed.
//! All others must have the same length and the same status line. [`super::responder`] shows how far
//! it is from being the bottleneck.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use raw_http::Response;

use crate::{BoxError, process};

/// The requests to send, and how to send them.
pub(crate) struct Load {
    pub(crate) address: SocketAddr,
    /// The bytes of the request.
    pub(crate) request: Vec<u8>,
    pub(crate) connections: usize,
    /// The process whose core time to measure.
    pub(crate) server: Option<u32>,
    /// The duration of the measurement, after a warm-up of a fifth of it.
    pub(crate) time: Duration,
}

/// The result of a measurement.
pub(crate) struct LoadResult {
    pub(crate) time: Duration,
    /// The time that the server's threads ran on a core during the measurement.
    pub(crate) on_core: Duration,
    /// The time that each request took in nanoseconds, sorted.
    pub(crate) latencies: Vec<u64>,
}

/// The length of `HTTP/1.1 200`, with which every response must begin.
const STATUS_END: usize = 12;

/// A server that does not respond for this long is broken.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// The properties that all responses must share with the first one.
struct Expected {
    status: [u8; STATUS_END],
    length: usize,
}

impl Load {
    /// Sends requests until the time is over.
    pub(crate) fn run(&self) -> Result<LoadResult, BoxError> {
        let expected = self.ask()?;
        let mut poll = Poll::new()?;
        let mut events = Events::with_capacity(self.connections.max(16));
        let mut connections = (0..self.connections)
            .map(|number| Connection::open(self.address, &poll, Token(number)))
            .collect::<io::Result<Vec<_>>>()?;
        let mut scratch = vec![0; 256 << 10];
        let mut begin = Instant::now() + self.time / 5;
        let mut sent = LoadResult {
            time: Duration::ZERO,
            on_core: Duration::ZERO,
            latencies: Vec::with_capacity(1 << 20),
        };
        loop {
            poll.poll(&mut events, Some(ANSWER_TIMEOUT))?;
            if events.is_empty() {
                return Err("the server has stopped answering".into());
            }
            for event in &events {
                let connection = &mut connections[event.token().0];
                connection.advance(&self.request, &expected, &mut scratch, &mut sent.latencies)?;
            }
            let now = Instant::now();
            if now < begin {
                sent.latencies.clear();
            } else if sent.time.is_zero() {
                // The warm-up is over.
                sent.on_core = self.on_core()?;
                begin = Instant::now();
                sent.time = Duration::from_nanos(1);
                sent.latencies.clear();
            } else if now - begin >= self.time {
                sent.time = now - begin;
                sent.on_core = self.on_core()?.saturating_sub(sent.on_core);
                break;
            }
        }
        sent.latencies.sort_unstable();
        Ok(sent)
    }

    fn on_core(&self) -> Result<Duration, BoxError> {
        self.server.map_or(Ok(Duration::ZERO), process::on_core)
    }

    /// Sends the request once, on a separate connection.
    fn ask(&self) -> Result<Expected, BoxError> {
        let stream = std::net::TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        let mut copying = Copying {
            stream,
            bytes: Vec::new(),
        };
        copying.stream.write_all(&self.request)?;
        let response = Response::try_read(&mut copying, false)?;
        if !matches!(response.status, 200 | 304) {
            let body = String::from_utf8_lossy(&response.body);
            return Err(format!("{}: {body}", response.status).into());
        }
        let status = copying.bytes.first_chunk().ok_or("a short response")?;
        Ok(Expected {
            status: *status,
            length: copying.bytes.len(),
        })
    }
}

/// A connection that keeps a copy of what it reads.
struct Copying {
    stream: std::net::TcpStream,
    bytes: Vec<u8>,
}

impl Read for Copying {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

struct Connection {
    stream: TcpStream,
    /// The number of bytes of the request that have been sent, and of the response that have been received.
    written: usize,
    read: usize,
    since: Instant,
}

impl Connection {
    fn open(address: SocketAddr, poll: &Poll, token: Token) -> io::Result<Self> {
        // Connect before registering, so that a refused connection is an error here.
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        let both = Interest::READABLE | Interest::WRITABLE;
        poll.registry().register(&mut stream, token, both)?;
        Ok(Self {
            stream,
            written: 0,
            read: 0,
            since: Instant::now(),
        })
    }

    /// Reads and writes until either would block. Only then does the system report the next event.
    fn advance(
        &mut self,
        request: &[u8],
        expected: &Expected,
        scratch: &mut [u8],
        latencies: &mut Vec<u64>,
    ) -> Result<(), BoxError> {
        loop {
            while self.written < request.len() {
                if self.written == 0 {
                    self.since = Instant::now();
                }
                match self.stream.write(&request[self.written..]) {
                    Ok(count) => self.written += count,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                    Err(error) => return Err(error.into()),
                }
            }
            match self.stream.read(scratch) {
                Ok(0) => return Err("the server has closed a connection".into()),
                Ok(count) => self.take(&scratch[..count], expected)?,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            if self.read == expected.length {
                let nanoseconds = self.since.elapsed().as_nanos();
                latencies.push(u64::try_from(nanoseconds).unwrap_or(u64::MAX));
                (self.written, self.read) = (0, 0);
            }
        }
    }

    fn take(&mut self, bytes: &[u8], expected: &Expected) -> Result<(), BoxError> {
        let status = &expected.status[self.read.min(STATUS_END)..];
        let shared = status.len().min(bytes.len());
        self.read += bytes.len();
        if bytes[..shared] == status[..shared] && self.read <= expected.length {
            return Ok(());
        }
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
        Err(format!("a response is not like the first one: {start}").into())
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    fn load(address: SocketAddr) -> Load {
        Load {
            address,
            request: b"GET / HTTP/1.1\r\n\r\n".to_vec(),
            connections: 3,
            server: Some(std::process::id()),
            time: Duration::from_millis(50),
        }
    }

    #[test]
    fn a_response_unlike_the_first_one_is_an_error() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let server = thread::spawn(move || {
            for (number, stream) in listener.incoming().take(4).enumerate() {
                let mut stream = stream.expect("a connection");
                let status = if number == 0 { "200 OK" } else { "500 No" };
                let _ = stream.read(&mut [0; 100]);
                // In one piece, so that the client cannot see less than a whole head.
                let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
                let _ = stream.write_all(head.as_bytes());
                // The connection closes only once the response has been read.
                let _ = stream.read(&mut [0; 100]);
            }
        });
        let error = load(address).run().err().expect("an error").to_string();
        assert!(error.contains("HTTP/1.1 500"), "{error}");
        server.join().expect("no panic");
    }

    #[test]
    fn every_request_is_counted_once() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let load = load(address);
        let length = load.request.len();
        thread::spawn(move || crate::responder::serve(&listener, length, 1_000_000));
        let sent = load.run().expect("responses");
        assert!(sent.latencies.len() > 3, "{}", sent.latencies.len());
        assert!(sent.latencies.is_sorted());
        assert!(sent.on_core > Duration::ZERO);
        assert!(sent.time >= Duration::from_millis(50));
    }
}
