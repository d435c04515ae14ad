//! A server that sends the same bytes to everyone. It shows how many requests the load generator can
//! send.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener};

use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

/// The listener's token. Connections have lower numbers.
const LISTENER_TOKEN: Token = Token(usize::MAX);

/// Answers every request with a body of this many bytes, for as long as the process runs. It does not
/// parse requests, it only counts their bytes.
pub(crate) fn serve(listener: &TcpListener, request: usize, body: usize) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let mut listener = mio::net::TcpListener::from_std(listener.try_clone()?);
    let mut poll = Poll::new()?;
    poll.registry()
        .register(&mut listener, LISTENER_TOKEN, Interest::READABLE)?;
    let mut response = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {body}\r\n\r\n"
    )
    .into_bytes();
    response.resize(response.len() + body, b'0');
    let mut connections: Vec<Option<Connection>> = Vec::new();
    let mut events = Events::with_capacity(1024);
    loop {
        poll.poll(&mut events, None)?;
        for event in &events {
            if event.token() == LISTENER_TOKEN {
                while let Ok((stream, _)) = listener.accept() {
                    add(stream, &mut connections, &poll)?;
                }
            } else if let Some(slot) = connections.get_mut(event.token().0)
                && slot
                    .as_mut()
                    .is_some_and(|connection| connection.advance(request, &response).is_err())
            {
                *slot = None;
            }
        }
    }
}

fn add(
    mut stream: TcpStream,
    connections: &mut Vec<Option<Connection>>,
    poll: &Poll,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let token = Token(connections.len());
    poll.registry()
        .register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
    connections.push(Some(Connection {
        stream,
        read: 0,
        written: None,
    }));
    Ok(())
}

struct Connection {
    stream: TcpStream,
    /// The number of bytes of the request that have been received.
    read: usize,
    /// The number of bytes of the response that have been sent, while it is being sent.
    written: Option<usize>,
}

impl Connection {
    /// Reads and writes until either would block. Returns an error once the connection has ended.
    fn advance(&mut self, request: usize, response: &[u8]) -> io::Result<()> {
        let mut scratch = [0; 16 << 10];
        loop {
            let moved = match self.written {
                Some(written) => self.stream.write(&response[written..]),
                None => self.stream.read(&mut scratch),
            };
            match (moved, &mut self.written) {
                (Ok(0), _) => return Err(io::ErrorKind::UnexpectedEof.into()),
                (Ok(count), Some(written)) => {
                    *written += count;
                    if *written == response.len() {
                        self.written = None;
                    }
                }
                (Ok(count), None) => {
                    self.read += count;
                    if self.read >= request {
                        (self.read, self.written) = (0, Some(0));
                    }
                }
                (Err(error), _) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                (Err(error), _) => return Err(error),
            }
        }
    }
}

/// Listens on a free port of the loopback interface.
pub(crate) fn listen() -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}
