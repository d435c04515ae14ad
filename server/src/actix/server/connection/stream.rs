//! The stream that a connection reads from and writes to: a socket, or TLS on one.

use std::fmt::Debug;
use std::io;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite};

/// A stream that reports a disconnect even if there are unread bytes before it.
#[cfg_attr(
    not(feature = "fuzzing"),
    expect(unreachable_pub, reason = "fuzzing brings a stream of its own")
)]
pub trait Stream: AsyncRead + AsyncWrite + Debug + Unpin + 'static {
    /// Returns whether the operating system closes connections whose peer stops reading (see
    /// `server/stalled.rs`).
    fn is_timed_by_system(&self) -> bool;

    /// Returns whether there may be bytes for which no wake-up will come.
    fn has_unread(&self) -> bool;

    /// Waits until there may be bytes to read, or the end.
    fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>>;

    /// Waits until the peer disconnects, without reading.
    fn poll_hang_up(&mut self, cx: &mut Context<'_>) -> Poll<()>;

    /// Sends as much of these last bytes as the socket takes at once, and closes this side. The other
    /// side can still be read.
    fn end_with(&mut self, bytes: &[u8]);
}
