//! Serves [`Routes`] on listeners, with the workers of actix-server.

use std::io;
use std::rc::Rc;
#[cfg(feature = "tls")]
use std::sync::Arc;

use actix_server::ServerBuilder;
use actix_service::fn_service;
use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;
use docent_http::HttpOptions;

#[cfg(feature = "tls")]
use super::connection::tls::serve_tls;
use super::connection::{self, Worker};
use super::listener::Listener;
use super::parts::Parts;
use super::routes::Routes;

/// Serves the services and pages on a listener.
pub(super) fn serve(
    builder: ServerBuilder,
    listener: Listener,
    parts: Parts,
    options: HttpOptions,
) -> io::Result<ServerBuilder> {
    let name = format!("docent-{}", listener.base()?);
    let leaving = builder.graceful_shutdown_signal();
    let worker = move || {
        let routes = Routes::new(parts.clone());
        Rc::new(Worker::new(routes, options.clone(), leaving.clone()))
    };
    match listener {
        Listener::Tcp(listener) => builder.listen(name, listener, move || {
            let worker = worker();
            fn_service(move |stream: TcpStream| {
                let worker = Rc::clone(&worker);
                async move {
                    prepare(&stream);
                    // Without its address, the peer would be taken for one on a Unix socket.
                    if let Ok(peer) = stream.peer_addr() {
                        connection::serve(stream, Some(peer), &worker).await;
                    }
                    Ok::<_, ()>(())
                }
            })
        }),
        // A handshake is part of its connection: it counts for the limit on connections.
        #[cfg(feature = "tls")]
        Listener::Tls(listener, config) => builder.listen(name, listener, move || {
            let (worker, config) = (worker(), Arc::clone(&config));
            fn_service(move |stream: TcpStream| {
                let (worker, config) = (Rc::clone(&worker), Arc::clone(&config));
                async move {
                    prepare(&stream);
                    if let Ok(peer) = stream.peer_addr() {
                        serve_tls(stream, peer, config, &worker).await;
                    }
                    Ok::<_, ()>(())
                }
            })
        }),
        #[cfg(unix)]
        Listener::Unix(listener, _) => builder.listen_uds(name, listener, move || {
            let worker = worker();
            fn_service(move |stream: UnixStream| {
                let worker = Rc::clone(&worker);
                async move {
                    connection::serve(stream, None, &worker).await;
                    Ok::<_, ()>(())
                }
            })
        }),
    }
}

/// Sets the options of a new connection. If that fails, the connection is gone, and the next read
/// reports that.
fn prepare(stream: &TcpStream) {
    /// The most bytes that the system takes before it can send them. It would otherwise take
    /// megabytes, and the server would notice late how much a slow peer has read.
    #[cfg(target_os = "linux")]
    const UNSENT: u32 = 128 << 10;

    #[cfg(target_os = "linux")]
    let _ = socket2::SockRef::from(stream).set_tcp_notsent_lowat(UNSENT);
    // Responses are sent whole, or in pieces that a caller should not wait for. Without this option,
    // the last piece would wait 40 ms until the one before is acknowledged.
    let _ = stream.set_nodelay(true);
}
