//! Connections whose other end takes nothing of what is sent to it.
//!
//! Writing to such a connection yields neither an error nor readiness. Only the kernel knows how
//! long sent data has been unread.

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
