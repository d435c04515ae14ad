//! The handshakes of TLS: their configuration, their time limit, and the log of those that fail.
//!
//! Keys and certificates are the user's, as a configuration of `rustls`. After the handshake, a
//! connection is like any other.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use actix_web::rt::net::TcpStream;
use rustls::ServerConfig;
use tokio_rustls::TlsAcceptor;

use super::invalid_head::WITHOUT_TLS;
use super::worker::Worker;
use super::{serve, share, turn_away};
use docent_http::{RecentErrors, TimeLimit};

/// Returns a configuration for HTTP/1.1. Clients cannot choose HTTP/2, and cannot send a request as
/// early data, which others could replay.
pub(in crate::actix::server) fn for_http(config: Arc<ServerConfig>) -> Arc<ServerConfig> {
    let mut config = Arc::unwrap_or_clone(config);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    config.max_early_data_size = 0;
    Arc::new(config)
}

/// Performs the handshake within its time, and serves the connection. A client that sends a plain HTTP
/// request gets 400.
pub(in crate::actix::server) async fn serve_tls(
    stream: TcpStream,
    peer: SocketAddr,
    config: Arc<ServerConfig>,
    worker: &Worker,
) {
    let handshake = async {
        let mut first = [0];
        stream.peek(&mut first).await?;
        // TLS starts with the byte 22, HTTP with the name of a method.
        if first[0].is_ascii_alphabetic() {
            return Ok(Err(stream));
        }
        TlsAcceptor::from(config).accept(stream).await.map(Ok)
    };
    // Boxed, so that the connection does not carry it.
    let accepted = TimeLimit::unless_zero(worker.times.handshake)
        .keep(Box::pin(handshake))
        .await;
    match accepted {
        Some(Ok(Ok(stream))) => serve(stream, Some(peer), worker).await,
        Some(Ok(Err(plain))) => {
            let connection = share(plain, worker);
            turn_away(&connection, Some(peer), WITHOUT_TLS, worker).await;
        }
        Some(Err(error)) => report(peer, &error),
        None => report(peer, &ErrorKind::TimedOut.into()),
    }
}

/// Logs a failed handshake at level DEBUG. Anyone can cause them, so not all of a flood are logged.
fn report(peer: SocketAddr, error: &io::Error) {
    static RECENT_FAILURES: RecentErrors = RecentErrors::new();
    if let Ok(left_out) = RECENT_FAILURES.admit(Instant::now()) {
        tracing::debug!(%peer, %error, left_out, "a TLS handshake failed");
    }
}
