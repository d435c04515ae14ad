//! What carries a connection: TCP, TLS or a Unix socket. What protects one protects all of them.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::{Arc, LazyLock, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use docent_server::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use docent_server::rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig};
use docent_server::{HttpOptions, ServerHandle, Service, rustls};

use crate::client::{Answer, Request};

/// A kind of listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    Tcp,
    Tls,
    #[cfg(unix)]
    Unix,
}

impl Carrier {
    pub(crate) const ALL: &[Self] = &[
        Self::Tcp,
        Self::Tls,
        #[cfg(unix)]
        Self::Unix,
    ];
}

/// A certificate for `localhost`, and who trusts it.
pub(crate) struct Trust {
    pub(crate) server: Arc<ServerConfig>,
    pub(crate) client: Arc<ClientConfig>,
}

pub(crate) static TRUST: LazyLock<Trust> = LazyLock::new(|| {
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]);
    let own = own.expect("a certificate");
    let certificate: CertificateDer<'static> = own.cert.into();
    let key = PrivateKeyDer::Pkcs8(own.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .expect("a configuration");
    let mut roots = RootCertStore::empty();
    roots.add(certificate).expect("a certificate");
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Trust {
        server: Arc::new(server),
        client: Arc::new(client),
    }
});

/// A server that listens on every carrier.
pub(crate) struct Everywhere {
    pub(crate) plain: SocketAddr,
    pub(crate) secure: SocketAddr,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) handle: ServerHandle,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Everywhere {
    pub(crate) fn serving(server: docent_server::Server) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        #[cfg(unix)]
        let path = folder.path().join("socket");
        let (sender, receiver) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = server.workers(2).bind("127.0.0.1:0").expect("a free port");
                let server = server.bind_tls("127.0.0.1:0", Arc::clone(&TRUST.server));
                let server = server.expect("a free port");
                #[cfg(unix)]
                let server = server.bind_unix(path).expect("a free path");
                let bound = (server.addresses().to_vec(), server.handle());
                sender.send(bound).expect("the test is waiting");
                server.run().await
            })
        });
        let (addresses, handle) = receiver.recv().expect("the server starts");
        Self {
            plain: addresses[0],
            secure: addresses[1],
            folder,
            handle,
            thread: Some(thread),
        }
    }

    pub(crate) fn connect(&self, carrier: Carrier) -> Connection {
        let connection = match carrier {
            Carrier::Tcp => {
                let stream = TcpStream::connect(self.plain).expect("the server listens");
                Connection::Tcp(stream)
            }
            Carrier::Tls => {
                let stream = TcpStream::connect(self.secure).expect("the server listens");
                Connection::Tls(Secured::new(stream))
            }
            #[cfg(unix)]
            Carrier::Unix => {
                let path = self.folder.path().join("socket");
                Connection::Unix(UnixStream::connect(path).expect("the server listens"))
            }
        };
        connection.set_read_timeout(Duration::from_secs(60));
        connection
    }

    /// Stops the server, and returns what its `run` returned.
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        self.handle.shutdown();
        let thread = self.thread.take().expect("it is stopped once");
        thread.join().expect("no panic")
    }
}

impl Drop for Everywhere {
    fn drop(&mut self) {
        self.handle.shutdown();
    }
}

/// A server, and the carrier over which it is called.
pub(crate) struct Over(Everywhere, Carrier);

impl Over {
    pub(crate) fn start(carrier: Carrier, service: Service) -> Self {
        Self::with_options(carrier, service, |_| {})
    }

    pub(crate) fn with_options(
        carrier: Carrier,
        service: Service,
        change: impl FnOnce(&mut HttpOptions),
    ) -> Self {
        let server = docent_server::Server::new(service).options(change);
        Self(Everywhere::serving(server), carrier)
    }

    pub(crate) fn connect(&self) -> Connection {
        self.0.connect(self.1)
    }

    /// Sends a request on a new connection.
    pub(crate) fn send(&self, request: &Request<'_>) -> Answer {
        Answer::exchange(&mut self.connect(), request)
    }

    pub(crate) fn post(&self, body: impl AsRef<[u8]>) -> Answer {
        self.send(&Request::post("/rpc", body.as_ref()))
    }

    /// Calls a procedure without parameters, with the id 1.
    pub(crate) fn call(&self, procedure: &str) -> String {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#);
        self.post(body).brief()
    }
}

impl Drop for Over {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("it was called over {:?}", self.1);
        }
    }
}

/// A client's side of a connection.
pub(crate) enum Connection {
    Tcp(TcpStream),
    Tls(Secured),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Connection {
    pub(crate) fn set_read_timeout(&self, time: Duration) {
        let set = match self {
            Self::Tcp(stream) => stream.set_read_timeout(Some(time)),
            Self::Tls(secured) => secured.socket.set_read_timeout(Some(time)),
            #[cfg(unix)]
            Self::Unix(stream) => stream.set_read_timeout(Some(time)),
        };
        set.expect("a timeout can be set");
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
        use io::ErrorKind::{TimedOut, WouldBlock};
        let mut rest = Vec::new();
        // A server that leaves bytes unread may reset the connection.
        if let Err(error) = self.read_to_end(&mut rest) {
            let is_open = matches!(error.kind(), TimedOut | WouldBlock);
            assert!(!is_open, "the connection stays open");
        }
        rest
    }

    /// Returns whether the server closes the connection without sending anything more.
    pub(crate) fn is_closed(&mut self) -> bool {
        use io::ErrorKind::{TimedOut, WouldBlock};
        self.set_read_timeout(Duration::from_secs(15));
        match self.read(&mut [0]) {
            Ok(read) => read == 0,
            // Closing a connection with unread bytes may also reset it.
            Err(error) => !matches!(error.kind(), TimedOut | WouldBlock),
        }
    }
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
