//! A closed-loop load generator for WebSockets, on one thread: each answer is replaced by another call.
//!
//! It never sleeps, so that what a call costs the server does not depend on how fast the system wakes it. It is as
//! cheap as the one for HTTP: only the first answer is read, and all others must be as long.

use std::io::{self, Read as _, Write as _};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use super::frames::{self, Messages};
use crate::BoxError;

/// The calls that are in flight on each connection.
pub(crate) const CALLS_IN_FLIGHT: usize = 8;

/// The connections to a server.
pub(crate) struct Load {
    poll: Poll,
    connections: Vec<Connection>,
    /// The frames of as many calls as are in flight on a connection.
    calls: Vec<u8>,
}

struct Connection {
    stream: TcpStream,
    responses: Messages,
}

impl Load {
    /// Opens connections and sends the first calls.
    pub(crate) fn begin(
        address: SocketAddr,
        call: &str,
        connections: usize,
    ) -> Result<Self, BoxError> {
        let call = frames::masked(call)?;
        let response = frames::exchange(&mut frames::open(address)?, &call, 1)?;
        let mut load = Self {
            poll: Poll::new()?,
            connections: Vec::new(),
            calls: call.repeat(CALLS_IN_FLIGHT),
        };
        for number in 0..connections {
            let mut stream = frames::open(address)?;
            stream.write_all(&load.calls)?;
            stream.set_nonblocking(true)?;
            let mut stream = TcpStream::from_std(stream);
            let registry = load.poll.registry();
            registry.register(&mut stream, Token(number), Interest::READABLE)?;
            load.connections.push(Connection {
                stream,
                responses: Messages::like(&response),
            });
        }
        Ok(load)
    }

    /// Makes calls for some time. Returns the number of answers.
    pub(crate) fn run(&mut self, time: Duration) -> Result<usize, BoxError> {
        let end = Instant::now() + time;
        let mut events = Events::with_capacity(self.connections.len());
        let mut responses = 0;
        while Instant::now() < end {
            self.poll.poll(&mut events, Some(Duration::ZERO))?;
            for event in &events {
                responses += self.connections[event.token().0].advance(&self.calls)?;
            }
        }
        match responses {
            0 => Err("the server has stopped answering".into()),
            responses => Ok(responses),
        }
    }
}

impl Connection {
    /// Replaces answers by calls until none is left. Returns how many there were.
    fn advance(&mut self, calls: &[u8]) -> Result<usize, BoxError> {
        let mut total = 0;
        let mut scratch = [0; 4096];
        loop {
            let read = match self.stream.read(&mut scratch) {
                Ok(0) => return Err("the server has closed a connection".into()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(total),
                Err(error) => return Err(error.into()),
            };
            let responses = self.responses.count(&scratch[..read])?;
            // So few bytes are in flight that the system always takes all of them.
            let size = calls.len() / CALLS_IN_FLIGHT * responses;
            self.stream.write_all(&calls[..size])?;
            total += responses;
        }
    }
}
