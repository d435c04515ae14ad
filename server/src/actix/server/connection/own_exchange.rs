//! Serves a request at a route of one's own.
//!
//! The handler is actix-web's. What surrounds it is what a call has, too: hosts, a limit on what runs at once,
//! time limits, an ID, observers, and a shutdown that waits for it. The handler of a GET or HEAD is dropped when
//! its caller leaves, and any other runs to its end, as calls do. Its response goes out like any other, with a
//! body that [`OwnBody`] takes from the handler piece by piece.

use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use actix_http::{ConnectionType, Request, RequestHead, ResponseHead};
use actix_service::Service as _;
use actix_web::body::{BodySize, BoxBody, MessageBody as _};
use actix_web::http::header::{CONTENT_LENGTH, HOST, HeaderValue};
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::{HttpMessage as _, HttpResponse};
use bytes::Bytes;
use docent_core::carrier::RequestError;
use docent_core::{CallRecord, Ending, Extensions};
use docent_http::{ConnectionState, Exchange, Response};
use futures_util::FutureExt as _;

use super::next::Next;
use super::own_upload::OwnUpload;
use super::receiving::{SharedConnection, unless_gone};
use super::sending::{self, Asked, OutgoingBody, Pieces, failed};
use super::worker::Worker;
use crate::actix::message::read;
use crate::actix::server::own_routes::{ANY_PATH, NoRoute, OwnApp};

/// The name of a route without a pattern, for observers.
const UNNAMED_ROUTE: &str = "unknown";

/// The outcome of an exchange.
pub(super) enum Exchanged {
    /// The use of the connection, or `None` if the peer has left or the connection has to be closed without a
    /// word.
    Ended(Option<Next>),
    /// There is no route for the request, which is given back.
    NoRoute(Box<Request>),
}

/// The outcome of a handler.
enum Handled {
    Response {
        /// The pattern of the route.
        route: Option<String>,
        response: HttpResponse,
    },
    NoRoute(Box<Request>),
    /// It was dropped, because the peer has left.
    Dropped,
}

/// Responds to a request.
pub(super) async fn exchange(
    connection: &SharedConnection,
    asked: &Asked,
    request: Request,
    own: &OwnApp,
    worker: &Worker,
) -> Exchanged {
    let first = worker.routes.first();
    let head = docent_http::Request {
        listener: worker.listener,
        ..read(request.head(), 0, asked.id.clone())
    };
    if !head.is_for_served_host(worker.options()) {
        return Exchanged::NoRoute(Box::new(request));
    }
    // Counted before it checks whether the server is shutting down, as a call is.
    let in_progress = first.begin_exchange();
    let permit = own.permits.try_acquire();
    if worker.is_shutting_down() || permit.is_err() {
        first.shed.fetch_add(1, Ordering::Relaxed);
        let mut response = first.fail(
            &head,
            http::StatusCode::SERVICE_UNAVAILABLE,
            RequestError::Busy,
        );
        response.after = ConnectionState::Drain;
        let after = sending::send(connection, asked, &mut response, worker).await;
        return Exchanged::Ended(after.map(Next::Http));
    }
    let mut record = Record {
        extensions: head.extensions(worker.options()),
        begun: Instant::now(),
        route: None,
        ending: Ending::Cancelled,
        status: None,
        response_bytes: 0,
    };
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    // The body may be read by another task, which would not hear of bytes that were read meanwhile.
    let is_watched = is_read && connection.borrow().is_at_end();
    let upload = OwnUpload::new(connection, worker.options().body_timeout);
    let next = match handle(request, is_watched, asked, &upload, own, worker).await {
        Handled::NoRoute(request) => return Exchanged::NoRoute(request),
        Handled::Dropped => None,
        Handled::Response { route, response } => {
            record.route = route;
            record.status = Some(response.status());
            record.ending = Ending::Unanswered;
            let response = OwnResponse {
                response,
                connection,
                asked,
                is_watched,
                worker,
            };
            let after = response
                .send(&upload, in_progress, &mut record.response_bytes)
                .await;
            if after.is_some() {
                record.ending = Ending::Answered;
            }
            after.map(Next::Http)
        }
    };
    record.notify_observers(upload.length(), worker);
    Exchanged::Ended(next)
}

