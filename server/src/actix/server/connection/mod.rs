//! Serves the requests of a connection, one after the other.
//!
//! ```text
//! serve ─ next_request: waits for a head, which `receiving` decodes ─► Request, or `turn_away` (`invalid_head`)
//!       ─ exchange: the routes of the contract, or a route of one's own (`own_exchange`) ─► Response
//!       ─ sending ─► Next: Http (the next request, or close), Stream (events go on), WebSocket (takes the stream)
//! ```
//!
//! All of them share one [`HttpConnection`] (`receiving`), from which the contract reads a body as an [`IncomingBody`],
//! and a handler of actix-web through [`own_upload`]. A [`Worker`] has the state that the connections of a listener
//! share in a worker. [`idle`] and [`pace`] are the clocks.
//!
//! actix-http decodes the requests. Its dispatcher would also decode every request that has arrived, even while an
//! earlier one is running, and give only the first head of a connection a timeout: a caller could make it use 240 times
//! the memory of what was sent, or hold a connection forever with one byte. So a `Server` has a loop of its own:
//!
//! - It reads one request at a time. While a response is outstanding, it reads at most 16 KiB more, and
//!   detects a disconnect behind them.
//! - Every head has a timeout, and so has the time between two requests.
//! - An offer to upgrade is ignored, unless the contract accepts it: then the connection becomes a WebSocket.
//! - A client that waits for permission to send its body gets it when the service wants the body.
//! - Bytes that are no request get a response with a body, and their connection closes.
//! - A large response is sent from where it is stored, without a copy.
//!
//! `server/docs/actix-http.md` lists what could be fixed in actix-http itself, with a patch.

mod idle;
pub(super) mod invalid_head;
mod next;
mod own_exchange;
mod own_upload;
mod pace;
mod receiving;
pub(super) mod sending;
pub(super) mod stream;
#[cfg(feature = "tls")]
pub(super) mod tls;
pub(super) mod worker;

use std::cell::RefCell;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::Poll;
use std::time::Duration;

use actix_http::Request;
use actix_web::http::Version;
#[cfg(feature = "websocket")]
use docent_http::{Body, WebSocket};
use docent_http::{ConnectionState, TimeLimit};
use tokio::time::timeout;

use crate::actix::message::read;
use idle::Idle;
use invalid_head::{InvalidHead, TOO_LATE};
use next::Next;
use own_exchange::Exchanged;
use receiving::{HttpConnection, IncomingBody, SharedConnection, unless_gone};
use sending::{Asked, ResponseStream};
use stream::Stream;
use worker::Worker;

/// Serves a connection until it ends.
pub(super) async fn serve(stream: impl Stream, peer: Option<SocketAddr>, worker: &Worker) {
    let connection = share(stream, worker);
    let mut idle = Idle::unless_zero(worker.times.keep_alive);
    let mut shutting_down = pin!(worker.shutting_down.notified());
    let mut is_first = true;
    loop {
        match next_request(
            &connection,
            worker,
            is_first,
            &mut idle,
            shutting_down.as_mut(),
        )
        .await
        {
            Ok(Some(mut request)) => {
                request.head_mut().peer_addr = peer;
                let after = match in_box(exchange(&connection, request, worker)).await {
                    Some(Next::Http(after)) => Some(after),
                    Some(Next::Stream(stream)) => send_stream(*stream, &connection, worker).await,
                    #[cfg(feature = "websocket")]
                    Some(Next::WebSocket(websocket)) => {
                        return serve_websocket(*websocket, connection).await;
                    }
                    None => None,
                };
                match after {
                    Some(ConnectionState::Open) => {}
                    Some(after) => return close(&connection, after, worker).await,
                    None => return,
                }
            }
            Ok(None) => return close(&connection, ConnectionState::Close, worker).await,
            // Boxed, because this future is kept for as long as its connection is idle.
            Err(invalid) => {
                return Box::pin(turn_away(&connection, peer, invalid, worker)).await;
            }
        }
        is_first = false;
    }
}

/// Boxes an exchange, so that idle connections do not reserve memory for it. It is made in its box, because it would be
/// thousands of bytes to copy.
#[inline]
fn in_box<F: Future>(exchange: F) -> Pin<Box<F>> {
    Box::into_pin(Box::write(Box::new_uninit(), exchange))
}

/// Returns a connection that the body of its current request can share.
fn share(stream: impl Stream, worker: &Worker) -> SharedConnection {
    let connection = HttpConnection::new(Box::new(stream), &worker.decoding);
    Rc::new(RefCell::new(connection))
}

