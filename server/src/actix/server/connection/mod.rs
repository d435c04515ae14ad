//! Serves the requests of a connection, one after the other.
//!
//! actix-http decodes the requests. Its dispatcher would also decode every request that has arrived,
//! even while an earlier one is running, and give only the first head of a connection a timeout: a
//! caller could make it use 240 times the memory of what was sent, or hold a connection forever with
//! one byte. So a `Server` has a loop of its own:
//!
//! - It reads one request at a time. While a response is outstanding, it reads at most 16 KiB more, and
//!   detects a disconnect behind them.
//! - Every head has a timeout, and so has the time between two requests.
//! - An offer to upgrade is ignored, because none is accepted.
//! - A client that waits for permission to send its body gets it when the service wants the body.
//! - What is no request gets a response with a body, and its connection closes.
//! - A response is sent from where it is stored, without a copy.
//!
//! `server/docs/actix-http.md` lists what could be fixed in actix-http itself, with a patch.

pub(super) mod invalid_head;
mod own_exchange;
mod own_response;
mod own_upload;
mod pace;
mod receiving;
pub(super) mod sending;
pub(super) mod stream;
#[cfg(feature = "tls")]
pub(super) mod tls;

use std::cell::RefCell;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Poll, ready};
use std::time::Duration;

use actix_http::{ConnectionType, Request, ServiceConfig};
use actix_server::GracefulShutdownSignal;
use actix_web::http::{Method, Version};
use docent_http::ConnectionState;
use docent_http::HttpOptions;
use docent_http::ListenerInfo;
use tokio::time::timeout;

use super::own_routes::OwnApp;
use super::routes::Routes;
use crate::actix::message::request_id;
use crate::actix::time_limit::TimeLimit;
use invalid_head::{InvalidHead, TOO_LATE};
use receiving::{HttpConnection, SharedConnection};
use stream::Stream;

/// The maximum number of polls for a response after the peer has closed its side. It may have closed its
/// sending side only, so a response that is ready at once is still sent.
const MAX_POLLS_AFTER_CLOSE: u8 = 16;

/// The state that the connections of one listener share in a worker.
pub(super) struct Worker {
    routes: Arc<Routes>,
    listener: ListenerInfo,
    leaving: GracefulShutdownSignal,
    /// The routes of the server's user, if there are any.
    own: Option<OwnApp>,
    /// The configuration of actix-http's decoder.
    decoding: ServiceConfig,
}

impl Worker {
    pub(super) fn new(
        routes: Arc<Routes>,
        listener: ListenerInfo,
        leaving: GracefulShutdownSignal,
        own: Option<OwnApp>,
    ) -> Self {
        Self {
            routes,
            listener,
            leaving,
            own,
            decoding: ServiceConfig::default(),
        }
    }

    fn options(&self) -> &HttpOptions {
        &self.routes.first.options
    }

    fn is_leaving(&self) -> bool {
        self.routes.first.leaving.load(Ordering::SeqCst)
    }

    /// Returns the routes of the server's user if no service and no page covers the address of a request.
    fn own_routes_for(&self, request: &Request) -> Option<&OwnApp> {
        let own = self.own.as_ref()?;
        (!self.routes.covers(request.path())).then_some(own)
    }
}

/// Serves a connection until it ends.
pub(super) async fn serve(stream: impl Stream, peer: Option<SocketAddr>, worker: &Worker) {
    let reading = HttpConnection::new(Box::new(stream), &worker.decoding);
    let connection = Rc::new(RefCell::new(reading));
    let mut limit = TimeLimit::unless_zero(worker.options().head_timeout);
    let mut is_first = true;
    loop {
        match next_request(&connection, worker, is_first, limit).await {
            Ok(Some(mut request)) => {
                request.head_mut().peer_addr = peer;
                // Boxed, so that idle connections do not reserve memory for it.
                let after = match worker.own_routes_for(&request) {
                    None => Box::pin(exchange(&connection, request, worker)).await,
                    Some(own) => {
                        Box::pin(own_exchange::exchange(&connection, request, own, worker)).await
                    }
                };
                if after != Some(ConnectionState::Open) {
                    return;
                }
            }
            Ok(None) => return close(&connection, Duration::ZERO, worker).await,
            Err(invalid) => return turn_away(&connection, peer, invalid, worker).await,
        }
        is_first = false;
        limit = TimeLimit::unless_zero(worker.options().keep_alive);
    }
}

