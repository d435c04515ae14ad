//! Sends requests and decides whether a missing response is a finding.
//!
//! Only a process that is being killed may leave a request unanswered.

use std::time::{Duration, Instant};

use super::contract;
use super::http::{Connection, Response, Trouble, closes, excerpt};
use super::tally::End;
use super::world::{LibraryProcess, World};

/// The time for which a connection may be idle and still be reused. This is well below the server's own
/// timeout, because a connection that the server closes looks the same as a lost response.
const MAX_IDLE: Duration = Duration::from_secs(2);

/// A caller on a kept-alive connection.
pub(crate) struct Caller<'w> {
    pub(crate) world: &'w World,
    side: &'static str,
    idle: Option<IdleConnection>,
}

/// An idle connection.
struct IdleConnection {
    process: LibraryProcess,
    connection: Connection,
    since: Instant,
}

impl<'w> Caller<'w> {
    pub(crate) fn new(world: &'w World, side: &'static str) -> Self {
        let idle = None;
        Self { world, side, idle }
    }

    /// Sends a request and returns its response, or `None` if the process was killed or may refuse.
    pub(crate) fn call(&mut self, kind: &'static str, request: &[u8]) -> Option<Response> {
        let bodiless = request.starts_with(b"HEAD ");
        self.call_many(kind, request, &[bodiless]).pop()
    }

    /// Sends requests in one piece and returns the responses that arrive. `bodiless` is true for each
    /// request with HEAD.
    pub(crate) fn call_many(
        &mut self,
        kind: &'static str,
        requests: &[u8],
        bodiless: &[bool],
    ) -> Vec<Response> {
        let mut responses = Vec::new();
        let Some(at) = self.world.current() else {
            return responses;
        };
        let start = Instant::now();
        match self.exchange(at, requests, bodiless, &mut responses) {
            Ok(()) => {}
            Err(trouble) => self.missed(at, kind, requests, &trouble),
        }
        for response in &responses {
            self.count(kind, response, start.elapsed());
        }
        for _ in responses.len()..bodiless.len() {
            self.world.count(self.side, kind, End::Lost);
        }
        responses
    }

    /// Closes the kept connection.
    pub(crate) fn hang_up(&mut self) {
        self.idle = None;
    }

    fn exchange(
        &mut self,
        at: LibraryProcess,
        requests: &[u8],
        bodiless: &[bool],
        responses: &mut Vec<Response>,
    ) -> Result<(), Trouble> {
        let mut connection = match self.idle.take() {
            Some(idle) if idle.process == at && idle.since.elapsed() < MAX_IDLE => idle.connection,
            _ => Connection::open(at.address)?,
        };
        connection.send(requests)?;
        for head in bodiless {
            let response = connection.receive(*head)?;
            let closes = closes(&response);
            responses.push(response);
            if closes {
                return Ok(());
            }
        }
        if !connection.is_silent() {
            return Err(Trouble::Garbled("more responses than requests".to_owned()));
        }
        self.idle = Some(IdleConnection {
            process: at,
            connection,
            since: Instant::now(),
        });
        Ok(())
    }

    fn missed(&self, at: LibraryProcess, kind: &str, requests: &[u8], trouble: &Trouble) {
        // A malformed response is a fault even while the process is being killed.
        if self.world.must_answer(at) || matches!(trouble, Trouble::Garbled(_)) {
            let sent = excerpt(requests);
            self.world
                .found(format!("{kind}: no response ({trouble}) to {sent}"));
        }
        // A process that is shutting down accepts no new connections, so wait for the next one.
        self.world.wait_for_shutdown(at);
    }

    fn count(&self, kind: &'static str, response: &Response, time: Duration) {
        let end = if contract::busy(response).is_ok() {
            End::Shed(time)
        } else {
            End::Answered(time)
        };
        self.world.count(self.side, kind, end);
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a panic fails the test")]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Returns the status that a caller reads from a server that sends these bytes and hangs up,
    /// and the number of findings.
    fn served(bytes: &'static [u8], dead: bool) -> (Option<u16>, u64) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = LibraryProcess {
            incarnation: 1,
            process: 1,
            address: listener.local_addr().unwrap(),
        };
        let world = World::new(1, Duration::from_secs(18));
        world.up(at);
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut connection, _) = listener.accept().unwrap();
                connection.read_exact(&mut [0; 4]).unwrap();
                if dead {
                    world.down();
                }
                connection.write_all(bytes).unwrap();
            });
            let response = Caller::new(&world, "honest").call("test", b"ping");
            (response.map(|response| response.status), world.findings())
        })
    }

    #[test]
    fn only_a_killed_process_may_leave_a_request_unanswered() {
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(served(whole, false), (Some(200), 0));
        assert_eq!(served(&whole[..39], false), (None, 1));
        assert_eq!(served(&whole[..39], true), (None, 0));
        assert_eq!(served(b"", false), (None, 1));
        assert_eq!(served(b"", true), (None, 0));
    }

    #[test]
    fn a_response_that_is_not_http_is_always_a_finding() {
        for garbage in [
            &b"garbage\r\n\r\n"[..],
            b"HTTP/1.1 200 OK\r\n\r\nno length",
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n",
        ] {
            assert_eq!(served(garbage, true).1, 1, "{garbage:?}");
        }
    }
}
