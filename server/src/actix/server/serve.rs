//! Serves [`Routes`] behind [`Connection`]s, as actix-web's `HttpServer` serves an `App` behind plain
//! sockets.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::rc::Rc;
use std::time::Duration;

use actix_http::body::MessageBody as _;
use actix_http::error::DispatchError;
use actix_http::{ConnectionType, Extensions, HttpService, KeepAlive, Request, Response};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{ServiceFactory, ServiceFactoryExt as _, fn_service};
use actix_web::rt::net::TcpStream;
use socket2::{Domain, Protocol, Socket, Type};

use super::connection::{Connection, Times};
use super::parts::Parts;
use super::routes::Routes;
use super::stalled;
use crate::actix::body::Followed;
use crate::actix::turn::{Outstanding, Turn};
use crate::actix::upload::Rest;
use crate::options::HttpOptions;

/// How many connections may wait to be accepted.
const BACKLOG: i32 = 1_024;

/// Listens on every address that a name resolves to. One success is enough.
pub(super) fn listen(addresses: impl ToSocketAddrs) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    let mut failed = Vec::new();
    for address in addresses.to_socket_addrs()? {
        match listen_at(address) {
            Ok(listener) => listeners.push(listener),
            Err(error) => failed.push((address, error)),
        }
    }
    if listeners.is_empty() {
        return Err(nowhere(&failed));
    }
    Ok(listeners)
}

/// The error of a server that can listen on none of its addresses.
fn nowhere(failed: &[(SocketAddr, io::Error)]) -> io::Error {
    let Some((_, first)) = failed.first() else {
        return io::Error::other("the name does not resolve to an address");
    };
    let reasons = failed
        .iter()
        .map(|(address, error)| format!("cannot listen on {address}: {error}"));
    io::Error::new(first.kind(), reasons.collect::<Vec<_>>().join("; "))
}

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    // On Windows, this option would let another process listen on the same address.
    #[cfg(not(windows))]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    Ok(socket.into())
}

/// Serves the services and pages on a listener.
pub(super) fn serve(
    builder: ServerBuilder,
    listener: TcpListener,
    parts: Parts,
    options: HttpOptions,
) -> io::Result<ServerBuilder> {
    let address = listener.local_addr()?;
    let leaving = builder.graceful_shutdown_signal();
    builder.listen(format!("docent-{address}"), listener, move || {
        let (parts, leaving) = (parts.clone(), leaving.clone());
        accepted(&options).and_then(http(Routes::new(parts), &options, address, leaving))
    })
}

/// Puts a [`Connection`] between a socket and HTTP.
fn accepted(
    options: &HttpOptions,
) -> impl ServiceFactory<
    TcpStream,
    Config = (),
    Response = (Connection, Option<SocketAddr>),
    Error = DispatchError,
    InitError = (),
> + use<> {
    let (times, write_timeout) = (Times::of(options), options.write_timeout);
    fn_service(move |stream: TcpStream| {
        stalled::limit(&stream, write_timeout);
        let peer = stream.peer_addr().ok();
        std::future::ready(Ok((Connection::new(stream, times), peer)))
    })
}

/// Builds the HTTP/1.1 service. The [`Connection`] enforces the timeouts before a request.
fn http(
    routes: Routes,
    options: &HttpOptions,
    address: SocketAddr,
    leaving: GracefulShutdownSignal,
) -> impl ServiceFactory<
    (Connection, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = DispatchError,
    InitError = (),
> + use<> {
    let routes = Rc::new(routes);
    let keep_alive = if options.keep_alive.is_zero() {
        KeepAlive::Disabled
    } else {
        KeepAlive::Os
    };
    HttpService::build()
        .graceful_shutdown_signal(move || {
            let leaving = leaving.clone();
            async move { leaving.notified().await }
        })
        .keep_alive(keep_alive)
        .client_request_timeout(Duration::ZERO)
        // By then as much of a body has been drained as should be; see `actix::upload`.
        .client_disconnect_timeout(Duration::ZERO)
        // Otherwise a disconnect would be noticed only when a response is written.
        .h1_allow_half_closed(false)
        .local_addr(address)
        .on_connect_ext(|connection: &Connection, data: &mut Extensions| {
            data.insert(connection.turn());
        })
        .h1(fn_service(move |request: Request| {
            let outstanding = outstanding(&request);
            // Boxed, so that idle connections do not reserve memory for it.
            Box::pin(respond(Rc::clone(&routes), request, outstanding))
        }))
}

/// Tells a connection that its service has been called.
fn outstanding(request: &Request) -> Outstanding {
    // Every connection gets its turn when it is accepted.
    let turn = request.conn_data::<Rc<Turn>>().cloned();
    turn.unwrap_or_default().call()
}

/// The work after the body of a response: reading the rest of the request, then ending its turn.
type Afterwards = (Option<Box<Rest>>, Outstanding);

/// Responds to a request, and tells its connection when the response has ended.
async fn respond(
    routes: Rc<Routes>,
    mut request: Request,
    outstanding: Outstanding,
) -> Result<Response<Followed<Afterwards>>, Infallible> {
    let payload = request.take_payload();
    let responding = routes.respond(request.head(), outstanding.turn(), payload);
    let (mut response, rest) = responding.await;
    if rest.is_some() {
        let head = response.head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    outstanding.until_end_of(response.body().size());
    let after = (rest.map(Box::new), outstanding);
    Ok(response.map_body(|_, body| Followed::new(body, after)))
}
