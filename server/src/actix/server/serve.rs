//! Serves a [`RouteTable`] on listeners, with the workers of actix-server.
//!
//! actix-server accepts connections and spreads them over its workers. What happens on a connection
//! is in [`connection`](super::connection).

use std::convert::Infallible;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_server::{GracefulShutdownSignal, ServerBuilder};
use actix_service::{IntoService as _, fn_factory};
use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;
use docent_http::{ListenerInfo, RouteTable};
use tokio::sync::watch;

use super::connection;
#[cfg(feature = "tls")]
use super::connection::tls::serve_tls;
use super::connection::worker::Worker;
use super::listener::{Listener, TlsConfig};
use super::own_routes::OwnRoutes;
use super::settings::ConnectionTimes;

/// Serves the services, pages and routes of one's own on a listener.
pub(super) fn serve(
    builder: ServerBuilder,
    listener: Listener,
    info: ListenerInfo,
    routes: Arc<RouteTable>,
    own: Option<OwnRoutes>,
    times: ConnectionTimes,
    stopping: watch::Receiver<bool>,
) -> io::Result<ServerBuilder> {
    let name = format!("docent-{}", listener.base()?);
    let workers = WorkerFactory {
        routes,
        info,
        shutting_down: builder.graceful_shutdown_signal(),
        stopping,
        own,
        times,
    };
    match listener {
        Listener::Tcp(listener, tls) => builder.listen(name, listener, move || {
            let workers = workers.clone();
            let tls = tls.clone();
            fn_factory(move || {
                let worker = workers.clone().create();
                let tls = tls.clone();
                async move {
                    let worker = worker.await?;
                    let serve = move |stream| serve_tcp(stream, tls.clone(), Rc::clone(&worker));
                    Ok::<_, ()>(serve.into_service())
                }
            })
        }),
        #[cfg(unix)]
        Listener::Unix(listener, _) => builder.listen_uds(name, listener, move || {
            let workers = workers.clone();
            fn_factory(move || {
                let worker = workers.clone().create();
                async move {
                    let worker = worker.await?;
                    let serve = move |stream| serve_unix(stream, Rc::clone(&worker));
                    Ok::<_, ()>(serve.into_service())
                }
            })
        }),
    }
}

/// Creates the workers of a listener.
#[derive(Clone)]
struct WorkerFactory {
    routes: Arc<RouteTable>,
    info: ListenerInfo,
    shutting_down: GracefulShutdownSignal,
    stopping: watch::Receiver<bool>,
    own: Option<OwnRoutes>,
    times: ConnectionTimes,
}

impl WorkerFactory {
    async fn create(self) -> Result<Rc<Worker>, ()> {
        let own = match self.own {
            Some(own) => Some(own.app().await?),
            None => None,
        };
        Ok(Rc::new(Worker::new(
            self.routes,
            self.info,
            self.shutting_down,
            self.stopping,
            own,
            self.times,
        )))
    }
}

async fn serve_tcp(
    stream: TcpStream,
    tls: Option<TlsConfig>,
    worker: Rc<Worker>,
) -> Result<(), Infallible> {
    prepare(&stream, worker.time_to_read());
    // Without its address, the peer would be taken for one on a Unix socket.
    let Ok(peer) = stream.peer_addr() else {
        return Ok(());
    };
    match tls {
        None => connection::serve(stream, Some(peer), &worker).await,
        // A handshake is part of its connection: it counts for the limit on connections. Boxed, so that
        // connections without TLS do not carry it.
        #[cfg(feature = "tls")]
        Some(config) => Box::pin(serve_tls(stream, peer, config, &worker)).await,
    }
    Ok(())
}

#[cfg(unix)]
async fn serve_unix(stream: UnixStream, worker: Rc<Worker>) -> Result<(), Infallible> {
    connection::serve(stream, None, &worker).await;
    Ok(())
}

/// Sets the options of a new connection, whose peer has this time to read or, if it is zero, any. If that fails, the connection is gone, and the next read
/// reports that.
fn prepare(stream: &TcpStream, time_to_read: Duration) {
    /// The most bytes that the system takes before it can send them. It would otherwise take
    /// megabytes, and the server would notice late how much a slow peer has read.
    #[cfg(target_os = "linux")]
    const MAX_UNSENT_BYTES: u32 = 128 << 10;

    #[cfg(target_os = "linux")]
    {
        let socket = socket2::SockRef::from(stream);
        let _ = socket.set_tcp_notsent_lowat(MAX_UNSENT_BYTES);
        // The system would send to a host that is gone for a quarter of an hour, and a stream of events would take its
        // buffers for a reader all that time.
        let time = Some(time_to_read).filter(|time| !time.is_zero());
        let _ = socket.set_tcp_user_timeout(time);
    }
    // Responses are sent whole, or in pieces that a caller should not wait for. Without this option,
    // the last piece would wait 40 ms until the one before is acknowledged.
    let _ = stream.set_nodelay(true);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use socket2::SockRef;

    use super::*;

    #[actix_web::test]
    async fn a_host_that_is_gone_is_given_up_like_a_peer_that_does_not_read() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let stream = TcpStream::connect(address).await.expect("it listens");
        let timeout = || {
            SockRef::from(&stream)
                .tcp_user_timeout()
                .expect("an option")
        };
        let minute = Duration::from_secs(60);
        prepare(&stream, minute);
        assert_eq!(timeout(), Some(minute));
        prepare(&stream, Duration::ZERO);
        assert_eq!(timeout().unwrap_or_default(), Duration::ZERO);
    }
}
