//! Serves [`Routes`] behind [`Connection`]s, as actix-web's `HttpServer` serves an `App` behind plain
//! sockets.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
#[cfg(feature = "tls")]
use std::sync::Arc;
use std::time::Duration;

use actix_http::body::{BodySize, MessageBody as _};
use actix_http::error::DispatchError;
use actix_http::header::CONTENT_LENGTH;
use actix_http::{ConnectionType, Extensions, HttpService, KeepAlive, Request, Response};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{ServiceFactory, ServiceFactoryExt as _, fn_service};
use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;

use super::connection::socket::Socket;
#[cfg(feature = "tls")]
use super::connection::tls::Tls;
use super::connection::{Connection, Stream, Times};
#[cfg(feature = "tls")]
use super::handshake;
use super::listener::Listener;
use super::parts::Parts;
use super::routes::Routes;
use super::stalled;
use crate::actix::body::Followed;
use crate::actix::turn::{Direct, Outstanding, Turn};
use crate::actix::upload::Rest;
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
    let routes = move || Routes::new(parts.clone());
    match listener {
        Listener::Tcp(listener) => builder.listen(name, listener, move || {
            let served = http(routes(), &options, address, leaving.clone());
            tcp(&options).and_then(served)
        }),
        #[cfg(feature = "tls")]
        Listener::Tls(listener, config) => builder.listen(name, listener, move || {
            let served = http(routes(), &options, address, leaving.clone());
            tls(&options, Arc::clone(&config)).and_then(served)
        }),
        #[cfg(unix)]
        Listener::Unix(listener, _) => builder.listen_uds(name, listener, move || {
            let served = http(routes(), &options, None, leaving.clone());
            unix(&options).and_then(served)
        }),
    }
}

/// A connection, and the address of its peer if it has one.
type Accepted<S> = (Connection<S>, Option<SocketAddr>);

/// Puts a [`Connection`] between a TCP socket and HTTP.
fn tcp(
    options: &HttpOptions,
) -> impl ServiceFactory<
    TcpStream,
    Config = (),
    Response = Accepted<Socket<TcpStream>>,
    Error = DispatchError,
    InitError = (),
> + use<> {
    let (times, write_timeout) = (Times::of(options), options.write_timeout);
    fn_service(move |stream: TcpStream| {
        let accepted = prepare(&stream, write_timeout);
        let accepted = accepted.map(|peer| (Connection::new(Socket::new(stream), times), peer));
        std::future::ready(accepted.map_err(DispatchError::Io))
    })
}

/// Sets the options of a new connection, and returns its peer.
///
/// # Errors
/// The peer is gone. Without its address, it would pass for one on a Unix socket.
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
) -> impl ServiceFactory<
    TcpStream,
    Config = (),
    Response = Accepted<Tls>,
    Error = DispatchError,
    InitError = (),
> + use<> {
    let (times, write_timeout) = (Times::of(options), options.write_timeout);
    let handshake_timeout = options.handshake_timeout;
    fn_service(move |stream: TcpStream| {
        let config = Arc::clone(&config);
        // In a box of its own, so that the connection does not carry it.
        Box::pin(async move {
            let peer = prepare(&stream, write_timeout).map_err(DispatchError::Io)?;
            match handshake::within(handshake_timeout, stream, config).await {
                Ok(stream) => Ok((Connection::new(stream, times), peer)),
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
) -> impl ServiceFactory<
    UnixStream,
    Config = (),
    Response = Accepted<Socket<UnixStream>>,
    Error = DispatchError,
    InitError = (),
> + use<> {
    let times = Times::of(options);
    fn_service(move |stream: UnixStream| {
        let connection = Connection::new(Socket::new(stream), times);
        std::future::ready(Ok((connection, None)))
    })
}

/// Builds the HTTP/1.1 service. The [`Connection`] enforces the timeouts before a request.
fn http<S: Stream>(
    routes: Routes,
    options: &HttpOptions,
    address: Option<SocketAddr>,
    leaving: GracefulShutdownSignal,
) -> impl ServiceFactory<Accepted<S>, Config = (), Response = (), Error = DispatchError, InitError = ()>
+ use<S> {
    let routes = Rc::new(routes);
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
    // By then as much of a body has been drained as should be; see `actix::upload`.
    .client_disconnect_timeout(Duration::ZERO)
    // Otherwise a disconnect would be noticed only when a response is written.
    .h1_allow_half_closed(false)
    .on_connect_ext(|connection: &Connection<S>, data: &mut Extensions| {
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

/// The work after the body of a response: sending what bypasses actix-http, reading the rest of the
/// request, then ending its turn.
type Afterwards = (Option<Box<Direct>>, (Option<Box<Rest>>, Outstanding));

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
    Ok(response.map_body(|head, mut body| {
        let size = body.size();
        let direct = body.take_shared().map(|shared| {
            if let BodySize::Sized(length) = size {
                head.no_chunking(true);
                head.headers.insert(CONTENT_LENGTH, length.into());
            }
            Box::new(Direct::new(shared, outstanding.turn()))
        });
        let after = (direct, (rest.map(Box::new), outstanding));
        Followed::new(body, after)
    }))
}
