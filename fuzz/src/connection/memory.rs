//! A stream in memory, without a clock: the next piece arrives when the connection waits for it.
//!
//! A server cannot tell it from a socket. As no time passes, no timeout hides what is waited for.

use std::cell::RefCell;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use docent::__fuzzing::{Connections, Stream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Conversation;

/// A number of polls beyond what any input needs, at which a connection that wakes itself forever is
/// stopped.
const MAX_POLLS: usize = 1_000_000;

#[derive(Debug, Default)]
struct Pipe {
    unread: Vec<u8>,
    ended: bool,
    responses: Vec<u8>,
    closed: bool,
}

#[derive(Debug, Clone, Default)]
struct Memory(Rc<RefCell<Pipe>>);

impl Stream for Memory {
    fn is_closed(&self) -> bool {
        self.0.borrow().ended
    }
}

impl AsyncRead for Memory {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut pipe = self.0.borrow_mut();
        if pipe.unread.is_empty() && !pipe.ended {
            return Poll::Pending;
        }
        let length = pipe.unread.len().min(buffer.remaining());
        buffer.put_slice(&pipe.unread[..length]);
        pipe.unread.drain(..length);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Memory {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut pipe = self.0.borrow_mut();
        if pipe.closed {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        pipe.responses.extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.borrow_mut().closed = true;
        Poll::Ready(Ok(()))
    }
}

/// A waker that records whether it was woken.
struct Bell(AtomicBool);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Sends pieces to a server, and then the end. It never yields to the runtime, so no timer fires.
pub(super) async fn talk(connections: &Connections, pieces: &[&[u8]]) -> Conversation {
    let memory = Memory::default();
    let pipe = Rc::clone(&memory.0);
    let bell = Arc::new(Bell(AtomicBool::new(false)));
    let waker = Waker::from(Arc::clone(&bell));
    let mut cx = Context::from_waker(&waker);
    let mut serving = pin!(tokio::task::unconstrained(connections.serve(memory)));
    let mut left = pieces.iter();
    let mut sent = 0;
    let mut before_end = None;
    let mut ended = false;
    for _ in 0..MAX_POLLS {
        ended = serving.as_mut().poll(&mut cx).is_ready();
        if bell.0.swap(false, Ordering::Relaxed) && !ended {
            continue;
        }
        let mut pipe = pipe.borrow_mut();
        if let (false, Some(piece)) = (ended, left.next()) {
            pipe.unread.extend_from_slice(piece);
            sent += piece.len();
            continue;
        }
        if before_end.is_none() {
            let consumed = sent - pipe.unread.len();
            before_end = Some((pipe.responses.len(), consumed, ended || pipe.closed));
        }
        if ended || pipe.ended {
            break;
        }
        pipe.ended = true;
    }
    let (before_end, consumed, closed) = before_end.unwrap_or_default();
    let responses = pipe.borrow().responses.clone();
    Conversation {
        responses,
        before_end,
        consumed,
        closed,
        ended,
    }
}
