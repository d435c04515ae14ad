//! A client's side of a connection, over each carrier.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
#[cfg(unix)]
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use docent::rustls::ClientConnection;
use docent::rustls::pki_types::ServerName;
use socket2::SockRef;

use crate::trust::TRUST;

/// A client's side of a connection.
pub(crate) enum Connection {
    Tcp(TcpStream),
    Tls(Secured),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Connection {
    pub(crate) fn tcp(address: SocketAddr) -> Self {
        Self::Tcp(TcpStream::connect(address).expect("the server listens")).patient()
    }

    pub(crate) fn tls(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        Self::Tls(Secured::new(stream)).patient()
    }

    #[cfg(unix)]
    pub(crate) fn unix(path: &Path) -> Self {
        Self::Unix(UnixStream::connect(path).expect("the server listens")).patient()
    }

    /// Waits for responses for longer than a test should take.
    fn patient(self) -> Self {
        self.set_read_timeout(Duration::from_secs(60));
        self
    }

    fn socket(&self) -> SockRef<'_> {
        match self {
            Self::Tcp(stream) => SockRef::from(stream),
            Self::Tls(secured) => SockRef::from(&secured.socket),
            #[cfg(unix)]
            Self::Unix(stream) => SockRef::from(stream),
        }
    }

    pub(crate) fn set_read_timeout(&self, time: Duration) {
        let set = self.socket().set_read_timeout(Some(time));
        set.expect("a timeout can be set");
    }

    /// Sets how long a write may wait. One that takes longer fails, and leaves the connection fit for
    /// reading alone.
    pub(crate) fn set_write_timeout(&self, time: Duration) {
        let set = self.socket().set_write_timeout(Some(time));
        set.expect("a timeout can be set");
    }

    /// Lets the system receive little for a client that does not read. Otherwise, it may have room for
    /// tens of megabytes.
    pub(crate) fn receive_little(&self) {
        let set = self.socket().set_recv_buffer_size(64 << 10);
        set.expect("the option can be set");
    }

    /// Returns another handle to the same connection.
    pub(crate) fn another(&self) -> Self {
        match self {
            Self::Tcp(stream) => Self::Tcp(stream.try_clone().expect("a handle")),
            Self::Tls(secured) => Self::Tls(Secured {
                socket: secured.socket.try_clone().expect("a handle"),
                session: Arc::clone(&secured.session),
                sending: Arc::clone(&secured.sending),
                encrypted: Vec::new(),
            }),
            #[cfg(unix)]
            Self::Unix(stream) => Self::Unix(stream.try_clone().expect("a handle")),
        }
    }

    /// Ends the sending side.
    pub(crate) fn end_sending(&mut self) {
        let ended = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Self::Tls(secured) => secured.end_sending(),
            #[cfg(unix)]
            Self::Unix(stream) => stream.shutdown(Shutdown::Write),
        };
        ended.expect("the connection is open");
    }

    /// Sends what is written at once, however short it is.
    pub(crate) fn send_at_once(&self) {
        let set = match self {
            Self::Tcp(stream) => stream.set_nodelay(true),
            Self::Tls(secured) => secured.socket.set_nodelay(true),
            #[cfg(unix)]
            Self::Unix(_) => Ok(()),
        };
        set.expect("the option can be set");
    }

    /// Returns everything that the server sends until it closes the connection.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        // A server that leaves bytes unread may reset the connection.
        if let Err(error) = self.read_to_end(&mut rest) {
            assert!(!has_timed_out(&error), "the connection stays open");
        }
        rest
    }

    /// Returns whether the server closes the connection without sending anything more.
    pub(crate) fn is_closed(&mut self) -> bool {
        self.set_read_timeout(Duration::from_secs(15));
        match self.read(&mut [0]) {
            Ok(read) => read == 0,
            // Closing a connection with unread bytes may also reset it.
            Err(error) => !has_timed_out(&error),
        }
    }
}

/// Returns whether nothing could be read in time. Which error that is depends on the system.
fn has_timed_out(error: &io::Error) -> bool {
    use io::ErrorKind::{TimedOut, WouldBlock};
    matches!(error.kind(), TimedOut | WouldBlock)
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(buffer),
            Self::Tls(secured) => secured.read(buffer),
            #[cfg(unix)]
            Self::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Tls(secured) => secured.write(bytes),
            #[cfg(unix)]
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A client's side of TLS. One thread may read while another one writes: neither waits for the network
/// while it holds the session.
pub(crate) struct Secured {
    socket: TcpStream,
    session: Arc<Mutex<ClientConnection>>,
    sending: Arc<Mutex<()>>,
    /// Bytes that have been read but not decrypted.
    encrypted: Vec<u8>,
}

impl Secured {
    fn new(mut socket: TcpStream) -> Self {
        let name = ServerName::try_from("localhost").expect("a name");
        let session = ClientConnection::new(Arc::clone(&TRUST.client), name);
        let mut session = session.expect("a session");
        while session.is_handshaking() {
            session.complete_io(&mut socket).expect("a handshake");
        }
        Self {
            socket,
            session: Arc::new(Mutex::new(session)),
            sending: Arc::default(),
            encrypted: Vec::new(),
        }
    }

    /// Encrypts what the closure writes, and sends it.
    fn send(
        &mut self,
        write: impl FnOnce(&mut ClientConnection) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let _sending = self.sending.lock().expect("no panic");
        let mut encrypted = Vec::new();
        let mut session = self.session.lock().expect("no panic");
        let written = write(&mut session)?;
        while session.wants_write() {
            session.write_tls(&mut encrypted)?;
        }
        drop(session);
        self.socket.write_all(&encrypted)?;
        Ok(written)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(|session| session.writer().write(bytes))
    }

    fn end_sending(&mut self) -> io::Result<()> {
        self.send(|session| {
            session.send_close_notify();
            Ok(0)
        })?;
        self.socket.shutdown(Shutdown::Write)
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.session.lock().expect("no panic").reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
            if self.encrypted.is_empty() {
                self.encrypted.resize(4 << 10, 0);
                let read = self.socket.read(&mut self.encrypted);
                self.encrypted.truncate(*read.as_ref().unwrap_or(&0));
                read?;
            }
            let mut session = self.session.lock().expect("no panic");
            // Without bytes, this tells the session that the connection has ended.
            let taken = session.read_tls(&mut &*self.encrypted)?;
            self.encrypted.drain(..taken);
            session.process_new_packets().map_err(io::Error::other)?;
        }
    }
}
