//! Servers for the tests, and responses from them.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::Deref;
use std::time::Duration;

use docent::{HttpOptions, Routes, Service};
pub(crate) use raw_http::Request;

use crate::host;

/// A server on a free local port. It runs until the process ends.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts a server of routes, or of a service.
    pub(crate) fn start(routes: impl Into<Routes>) -> Self {
        Self {
            address: host::start(routes),
        }
    }

    pub(crate) fn with_options(service: Service, change: impl FnOnce(&mut HttpOptions)) -> Self {
        Self::start(Routes::new(service).options(change))
    }

    /// Sends a request on a new connection.
    pub(crate) fn send(&self, request: &Request<'_>) -> Response {
        Response::exchange(&mut self.connect(), request)
    }

    pub(crate) fn post(&self, body: impl AsRef<[u8]>) -> Response {
        self.send(&Request::post("/rpc", body.as_ref()))
    }

    pub(crate) fn get(&self, target: &str) -> Response {
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
pub(crate) struct Response(raw_http::Response);

impl Deref for Response {
    type Target = raw_http::Response;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Response {
    /// Sends a request and reads the response. The connection stays open.
    #[track_caller]
    pub(crate) fn exchange(connection: &mut (impl Read + Write), request: &Request<'_>) -> Self {
        Self(raw_http::Response::exchange(connection, request))
    }

    #[track_caller]
    pub(crate) fn read(connection: &mut impl Read, bodiless: bool) -> Self {
        Self(raw_http::Response::read(connection, bodiless))
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
