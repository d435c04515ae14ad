//! The carrier of connections: TCP.

use docent::{HttpOptions, Service};

use crate::client::{Request, Response, Server};
pub(crate) use crate::connection::Connection;

/// A kind of listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    Tcp,
}

impl Carrier {
    pub(crate) const ALL: &[Self] = &[Self::Tcp];
}

/// A server, and the carrier over which it is called.
pub(crate) struct Over(Server);

impl Over {
    pub(crate) fn start(carrier: Carrier, service: Service) -> Self {
        Self::with_options(carrier, service, |_| {})
    }

    pub(crate) fn with_options(
        _: Carrier,
        service: Service,
        change: impl FnOnce(&mut HttpOptions),
    ) -> Self {
        Self(Server::with_options(service, change))
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection::tcp(self.0.address)
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
        self.0.call(procedure)
    }
}
