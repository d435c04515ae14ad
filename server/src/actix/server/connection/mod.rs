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
pub(super) mod worker;

use std::cell::RefCell;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use actix_http::{ConnectionType, Request};
use actix_web::http::{Method, Version};
use docent_http::ConnectionState;
use tokio::time::timeout;

use super::own_routes::OwnApp;
use crate::actix::message::{read, request_id};
use crate::actix::time_limit::TimeLimit;
use invalid_head::{InvalidHead, TOO_LATE};
use own_exchange::Exchanged;
use receiving::{HttpConnection, SharedConnection, unless_gone};
use stream::Stream;
use worker::Worker;

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
                    Some(own) => Box::pin(own_exchange(&connection, request, own, worker)).await,
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
    let mut upload = receiving::body(connection, head);
    let read = docent_http::Request {
        listener: worker.listener,
        ..read(head, 0, id.clone())
    };
    let mut responding = pin!(worker.routes.respond(read, &mut upload));
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
    if after != ConnectionState::Open {
        close_after(connection, after, worker).await;
    }
    Some(after)
}

/// Responds to a request at a route of one's own or, if there is none for it, to a request without a route.
async fn own_exchange(
    connection: &SharedConnection,
    request: Request,
    own: &OwnApp,
    worker: &Worker,
) -> Option<ConnectionState> {
    match own_exchange::exchange(connection, request, own, worker).await {
        Exchanged::Responded(after) => {
            if after != ConnectionState::Open {
                close_after(connection, after, worker).await;
            }
            Some(after)
        }
        Exchanged::Broken => None,
        Exchanged::NoRoute(request) => exchange(connection, *request, worker).await,
    }
}

/// Closes a connection after a response.
async fn close_after(connection: &SharedConnection, after: ConnectionState, worker: &Worker) {
    let drain_time = match after {
        ConnectionState::Drain => worker.options().drain_time,
        ConnectionState::Open | ConnectionState::Close => Duration::ZERO,
    };
    close(connection, drain_time, worker).await;
}

/// Responds to bytes that are no request, and closes the connection.
async fn turn_away(
    connection: &RefCell<HttpConnection>,
    peer: Option<SocketAddr>,
    invalid: InvalidHead,
    worker: &Worker,
) {
    let (response, id) = invalid_head::respond(worker.routes.first(), peer, invalid);
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
