//! Serves an `App` behind [`Connection`]s, as actix-web's `HttpServer` serves it behind plain
//! sockets.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::rc::Rc;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{Extensions, HttpService, KeepAlive, Request, Response};
use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{
    IntoServiceFactory as _, Service as _, ServiceFactory, ServiceFactoryExt as _,
    apply_fn_factory, fn_service, map_config,
};
use actix_web::dev::{AppConfig, ServiceRequest, ServiceResponse};
use actix_web::rt::net::TcpStream;
use actix_web::{App, Error, HttpResponse};
use socket2::{Domain, Protocol, Socket, Type};

use super::connection::{Connection, Times};
use super::parts::Parts;
use super::stalled;
use crate::actix::body::Followed;
use crate::actix::turn::{Outstanding, Turn};
use crate::options::HttpOptions;

/// How many connections may wait to be accepted.
const BACKLOG: i32 = 1_024;

/// Listens on every address that a name resolves to. One success is enough.
pub(super) fn listen(addresses: impl ToSocketAddrs) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    let mut failed = io::Error::other("the name does not resolve to an address");
    for address in addresses.to_socket_addrs()? {
        match listen_at(address) {
            Ok(listener) => listeners.push(listener),
            Err(error) => failed = error,
        }
    }
    if listeners.is_empty() {
        return Err(failed);
    }
    Ok(listeners)
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
        let app = App::new().configure(|config| parts.register(config));
        accepted(&options).and_then(http(app, &options, address, leaving))
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
fn http<A>(
    app: App<A>,
    options: &HttpOptions,
    address: SocketAddr,
    leaving: GracefulShutdownSignal,
) -> impl ServiceFactory<
    (Connection, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = DispatchError,
    InitError = (),
> + use<A>
where
    A: ServiceFactory<
            ServiceRequest,
            Config = (),
            Response = ServiceResponse,
            Error = Error,
            InitError = (),
        > + 'static,
{
    let app = app.into_factory().map_err(|error| error.error_response());
    let app = map_config(app, |()| AppConfig::default());
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
        .h1(apply_fn_factory(app, |request: Request, app| {
            let outstanding = outstanding(&request);
            watched(app.call(request), outstanding)
        }))
}

/// Tells a connection that its service has been called.
fn outstanding(request: &Request) -> Outstanding {
    // Every connection gets its turn when it is accepted.
    let turn = request.conn_data::<Rc<Turn>>().cloned();
    turn.unwrap_or_default().call()
}

/// Tells a connection when a response has ended.
async fn watched(
    call: impl Future<Output = Result<ServiceResponse, HttpResponse>>,
    outstanding: Outstanding,
) -> Result<Response<Followed<Outstanding>>, HttpResponse> {
    let response = match call.await {
        Ok(response) => response.into(),
        Err(refusal) => Response::from(refusal),
    };
    Ok(response.map_body(|_, body| outstanding.until_end_of(body)))
}