/// Waits for the next request. The first head of a connection has its time from the beginning, and any later one from
/// its first byte, which has to arrive before the connection is idle for too long. Returns `None` if the connection
/// closes without a response.
async fn next_request(
    connection: &SharedConnection,
    worker: &Worker,
    is_first: bool,
    idle: &mut Idle,
    mut shutting_down: Pin<&mut impl Future<Output = ()>>,
) -> Result<Option<Request>, InvalidHead> {
    let mut limit = TimeLimit::unless_zero(worker.times.head);
    if connection.borrow_mut().has_nothing() {
        let begins = poll_fn(|cx| {
            let read = connection.borrow_mut().poll_fill(cx);
            if read.is_pending() && shutting_down.as_mut().poll(cx).is_ready() {
                return Poll::Ready(0);
            }
            read
        });
        let begun = if is_first {
            limit.keep(begins).await
        } else {
            idle.keep(begins).await
        };
        match begun {
            Some(1..) => {}
            None if is_first => return Err(TOO_LATE),
            _ => return Ok(None),
        }
    }
    let head = poll_fn(|cx| connection.borrow_mut().poll_head(cx));
    limit.keep(head).await.unwrap_or(Err(TOO_LATE))
}

/// Responds to a request, and returns what becomes of the connection. Returns `None` if the peer has
/// left it.
async fn exchange(
    connection: &SharedConnection,
    mut request: Request,
    worker: &Worker,
) -> Option<Next> {
    let asked = Asked::new(request.head(), worker);
    if let Some(own) = worker.own_routes_for(&request) {
        // Boxed, so that calls do not carry it.
        let own = Box::pin(own_exchange::exchange(
            connection, &asked, request, own, worker,
        ));
        match own.await {
            Exchanged::Ended(next) => return next,
            Exchanged::NoRoute(given_back) => request = *given_back,
        }
    }
    let mut upload = IncomingBody::new(connection);
    let read = docent_http::Request {
        listener: worker.listener,
        can_upgrade: asked.version == Version::HTTP_11 && connection.borrow().is_at_end(),
        ..read(request.head(), 0, asked.id.clone())
    };
    // In a block, so that nothing of it is kept while the response is sent.
    let mut response = {
        let mut responding = pin!(worker.routes.respond(read, &mut upload));
        unless_gone(connection, responding.as_mut()).await?
    };
    if response.body.length().is_none() {
        return Some(Next::Stream(Box::new(ResponseStream { asked, response })));
    }
    // Its head takes 6 KiB, which a slow reader would keep.
    drop(request);
    let after = sending::send(connection, &asked, &mut response, worker).await;
    #[cfg(feature = "websocket")]
    if let Body::WebSocket(websocket) = response.body {
        // Without `after`, the peer has left.
        return after.map(|_| Next::WebSocket(websocket));
    }
    after.map(Next::Http)
}

/// Leaves a connection to the WebSocket that its last request has asked for. In a box, so that other connections do not
/// carry it.
#[cfg(feature = "websocket")]
fn serve_websocket(
    websocket: WebSocket,
    connection: SharedConnection,
) -> Pin<Box<impl Future<Output = ()>>> {
    Box::pin(async move {
        // No request shares it any more.
        let Some(connection) = Rc::into_inner(connection) else {
            return;
        };
        let (stream, arrived) = connection.into_inner().into_parts();
        stream.limit_unsent();
        websocket.run(stream, arrived.freeze()).await;
    })
}

/// Sends a response that goes on, in a box, so that calls do not carry it. The peer of a request that goes on is not
/// watched.
fn send_stream(
    stream: ResponseStream,
    connection: &SharedConnection,
    worker: &Worker,
) -> Pin<Box<impl Future<Output = Option<ConnectionState>>>> {
    let ResponseStream { asked, response } = stream;
    connection.borrow().stream.limit_unsent();
    let watches = connection.borrow().is_at_end();
    Box::pin(sending::send_watched(
        connection, asked, response, watches, worker,
    ))
}

/// Responds to bytes that are no request, and closes the connection.
async fn turn_away(
    connection: &SharedConnection,
    peer: Option<SocketAddr>,
    invalid: InvalidHead,
    worker: &Worker,
) {
    let (mut response, id) = invalid_head::respond(worker.routes.first(), peer, invalid);
    let asked = Asked {
        id,
        version: Version::HTTP_11,
        is_head: false,
        is_last: true,
    };
    let sent = sending::send(connection, &asked, &mut response, worker).await;
    if let Some(after) = sent {
        close(connection, after, worker).await;
    }
}

/// Closes a connection, and reads what still arrives for some time: closing a connection with unread
/// bytes resets it, and a client that is still sending may lose the response.
async fn close(connection: &SharedConnection, after: ConnectionState, worker: &Worker) {
    let drain_time = match after {
        ConnectionState::Drain => worker.options().drain_time,
        ConnectionState::Open | ConnectionState::Close => Duration::ZERO,
    };
    let mut left = worker.options().max_drain_bytes;
    let closing = async {
        poll_fn(|cx| connection.borrow_mut().poll_shutdown(cx)).await;
        while left > 0 && !drain_time.is_zero() {
            match poll_fn(|cx| connection.borrow_mut().poll_discard(cx)).await {
                0 => break,
                read => left = left.saturating_sub(read),
            }
        }
    };
    let _ = timeout(drain_time, closing).await;
}
