//! Turns away callers that connect during a shutdown.
//!
//! Connections wait in the kernel until they are accepted, and closing a listener resets those that
//! wait. So the server keeps its listeners open until everyone who connected in time has been
//! served, and responds with 503 to the rest.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
#[cfg(feature = "tls")]
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connection::refusal;
use super::listener::Listener;

/// The time for a caller to send its request, and again to read the response.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time that the listeners stay open after the server has stopped accepting calls, for clients
/// that are about to connect.
const GRACE: Duration = Duration::from_millis(50);

/// The number of callers that are answered at once. Others wait for their turn.
const AT_ONCE: usize = 256;

/// The most bytes of a request that are read before it is answered.
const HEAD: usize = 16 << 10;

/// The listeners of a server that no longer accepts calls.
pub(super) struct LateCallers {
    listeners: Vec<Door>,
    /// The value of `Retry-After`.
    retry_after: u64,
    answering: JoinSet<()>,
}

impl LateCallers {
    /// Takes over these listeners, and tells every caller that connects to retry after this many
    /// seconds.
    pub(super) fn new(listeners: Vec<Listener>, retry_after: u64) -> io::Result<Self> {
        let listeners = listeners.into_iter().map(Door::new);
        Ok(Self {
            listeners: listeners.collect::<io::Result<_>>()?,
            retry_after,
            answering: JoinSet::new(),
        })
    }

    /// Turns callers away until the event has happened.
    pub(super) async fn turn_away_until<T>(&mut self, event: impl Future<Output = T>) -> T {
        let mut event = pin!(event);
        loop {
            let has_room = self.answering.len() < AT_ONCE;
            tokio::select! {
                outcome = &mut event => return outcome,
                caller = accept(&self.listeners), if has_room => {
                    self.answering.spawn(caller.turn_away(self.retry_after));
                }
                Some(_) = self.answering.join_next() => {}
            }
        }
    }

    /// Responds to everyone who has connected, and closes the listeners: later connections are
    /// refused by the system.
    pub(super) async fn close(mut self) {
        self.turn_away_until(sleep(GRACE)).await;
        // Closing a listener resets the connections that wait in it.
        for caller in std::iter::from_fn(|| accept(&self.listeners).now_or_never()).take(AT_ONCE) {
            self.answering.spawn(caller.turn_away(self.retry_after));
        }
        self.listeners.clear();
        let answered = async { while self.answering.join_next().await.is_some() {} };
        let _ = timeout(2 * PATIENCE, answered).await;
    }
}

/// A listener of the runtime.
enum Door {
    Tcp(TcpListener),
    #[cfg(feature = "tls")]
    Tls(TcpListener, Arc<rustls::ServerConfig>),
    #[cfg(unix)]
    Unix(UnixListener),
}

/// A caller that has connected too late.
enum Caller {
    Tcp(TcpStream),
    #[cfg(feature = "tls")]
    Tls(TcpStream, Arc<rustls::ServerConfig>),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Door {
    fn new(listener: Listener) -> io::Result<Self> {
        let tcp = |listener: std::net::TcpListener| {
            listener.set_nonblocking(true)?;
            TcpListener::from_std(listener)
        };
        Ok(match listener {
            Listener::Tcp(listener) => Self::Tcp(tcp(listener)?),
            #[cfg(feature = "tls")]
            Listener::Tls(listener, config) => Self::Tls(tcp(listener)?, config),
            #[cfg(unix)]
            Listener::Unix(listener, _) => {
                listener.set_nonblocking(true)?;
                Self::Unix(UnixListener::from_std(listener)?)
            }
        })
    }

    fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<io::Result<Caller>> {
        match self {
            Self::Tcp(listener) => listener.poll_accept(cx).map_ok(|(it, _)| Caller::Tcp(it)),
            #[cfg(feature = "tls")]
            Self::Tls(listener, config) => listener
                .poll_accept(cx)
                .map_ok(|(it, _)| Caller::Tls(it, Arc::clone(config))),
            #[cfg(unix)]
            Self::Unix(listener) => listener.poll_accept(cx).map_ok(|(it, _)| Caller::Unix(it)),
        }
    }
}

impl Caller {
    async fn turn_away(self, retry_after: u64) {
        match self {
            Self::Tcp(stream) => turn_away(stream, retry_after).await,
            #[cfg(feature = "tls")]
            Self::Tls(stream, config) => {
                let accepting = tokio_rustls::TlsAcceptor::from(config).accept(stream);
                if let Ok(Ok(stream)) = timeout(PATIENCE, accepting).await {
                    turn_away(stream, retry_after).await;
                }
            }
            #[cfg(unix)]
            Self::Unix(stream) => turn_away(stream, retry_after).await,
        }
    }
}

async fn accept(listeners: &[Door]) -> Caller {
    poll_fn(|cx| {
        let accepted = listeners.iter().find_map(|listener| {
            let Poll::Ready(Ok(caller)) = listener.poll_accept(cx) else {
                return None;
            };
            Some(caller)
        });
        accepted.map_or(Poll::Pending, Poll::Ready)
    })
    .await
}

async fn turn_away(mut caller: impl AsyncRead + AsyncWrite + Unpin, retry_after: u64) {
    // Many clients treat a response without a request as a broken connection. A client that sends no
    // request loses none.
    let Ok(Ok(Some(head))) = timeout(PATIENCE, read_head(&mut caller)).await else {
        return;
    };
    let answer = refusal::busy(retry_after);
    let answered = async {
        caller.write_all(answer_to(&head, &answer)).await?;
        caller.shutdown().await?;
        // Closing a connection with unread bytes resets it, and the peer may lose the response.
        while caller.read(&mut [0; 4 << 10]).await? > 0 {}
        io::Result::Ok(())
    };
    let _ = timeout(PATIENCE, answered).await;
}

/// Returns the part of the response that this request may have: a response to HEAD has no body (RFC
/// 9110, section 9.3.2).
fn answer_to<'a>(head: &[u8], answer: &'a [u8]) -> &'a [u8] {
    if !head.starts_with(b"HEAD ") {
        return answer;
    }
    let end = answer.windows(4).position(|end| end == b"\r\n\r\n");
    end.map_or(answer, |end| &answer[..end + 4])
}

/// Reads the head of a request, up to [`HEAD`] bytes. Returns `None` if the caller closes before
/// its end.
async fn read_head(caller: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    while head.len() < HEAD {
        let mut piece = [0; 1 << 10];
        let read = caller.read(&mut piece).await?;
        if read == 0 {
            return Ok(None);
        }
        head.extend_from_slice(&piece[..read]);
        if head.windows(4).any(|end| end == b"\r\n\r\n") {
            break;
        }
    }
    Ok(Some(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_head_request_is_answered_without_a_body() {
        let answer = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(answer_to(b"GET / HTTP/1.1\r\n\r\n", answer), answer);
        let to_head = answer_to(b"HEAD / HTTP/1.1\r\n\r\n", answer);
        assert_eq!(to_head, &answer[..answer.len() - 2]);
    }
}