/// Runs the handler of a request. A panic is answered with 500.
async fn handle(
    mut request: Request,
    is_watched: bool,
    asked: &Asked,
    upload: &Rc<OwnUpload>,
    own: &OwnApp,
    worker: &Worker,
) -> Handled {
    *request.payload() = upload.payload();
    // actix-web would make URLs with the empty host. Without the field, it takes its default.
    if names_no_host(request.head()) {
        request.head_mut().headers.remove(HOST);
    }
    let mut target = None;
    if worker.listener.is_secure
        && let Some(absolute) = absolute(request.head())
    {
        target = Some(mem::replace(&mut request.head_mut().uri, absolute));
    }
    request.extensions_mut().insert(asked.id.clone());
    let mut handling =
        pin!(AssertUnwindSafe(async { own.service.call(request).await }).catch_unwind());
    let handled = if is_watched {
        unless_gone(upload.connection(), handling.as_mut()).await
    } else {
        Some(handling.await)
    };
    let (route, mut response) = match handled {
        None => return Handled::Dropped,
        Some(Err(_)) => {
            tracing::error!(
                request_id = asked.id.as_str(),
                "the handler of a route panicked"
            );
            (None, HttpResponse::InternalServerError().finish())
        }
        Some(Ok(Err(error))) => (None, HttpResponse::from_error(error)),
        Some(Ok(Ok(response))) => {
            let (request, response) = response.into_parts();
            if response.extensions().contains::<NoRoute>() {
                let mut given_back = Request::new();
                given_back.head_mut().clone_from(request.head());
                if let Some(target) = target {
                    given_back.head_mut().uri = target;
                }
                return Handled::NoRoute(Box::new(given_back));
            }
            let route = request
                .match_pattern()
                .filter(|pattern| pattern != ANY_PATH);
            (route, response)
        }
    };
    if response.status().is_informational() {
        tracing::error!(
            request_id = asked.id.as_str(),
            "the handler of a route wanted to change the protocol, which a `Server` does not"
        );
        response = HttpResponse::InternalServerError().finish();
    }
    // actix-web knows no error of a body that took too long.
    if upload.is_stalled() && response.error().is_some() {
        *response.status_mut() = StatusCode::REQUEST_TIMEOUT;
    }
    Handled::Response { route, response }
}

/// Returns whether the `Host` of a request is empty, with or without a port.
fn names_no_host(head: &RequestHead) -> bool {
    match head.headers.get(HOST).map(HeaderValue::as_bytes) {
        Some(host) => host.is_empty() || host.starts_with(b":"),
        None => false,
    }
}

/// Returns the target of a request over TLS with its scheme and host, from which actix-web makes URLs. `None` if it has
/// them. As in actix-web, the host of a request that names none is `localhost`.
fn absolute(head: &RequestHead) -> Option<Uri> {
    if head.uri.scheme().is_some() {
        return None;
    }
    let host = match head.headers.get(HOST) {
        Some(field) => field.as_bytes(),
        None => b"localhost",
    };
    Uri::builder()
        .scheme("https")
        .authority(host)
        .path_and_query(head.uri.path_and_query()?.as_str())
        .build()
        .ok()
}

/// The response of a handler, and what decides how it is sent.
struct OwnResponse<'e> {
    response: HttpResponse,
    connection: &'e SharedConnection,
    asked: &'e Asked,
    is_watched: bool,
    worker: &'e Worker,
}

