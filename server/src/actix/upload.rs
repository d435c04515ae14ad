//! Reading a body within its bounds.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
use actix_web::{HttpRequest, web};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::time::timeout;

use super::server::connection::Turn;
use crate::contract::waiting::{Parcel, Waiting};

/// Why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is larger than allowed.
    TooLarge,
    /// It did not arrive in time.
    TooSlow,
    /// It ended early, or its transfer coding is broken.
    Broken,
    /// Its content coding is broken.
    Miscoded,
    /// It had to make way for bodies and answers whose callers go on.
    GivenUp,
}

/// What a body may take.
pub(crate) struct Bounds<'a> {
    /// The most bytes that it may have.
    pub(crate) bytes: usize,
    /// The time in which it has to arrive.
    pub(crate) time: Duration,
    /// Where it waits for its caller.
    pub(crate) waiting: &'a Arc<Waiting>,
}

/// Reads a body.
pub(crate) async fn read(
    request: &HttpRequest,
    payload: &mut web::Payload,
    bounds: Bounds<'_>,
) -> Result<Bytes, Unread> {
    let announced = announced(request);
    if announced.is_some_and(|length| length > bounds.bytes) {
        return Err(Unread::TooLarge);
    }
    ask_for(request);
    let framing = Framing {
        announced,
        ends: !is_unframed(request),
    };
    // The timer of a body that is there already is never started.
    timeout(bounds.time, collect(payload, &bounds, framing))
        .await
        .unwrap_or(Err(Unread::TooSlow))
}

/// Where a body ends.
#[derive(Clone, Copy)]
struct Framing {
    /// The length that the request says its body has.
    announced: Option<usize>,
    /// Whether the body says so itself when it ends.
    ends: bool,
}

/// Whether actix-web reads on to the end of the connection whatever the body's length is said to be.
/// It does so where a connection might become a `WebSocket`, which none does here. The answer to such
/// a request has to be the last of its connection.
pub(crate) fn is_unframed(request: &HttpRequest) -> bool {
    let headers = request.headers();
    let wanted = headers.get_all(UPGRADE);
    let is_websocket = |wanted: &[u8]| wanted.trim_ascii().eq_ignore_ascii_case(b"websocket");
    !headers.contains_key(TRANSFER_ENCODING)
        && wanted
            .into_iter()
            .any(|wanted| is_websocket(wanted.as_bytes()))
}

/// Whether the client waits for leave to send its body, and has none.
pub(crate) fn is_withheld(request: &HttpRequest) -> bool {
    turn(request).is_some_and(|turn| turn.is_body_withheld())
}

/// Gives a client that waits for it leave to send its body.
fn ask_for(request: &HttpRequest) {
    if let Some(turn) = turn(request) {
        turn.ask_for_body();
    }
}

/// What the connection of a [`Server`](crate::Server) knows of the request. In an `App` of somebody's
/// own actix-web gives leave before anybody is asked.
fn turn(request: &HttpRequest) -> Option<&Rc<Turn>> {
    request.conn_data()
}

fn announced(request: &HttpRequest) -> Option<usize> {
    let length = request.headers().get(CONTENT_LENGTH)?.to_str().ok()?;
    // A number that does not fit is larger than anything.
    Some(length.parse().unwrap_or(usize::MAX))
}

async fn collect(
    payload: &mut web::Payload,
    bounds: &Bounds<'_>,
    framing: Framing,
) -> Result<Bytes, Unread> {
    let end = (!framing.ends).then(|| framing.announced.unwrap_or(0));
    let mut arrived = Arrived::Nothing;
    let mut length = 0;
    while end.is_none_or(|end| length < end) {
        let Some(chunk) = payload.next().await else {
            break;
        };
        let chunk = chunk.map_err(|_| Unread::Broken)?;
        length += chunk.len();
        if length > bounds.bytes {
            return Err(Unread::TooLarge);
        }
        arrived = if framing.announced == Some(chunk.len()) {
            Arrived::AtOnce(chunk)
        } else {
            Arrived::Partly(arrived.with(&chunk, bounds.waiting)?)
        };
    }
    let mut whole = arrived.whole()?;
    whole.truncate(end.unwrap_or(length));
    Ok(whole)
}

/// As much of a body as there is.
enum Arrived {
    Nothing,
    /// A body that came in one piece is passed on as it came.
    AtOnce(Bytes),
    Partly(Parcel),
}

impl Arrived {
    /// Adds a chunk. It is copied: actix-web gives out what it has read from the connection, and has
    /// to find memory for more as long as any of it is kept.
    fn with(self, chunk: &[u8], waiting: &Arc<Waiting>) -> Result<Parcel, Unread> {
        let mut parcel = match self {
            Self::Partly(parcel) => parcel,
            Self::Nothing | Self::AtOnce(_) => Parcel::arriving(waiting),
        };
        parcel.append(chunk).ok_or(Unread::GivenUp)?;
        Ok(parcel)
    }

    fn whole(self) -> Result<Bytes, Unread> {
        match self {
            Self::Nothing => Ok(Bytes::new()),
            Self::AtOnce(body) => Ok(body),
            Self::Partly(parcel) => parcel.open().ok_or(Unread::GivenUp),
        }
    }
}
