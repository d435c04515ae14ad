//! Closes connections whose peer stops reading.
//!
//! Writing to such a connection yields neither an error nor readiness. Only the kernel knows how
//! long sent data has been unread.

use std::time::Duration;

use actix_web::rt::net::TcpStream;

/// Closes a new connection once its peer has read nothing for this long.
#[cfg(target_os = "linux")]
pub(super) fn limit(connection: &TcpStream, time: Duration) {
    if let Err(error) = socket2::SockRef::from(connection).set_tcp_user_timeout(Some(time)) {
        tracing::debug!(%error, "a connection has no timeout for a peer that stops reading");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_: &TcpStream, _: Duration) {}
