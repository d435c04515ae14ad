//! Carriers of connections: TCP, TLS and Unix sockets. What protects one protects all of them.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use docent::{HttpOptions, Routes, ServerHandle, Service};

use crate::client::{Request, Response};
pub(crate) use crate::connection::Connection;
use crate::trust::TRUST;

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

/// A server that listens on every carrier.
pub(crate) struct Everywhere {
    pub(crate) plain: SocketAddr,
    pub(crate) secure: SocketAddr,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) handle: ServerHandle,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Everywhere {
    pub(crate) fn serving(server: docent::Server) -> Self {
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
        match carrier {
            Carrier::Tcp => Connection::tcp(self.plain),
            Carrier::Tls => Connection::tls(self.secure),
            #[cfg(unix)]
            Carrier::Unix => Connection::unix(&self.folder.path().join("socket")),
        }
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
        let routes = Routes::new(service).options(change);
        Self::serving(carrier, docent::Server::new(routes))
    }

    pub(crate) fn serving(carrier: Carrier, server: docent::Server) -> Self {
        Self(Everywhere::serving(server), carrier)
    }

    pub(crate) fn connect(&self) -> Connection {
        self.0.connect(self.1)
    }

    /// Sends a request on a new connection.
    pub(crate) fn send(&self, request: &Request<'_>) -> Response {
        Response::exchange(&mut self.connect(), request)
    }

    pub(crate) fn post(&self, body: impl AsRef<[u8]>) -> Response {
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
