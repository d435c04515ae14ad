//! Serves [`Routes`] behind [`Connection`]s, as actix-web's `HttpServer` serves an `App` behind plain
//! sockets.

use std::io;
use std::net::SocketAddr;
#[cfg(feature = "tls")]
use std::sync::Arc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{Extensions, HttpService, KeepAlive};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::boxed::{self, BoxServiceFactory};
use actix_service::{ServiceFactory, ServiceFactoryExt as _, fn_service};
use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;
use docent_core::Service;

use super::connection::socket::Socket;
use super::connection::{Connection, Times};
#[cfg(feature = "tls")]
use super::handshake;
use super::listener::Listener;
use super::parts::Parts;
use super::responder::Responder;
use super::routes::Routes;
use super::stalled;
use crate::options::HttpOptions;

/// Serves the services and pages on a listener.
pub(super) fn serve(
    builder: ServerBuilder,
    listener: Listener,
    parts: Parts,
    options: HttpOptions,
) -> io::Result<ServerBuilder> {
    let name = format!("docent-{}", listener.base()?);
    let address = listener.address()?;
    let leaving = builder.graceful_shutdown_signal();
    let service = parts.first.clone();
    let routes = move || Routes::new(parts.clone());
    match listener {
        Listener::Tcp(listener) => builder.listen(name, listener, move || {
            let served = http(routes(), &options, address, leaving.clone());
            erased(tcp(&options, service.clone()).and_then(served))
        }),
        #[cfg(feature = "tls")]
        Listener::Tls(listener, config) => builder.listen(name, listener, move || {
            let served = http(routes(), &options, address, leaving.clone());
            let accepted = tls(&options, Arc::clone(&config), service.clone());
            erased(accepted.and_then(served))
        }),
        #[cfg(unix)]
        Listener::Unix(listener, _) => builder.listen_uds(name, listener, move || {
            let served = http(routes(), &options, None, leaving.clone());
            erased(unix(&options, service.clone()).and_then(served))
        }),
    }
}

/// The factory of the HTTP services behind a listener, with its type erased.
pub(super) type Served<I> = BoxServiceFactory<(), I, (), DispatchError, ()>;

/// Erases the type of a listener's factory. actix-server and tokio repeat it in the names of hundreds
/// of functions, which would take megabytes of a debug binary. It costs each connection one more box,
/// and calls nothing.
pub(super) fn erased<I: 'static>(
    served: impl ServiceFactory<
        I,
        Config = (),
        Response = (),
        Error = DispatchError,
        InitError = (),
        Service: 'static,
        Future: 'static,
    > + 'static,
) -> Served<I> {
    boxed::factory(served)
}

/// A connection, and the address of its peer if it has one.
pub(super) type Accepted = (Connection, Option<SocketAddr>);

/// Puts a [`Connection`] between a TCP socket and HTTP.
fn tcp(
    options: &HttpOptions,
    service: Service,
) -> impl ServiceFactory<
    TcpStream,
    Config = (),
    Response = Accepted,
    Error = DispatchError,
    InitError = (),
> + use<> {
    let (times, write_timeout) = (Times::of(options), options.write_timeout);
    fn_service(move |stream: TcpStream| {
        let accepted = prepare(&stream, write_timeout);
        let accepted = accepted.map(|peer| {
            let connection = Connection::new(Socket::new(stream), times, service.clone(), peer);
            (connection, peer)
        });
        std::future::ready(accepted.map_err(DispatchError::Io))
    })
}

/// Sets the options of a new connection, and returns its peer.
///
/// # Errors
/// The peer is gone. Without its address, it would be taken for a peer on a Unix socket.
fn prepare(stream: &TcpStream, write_timeout: Duration) -> io::Result<Option<SocketAddr>> {
    stalled::limit(stream, write_timeout);
    // Responses are sent whole, or in pieces that a caller should not wait for. Without this
    // option, the last piece would wait 40 ms until the one before is acknowledged. If it
    // fails, the connection is gone, and the next read reports that.
    let _ = stream.set_nodelay(true);
    stream.peer_addr().map(Some)
}

/// Puts TLS and a [`Connection`] between a socket and HTTP. A handshake is part of its connection: it
/// counts for the limit on connections.
#[cfg(feature = "tls")]
fn tls(
    options: &HttpOptions,
    config: Arc<rustls::ServerConfig>,
    service: Service,
) -> impl ServiceFactory<
    TcpStream,
    Config = (),
    Response = Accepted,
    Error = DispatchError,
    InitError = (),
> + use<> {
    let (times, write_timeout) = (Times::of(options), options.write_timeout);
    let handshake_timeout = options.handshake_timeout;
    fn_service(move |stream: TcpStream| {
        let (config, service) = (Arc::clone(&config), service.clone());
        // Boxed, so that the connection does not carry it.
        Box::pin(async move {
            let peer = prepare(&stream, write_timeout).map_err(DispatchError::Io)?;
            match handshake::within(handshake_timeout, stream, config).await {
                Ok(stream) => Ok((Connection::new(stream, times, service, peer), peer)),
                Err(error) => {
                    handshake::report(peer, &error);
                    Err(DispatchError::Io(error))
                }
            }
        })
    })
}

/// Puts a [`Connection`] between a Unix socket and HTTP.
#[cfg(unix)]
fn unix(
    options: &HttpOptions,
    service: Service,
) -> impl ServiceFactory<
    UnixStream,
    Config = (),
    Response = Accepted,
    Error = DispatchError,
    InitError = (),
> + use<> {
    let times = Times::of(options);
    fn_service(move |stream: UnixStream| {
        let connection = Connection::new(Socket::new(stream), times, service.clone(), None);
        std::future::ready(Ok((connection, None)))
    })
}

/// Builds the HTTP/1.1 service. The [`Connection`] enforces the timeouts before a request.
pub(super) fn http(
    routes: Routes,
    options: &HttpOptions,
    address: Option<SocketAddr>,
    leaving: GracefulShutdownSignal,
) -> impl ServiceFactory<Accepted, Config = (), Response = (), Error = DispatchError, InitError = ()>
+ use<> {
    let keep_alive = if options.keep_alive.is_zero() {
        KeepAlive::Disabled
    } else {
        KeepAlive::Os
    };
    let http = HttpService::build();
    let http = match address {
        Some(address) => http.local_addr(address),
        None => http,
    };
    http.graceful_shutdown_signal(move || {
        let leaving = leaving.clone();
        async move { leaving.notified().await }
    })
    .keep_alive(keep_alive)
    .client_request_timeout(Duration::ZERO)
    // By then, enough of the body has been drained; see `actix::upload`.
    .client_disconnect_timeout(Duration::ZERO)
    // Otherwise a disconnect would be noticed only when a response is written.
    .h1_allow_half_closed(false)
    .on_connect_ext(|connection: &Connection, data: &mut Extensions| {
        data.insert(connection.turn());
    })
    .h1(Responder::new(routes))
}
