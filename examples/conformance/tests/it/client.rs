//! Servers for the tests, and responses from them.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::Deref;
use std::time::Duration;

use docent_server::{HttpOptions, Service};
pub(crate) use raw_http::Request;

/// A server on a free local port. It runs until the process ends.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(service: Service) -> Self {
        Self::with_options(service, |_| {})
    }

    pub(crate) fn with_options(service: Service, change: impl FnOnce(&mut HttpOptions)) -> Self {
        Self::serving(docent_server::Server::new(service).options(change))
    }

    pub(crate) fn serving(server: docent_server::Server) -> Self {
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let server = server.workers(2).bind("127.0.0.1:0").expect("a free port");
                sender
                    .send(server.addresses()[0])
                    .expect("the test is waiting");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }

    /// Starts the service in an `App`, with `/health` and `/docs` next to it.
    pub(crate) fn in_an_app(service: Service) -> Self {
        use actix_web::{App, HttpServer};
        use docent_server::{Docs, Health, Mount};
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let docs = Docs::builder("/docs", "/rpc", &service);
                let docs = docs.build().expect("a site");
                let server = HttpServer::new(move || {
                    let mount = Mount::new("/rpc", &service);
                    App::new()
                        .service(Health::new())
                        .service(docs.clone())
                        .service(mount)
                });
                let server = server.h1_allow_half_closed(false).workers(1);
                let server = server.bind("127.0.0.1:0").expect("a free port");
                sender.send(server.addrs()[0]).expect("the test is waiting");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }

    /// Starts the service in an `App` of its own.
    pub(crate) fn mounted(service: Service, options: HttpOptions) -> Self {
        use actix_web::{App, HttpServer};
        use docent_server::Mount;
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let mount = Mount::new("/rpc", &service).options(options);
                let server = HttpServer::new(move || App::new().service(mount.clone()));
                // As the guide has it.
                let server = server.h1_allow_half_closed(false);
                let server = server.client_disconnect_timeout(Duration::ZERO);
                let server = server.workers(2).bind("127.0.0.1:0").expect("a free port");
                sender.send(server.addrs()[0]).expect("the test is waiting");
                server.run().await
            })
        });
        Self {
            address: receiver.recv().expect("the server starts"),
        }
    }

    /// Sends a request on a new connection.
    pub(crate) fn send(&self, request: &Request<'_>) -> Answer {
        Answer::exchange(&mut self.connect(), request)
    }

    pub(crate) fn post(&self, body: impl AsRef<[u8]>) -> Answer {
        self.send(&Request::post("/rpc", body.as_ref()))
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.send(&Request::new("GET", target))
    }

    /// Calls a procedure without parameters, with the id 1.
    pub(crate) fn call(&self, procedure: &str) -> String {
        let body = format!(r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#);
        self.post(body).brief()
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(self.address).expect("the server listens");
        let patience = Some(Duration::from_secs(60));
        connection
            .set_read_timeout(patience)
            .expect("a timeout can be set");
        connection
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer(raw_http::Answer);

impl Deref for Answer {
    type Target = raw_http::Answer;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Answer {
    /// Sends a request and reads the response. The connection stays open.
    #[track_caller]
    pub(crate) fn exchange(connection: &mut (impl Read + Write), request: &Request<'_>) -> Self {
        Self(raw_http::Answer::exchange(connection, request))
    }

    #[track_caller]
    pub(crate) fn read(connection: &mut impl Read, bodiless: bool) -> Self {
        Self(raw_http::Answer::read(connection, bodiless))
    }

    /// Returns the response in short form. 204 is `nothing`.
    pub(crate) fn brief(&self) -> String {
        crate::reply::brief((self.status != 204).then_some(&*self.body))
    }

    /// Checks the response to a request that never became a call: its status, and an error with the
    /// id null.
    #[track_caller]
    pub(crate) fn assert_request_error(&self, status: u16, what: &str) {
        assert_eq!(self.status, status, "{what}");
        let response = crate::reply::Response::read(self.text());
        assert!(response.outcome.is_err(), "{what}: {}", self.text());
        assert_eq!(response.id, "null", "{what}");
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{what}"
        );
    }

    pub(crate) fn code(&self) -> Option<i64> {
        self.json()["error"]["code"].as_i64()
    }
}
