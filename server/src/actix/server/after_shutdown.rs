//! Turns away callers that connect during a shutdown.
//!
//! Connections wait in the kernel until they are accepted, and closing a listener resets those that
//! wait. So the server keeps its listeners open until everyone who connected in time has been
//! served, and responds with 503 to the rest.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connection::{invalid_head, sending};
use super::listener::{Listener, TlsConfig};

/// The time for a caller to send its request and to read the response.
const CALLER_TIMEOUT: Duration = Duration::from_secs(1);

/// The time that the listeners stay open after the server has stopped accepting calls, for clients
/// that are about to connect.
const LISTENING_GRACE: Duration = Duration::from_millis(50);

/// The maximum number of callers that are answered at once. Others wait for their turn.
const MAX_RESPONSES_AT_ONCE: u32 = 256;

/// The maximum number of bytes of a request that are read before it is answered.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// The listeners of a server that no longer accepts calls.
pub(super) struct ClosingListeners {
    /// The tasks that accept connections, one for each listener.
    listening: JoinSet<()>,
    /// The permits to respond to a caller.
    responding_permits: Arc<Semaphore>,
}

impl ClosingListeners {
    /// Takes over these listeners, and asks every caller that connects to retry after this many
    /// seconds.
    pub(super) fn new(listeners: Vec<Listener>, retry_after: u64) -> io::Result<Self> {
        let response: Arc<[u8]> = sending::to_bytes(invalid_head::busy(retry_after)).into();
        let mut closing = Self {
            listening: JoinSet::new(),
            responding_permits: Arc::new(Semaphore::new(MAX_RESPONSES_AT_ONCE as usize)),
        };
        for listener in listeners {
            closing.turn_away(listener, &response)?;
        }
        Ok(closing)
    }

    /// Responds to everyone who connects to a listener.
    fn turn_away(&mut self, listener: Listener, response: &Arc<[u8]>) -> io::Result<()> {
        let response = Arc::clone(response);
        let responding_permits = Arc::clone(&self.responding_permits);
        match listener {
            Listener::Tcp(listener, tls) => {
                listener.set_nonblocking(true)?;
                let listener = TcpListener::from_std(listener)?;
                self.listening.spawn(turn_away(
                    move |cx| listener.poll_accept(cx).map_ok(|(caller, _)| caller),
                    move |caller| respond_over_tcp(caller, tls.clone(), Arc::clone(&response)),
                    responding_permits,
                ));
            }
            #[cfg(unix)]
            Listener::Unix(listener, _) => {
                listener.set_nonblocking(true)?;
                let listener = UnixListener::from_std(listener)?;
                self.listening.spawn(turn_away(
                    move |cx| listener.poll_accept(cx).map_ok(|(caller, _)| caller),
                    move |caller| respond(caller, Arc::clone(&response)),
                    responding_permits,
                ));
            }
        }
        Ok(())
    }

    /// Responds to everyone who has connected, and closes the listeners: later connections are
    /// refused by the system.
    pub(super) async fn close(mut self) {
        sleep(LISTENING_GRACE).await;
        self.listening.shutdown().await;
        let _ = timeout(
            2 * CALLER_TIMEOUT,
            self.responding_permits.acquire_many(MAX_RESPONSES_AT_ONCE),
        )
        .await;
    }
}

/// Accepts connections, and responds to each in a task of its own.
async fn turn_away<C, F>(
    mut accept: impl FnMut(&mut Context<'_>) -> Poll<io::Result<C>>,
    respond: impl Fn(C) -> F,
    responding_permits: Arc<Semaphore>,
) where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    while let Ok(permit) = Arc::clone(&responding_permits).acquire_owned().await {
        let Ok(caller) = poll_fn(&mut accept).await else {
            sleep(LISTENING_GRACE).await;
            continue;
        };
        let responding = timeout(CALLER_TIMEOUT, respond(caller));
        tokio::spawn(async move {
            let _ = responding.await;
            drop(permit);
        });
    }
}

/// Responds to a caller, after the handshake if the listener expects TLS.
async fn respond_over_tcp(
    caller: TcpStream,
    tls: Option<TlsConfig>,
    response: Arc<[u8]>,
) -> io::Result<()> {
    match tls {
        None => respond(caller, response).await,
        #[cfg(feature = "tls")]
        Some(config) => {
            let tls = tokio_rustls::TlsAcceptor::from(config);
            respond(tls.accept(caller).await?, response).await
        }
    }
}

/// Responds to a caller once it has sent the head of a request. Many clients treat a response without
/// a request as a broken connection.
async fn respond(
    mut caller: impl AsyncRead + AsyncWrite + Unpin,
    response: Arc<[u8]>,
) -> io::Result<()> {
    let mut head = Vec::new();
    let mut piece = [0; 1 << 10];
    while head.len() < MAX_HEAD_BYTES && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = caller.read(&mut piece).await?;
        if read == 0 {
            return Ok(());
        }
        head.extend_from_slice(&piece[..read]);
    }
    caller.write_all(&response).await?;
    caller.shutdown().await?;
    // Closing a connection with unread bytes resets it, and the peer may lose the response.
    while caller.read(&mut piece).await? > 0 {}
    Ok(())
}
