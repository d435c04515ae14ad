//! Connections whose other end takes nothing of what is sent to it.
//!
//! Nobody who writes to such a connection hears of it again: it is neither closed nor ready. The
//! kernel alone knows how long what was sent has not been taken.

use std::any::Any;
use std::time::Duration;

/// Has a new connection closed once its other end has taken nothing for this long.
#[cfg(target_os = "linux")]
pub(super) fn limit(connection: &dyn Any, time: Duration) {
    let Some(connection) = connection.downcast_ref::<actix_web::rt::net::TcpStream>() else {
        return;
    };
    if let Err(error) = socket2::SockRef::from(connection).set_tcp_user_timeout(Some(time)) {
        tracing::debug!(%error, "a connection has no limit for what is not taken");
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_: &dyn Any, _: Duration) {}
