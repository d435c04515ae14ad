//! The handshakes of TLS: their time limit, and the log of those that fail.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::rt::net::TcpStream;
use rustls::ServerConfig;
use tokio::time::timeout;

use super::connection::tls::{self, Tls};
use crate::recent::{Admission, Recent};

/// The protocol that clients may choose in the handshake.
const HTTP: &[u8] = b"http/1.1";

/// Returns a configuration for HTTP/1.1. Clients cannot choose HTTP/2, and cannot send a request as
/// early data, which others could replay.
pub(super) fn for_http(config: Arc<ServerConfig>) -> Arc<ServerConfig> {
    let mut config = Arc::unwrap_or_clone(config);
    config.alpn_protocols = vec![HTTP.to_vec()];
    config.max_early_data_size = 0;
    Arc::new(config)
}

/// Performs a handshake within a time. Zero means no limit.
///
/// # Errors
/// The handshake failed. `TimedOut`: it took too long.
pub(super) async fn within(
    time: Duration,
    stream: TcpStream,
    config: Arc<ServerConfig>,
) -> io::Result<Tls> {
    let accepting = tls::accept(stream, config);
    if time.is_zero() {
        return accepting.await;
    }
    let accepted = timeout(time, accepting).await;
    accepted.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
}

/// Logs a failed handshake at level DEBUG. Anyone can cause them, so not all of a flood are logged.
pub(super) fn report(peer: Option<SocketAddr>, error: &io::Error) {
    static RECENT: Mutex<Recent> = Mutex::new(Recent::new());
    if !tracing::enabled!(tracing::Level::DEBUG) {
        return;
    }
    // No change leaves the state incomplete.
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    let Admission::Granted { left_out } = recent.admit(Instant::now()) else {
        return;
    };
    drop(recent);
    let peer = peer.map(tracing::field::display);
    tracing::debug!(peer, %error, left_out, "a TLS handshake failed");
}