impl<'e> OwnResponse<'e> {
    /// Sends the response, and counts the bytes of its body that are handed over. A shutdown does not wait for a body of
    /// unknown length.
    async fn send(
        self,
        upload: &Rc<OwnUpload>,
        in_progress: Exchange,
        response_bytes: &'e mut usize,
    ) -> Option<ConnectionState> {
        let Self {
            connection,
            asked,
            is_watched,
            worker,
            ..
        } = self;
        upload.permit(worker.time_to_read()).await.ok()?;
        upload.skip_unless_read();
        let response = self.prepared(response_bytes);
        let _in_progress = response.body.known_length().map(|_| in_progress);
        sending::send_watched(connection, asked.clone(), response, is_watched, worker).await
    }

    /// Returns the response in the form in which it is sent.
    fn prepared(self, response_bytes: &'e mut usize) -> Response<OwnBody<'e>> {
        let is_last = self.worker.is_shutting_down()
            || self.response.head().connection_type() == ConnectionType::Close;
        let (head, body) = self.response.into_parts();
        // A status is the same number in both versions of `http`.
        let status = http::StatusCode::from_u16(head.status().as_u16())
            .unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
        let body = OwnBody {
            head,
            body,
            asked: self.asked,
            length: response_bytes,
        };
        let mut response = Response::new(status).map(|_| body);
        response.is_told = true;
        if is_last && self.connection.borrow().is_at_end() {
            response.after = ConnectionState::Close;
        }
        response
    }
}

/// The body of a handler's response.
struct OwnBody<'s> {
    /// The head, whose fields the writer takes as they are.
    head: HttpResponse<()>,
    body: BoxBody,
    asked: &'s Asked,
    /// The number of bytes that have been handed over.
    length: &'s mut usize,
}

impl OutgoingBody for OwnBody<'_> {
    fn known_length(&self) -> Option<usize> {
        match self.body.size() {
            BodySize::None => Some(0),
            BodySize::Sized(length) => Some(usize::try_from(length).unwrap_or(usize::MAX)),
            // actix-web calls a body a stream even if its handler has set its length.
            BodySize::Stream => {
                let length = self.head.headers().get(CONTENT_LENGTH)?.to_str().ok()?;
                length.parse().ok()
            }
        }
    }

    fn poll_pieces(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Pieces>>> {
        let polling = AssertUnwindSafe(|| self.body.as_pin_mut().poll_next(cx));
        let Ok(piece) = catch_unwind(polling) else {
            return Poll::Ready(Some(Err(failed(self.asked, "panicked"))));
        };
        Poll::Ready(ready!(piece).map(|piece| match piece {
            Ok(piece) => {
                *self.length += piece.len();
                Ok([piece, Bytes::new(), Bytes::new()])
            }
            Err(error) => Err(failed(self.asked, &format!("failed: {error}"))),
        }))
    }

    fn own_head(&self) -> Option<&ResponseHead> {
        Some(self.head.head())
    }
}

/// The record of a request, for observers.
struct Record {
    extensions: Extensions,
    begun: Instant,
    route: Option<String>,
    ending: Ending,
    status: Option<StatusCode>,
    response_bytes: usize,
}

impl Record {
    /// Notifies the observers of the first service.
    fn notify_observers(&self, request_bytes: usize, worker: &Worker) {
        let carrier = worker.routes.first().service.carrier();
        let route = self.route.as_deref().unwrap_or(UNNAMED_ROUTE);
        let mut record: CallRecord<'_> = carrier.record(route, Some(&self.extensions));
        record.ending = self.ending;
        record.code = self.status.and_then(error_code);
        record.duration = Some(self.begun.elapsed());
        record.request_bytes = request_bytes;
        record.response_bytes = self.response_bytes;
        carrier.report(&record);
    }
}

/// Returns the code of a response that is an error: its status.
fn error_code(status: StatusCode) -> Option<i64> {
    if !status.is_client_error() && !status.is_server_error() {
        return None;
    }
    Some(i64::from(status.as_u16()))
}
