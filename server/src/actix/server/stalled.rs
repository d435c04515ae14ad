//! Closes connections whose peer stops reading.
//!
//! Writing to such a connection yields neither an error nor readiness. Only the kernel knows how
//! long sent data has been unread.

use std::time::Duration;

use actix_web::rt::net::TcpStream;

/// The most bytes that the system takes before it can send them. It would otherwise take megabytes,
/// and the server would notice late how much a slow peer has read.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 128 << 10;

/// Closes a new connection once its peer has read nothing for twice this long: a peer that reads slowly
/// makes room in its buffer now and then only.
#[cfg(target_os = "linux")]
pub(super) fn limit(connection: &TcpStream, time: Duration) {
    let socket = socket2::SockRef::from(connection);
    let set = socket.set_tcp_user_timeout(Some(time.saturating_mul(2)));
    if let Err(error) = set.and_then(|()| socket.set_tcp_notsent_lowat(UNSENT)) {
        tracing::debug!(%error, "a connection has no timeout for a peer that stops reading");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_: &TcpStream, _: Duration) {}
