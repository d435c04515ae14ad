//! Connections whose other end takes nothing of what is sent to it.
//!
//! Nobody who writes to such a connection hears of it again: it is neither closed nor ready. The
//! kernel alone knows how long what was sent has not been taken.

use std::time::Duration;

use actix_web::rt::net::TcpStream;

/// Has a new connection closed once its other end has taken nothing for this long.
#[cfg(target_os = "linux")]
pub(super) fn limit(connection: &TcpStream, time: Duration) {
    if let Err(error) = socket2::SockRef::from(connection).set_tcp_user_timeout(Some(time)) {
        tracing::debug!(%error, "a connection has no limit for what is not taken");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_: &TcpStream, _: Duration) {}
