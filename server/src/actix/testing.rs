//! A server for tests.
//!
//! Tests of a service's users need a real address, and a server that goes away with the test.

use std::io;
use std::net::SocketAddr;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use docent_http::Routes;
use tokio::sync::oneshot;

use super::server::Server;

/// A server on a free port of this machine, which stops when it is dropped.
///
/// It runs on its own thread, so it works with every client, blocking or not. It ignores signals.
/// Dropping it cuts off running calls.
///
/// ```
/// use std::io::{Read, Write};
/// use std::net::TcpStream;
///
/// use docent::testing::TestServer;
/// use docent::{Cx, Fault, Procedure, Service};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534607")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).idempotent())
///     .build()?;
/// let server = TestServer::start(&service)?;
///
/// let mut client = TcpStream::connect(server.address())?;
/// client.write_all(b"GET /rpc/hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
/// let mut response = String::new();
/// client.read_to_string(&mut response)?;
/// assert!(response.ends_with(r#"{"jsonrpc":"2.0","result":"hello","id":null}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the server stops when this is dropped"]
pub struct TestServer {
    address: SocketAddr,
    /// Stops the thread of the server.
    running: Option<(oneshot::Sender<()>, JoinHandle<io::Result<()>>)>,
}

impl TestServer {
    /// Starts a server for these routes, or for a service, which it serves at `/rpc`.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub fn start(routes: impl Into<Routes>) -> io::Result<Self> {
        Self::run(Server::new(routes))
    }

    /// Starts a server that you have configured.
    ///
    /// # Errors
    /// The server cannot listen, or a path is taken or invalid, as in [`Server::bind`].
    pub fn run(server: Server) -> io::Result<Self> {
        let (stop, stopped) = oneshot::channel();
        let (listening, begun) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("docent-test-server".to_owned())
            .spawn(move || {
                // Outside of a runtime, so that the server does not handle signals.
                let bound = server.workers(1).bind(("127.0.0.1", 0))?;
                let _ = listening.send(bound.addresses()[0]);
                actix_web::rt::System::new().block_on(bound.run_until(async {
                    // An error means that the test server is gone.
                    let _ = stopped.await;
                }))
            })?;
        match begun.recv() {
            Ok(address) => Ok(Self {
                address,
                running: Some((stop, thread)),
            }),
            // The thread has ended without an address.
            Err(_) => Err(match thread.join() {
                Ok(Err(error)) => error,
                _ => io::Error::other("the server did not start"),
            }),
        }
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of a path, such as `/rpc`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}/{}", self.address, path.trim_start_matches('/'))
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}