/// Waits for the next request. Its first byte has to arrive within the limit, and so has all of
/// the first head of a connection. Returns `None` if the connection closes without a response.
async fn next_request(
    connection: &SharedConnection,
    worker: &Worker,
    is_first: bool,
    mut limit: TimeLimit,
) -> Result<Option<Request>, InvalidHead> {
    if connection.borrow_mut().has_nothing() {
        let begins = limit.keep(poll_fn(|cx| connection.borrow_mut().poll_fill(cx)));
        let begun = tokio::select! {
            biased;
            begun = begins => begun,
            () = worker.leaving.notified() => Some(0),
        };
        match begun {
            Some(1..) => {}
            None if is_first => return Err(TOO_LATE),
            _ => return Ok(None),
        }
    }
    if !is_first {
        limit = TimeLimit::unless_zero(worker.options().head_timeout);
    }
    let head = poll_fn(|cx| connection.borrow_mut().poll_head(cx));
    limit.keep(head).await.unwrap_or(Err(TOO_LATE))
}

/// Responds to a request, and returns what became of the connection. Returns `None` if the peer has
/// left it.
async fn exchange(
    connection: &SharedConnection,
    request: Request,
    worker: &Worker,
) -> Option<ConnectionState> {
    let head = request.head();
    let id = request_id(head);
    let upload = receiving::body(connection, head);
    let mut responding = pin!(worker.routes.respond(head, worker.listener, &id, upload));
    let mut response = unless_gone(connection, responding.as_mut()).await?;
    let is_last = head.connection_type() == ConnectionType::Close
        || head.version < Version::HTTP_11
        || worker.options().keep_alive.is_zero();
    if response.after == ConnectionState::Open && !connection.borrow().is_at_end() {
        response.after = ConnectionState::Drain;
    } else if response.after == ConnectionState::Open && is_last {
        response.after = ConnectionState::Close;
    }
    let after = response.after;
    sending::send(
        connection,
        &head.method,
        response,
        &id,
        worker.options().write_timeout,
    )
    .await
    .ok()?;
    match after {
        ConnectionState::Open => {}
        ConnectionState::Close => close(connection, Duration::ZERO, worker).await,
        ConnectionState::Drain => close(connection, worker.options().drain_time, worker).await,
    }
    Some(after)
}

/// Waits for a response, or for the peer to leave the connection. Returns `None` if it has left.
fn unless_gone<'c, T, F: Future<Output = T>>(
    connection: &'c SharedConnection,
    mut responding: Pin<&'c mut F>,
) -> impl Future<Output = Option<T>> + use<'c, T, F> {
    let mut polls_left = MAX_POLLS_AFTER_CLOSE;
    poll_fn(move |cx| {
        if let Poll::Ready(response) = responding.as_mut().poll(cx) {
            return Poll::Ready(Some(response));
        }
        ready!(connection.borrow_mut().poll_gone(cx));
        if polls_left == 0 {
            return Poll::Ready(None);
        }
        polls_left -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    })
}

/// Responds to bytes that are no request, and closes the connection.
async fn turn_away(
    connection: &RefCell<HttpConnection>,
    peer: Option<SocketAddr>,
    invalid: InvalidHead,
    worker: &Worker,
) {
    let (response, id) = invalid_head::respond(&worker.routes.first, peer, invalid);
    let sent = sending::send(
        connection,
        &Method::POST,
        response,
        &id,
        worker.options().write_timeout,
    );
    if sent.await.is_ok() {
        close(connection, worker.options().drain_time, worker).await;
    }
}

/// Closes a connection, and reads what still arrives for some time: closing a connection with unread
/// bytes resets it, and a client that is still sending may lose the response.
async fn close(connection: &RefCell<HttpConnection>, drain_time: Duration, worker: &Worker) {
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
