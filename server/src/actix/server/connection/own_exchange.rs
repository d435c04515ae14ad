//! Serves a request at a route of one's own.
//!
//! The handler is actix-web's. What surrounds it is what a call has, too: hosts, a limit on what runs at once,
//! time limits, an ID, observers, and a shutdown that waits for it. The handler of a GET or HEAD is dropped when
//! its caller leaves, and any other runs to its end, as calls do.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use actix_http::{ConnectionType, Request, RequestHead};
use actix_service::Service as _;
use actix_web::http::{Method, StatusCode, Version};
use actix_web::{HttpMessage as _, HttpResponse};
use docent_core::carrier::RequestError;
use docent_core::{CallRecord, Ending, Extensions, RequestId};
use docent_http::ConnectionState;
use futures_util::FutureExt as _;

use super::own_response::{self, Asked};
use super::own_upload::OwnUpload;
use super::receiving::{SharedConnection, unless_gone};
use super::sending;
use super::worker::Worker;
use crate::actix::message::{read, request_id};
use crate::actix::server::own_routes::{NoRoute, OwnApp};

/// The name of a route without a pattern, for observers.
const UNNAMED_ROUTE: &str = "unknown";

/// The outcome of an exchange.
pub(super) enum Exchanged {
    Responded(ConnectionState),
    /// There is no route for the request, which is given back.
    NoRoute(Box<Request>),
    /// The peer has left, or its connection has to be closed without a word.
    Broken,
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
    request: Request,
    own: &OwnApp,
    worker: &Worker,
) -> Exchanged {
    let first = worker.routes.first();
    let id = request_id(request.head());
    let head = docent_http::Request {
        listener: worker.listener,
        ..read(request.head(), 0, id.clone())
    };
    if !head.is_for_served_host(worker.options()) {
        return Exchanged::NoRoute(Box::new(request));
    }
    // Counted before it checks whether the server is shutting down, as a call is.
    let _in_progress = first.begin_exchange();
    let permit = own.permits.try_acquire();
    if worker.is_leaving() || permit.is_err() {
        first.shed.fetch_add(1, Ordering::Relaxed);
        let mut response = first.fail(
            &head,
            http::StatusCode::SERVICE_UNAVAILABLE,
            RequestError::Busy,
        );
        response.after = ConnectionState::Drain;
        let time = worker.options().write_timeout;
        let sent = sending::send(connection, request.method(), response, &id, time).await;
        return sent.map_or(Exchanged::Broken, |()| {
            Exchanged::Responded(ConnectionState::Drain)
        });
    }
    let mut record = Record {
        extensions: head.extensions(worker.options()),
        begun: Instant::now(),
        route: None,
        ending: Ending::Cancelled,
        status: None,
        request_bytes: 0,
        response_bytes: 0,
    };
    let asked = Asked::new(request.head(), id, connection);
    let upload = OwnUpload::new(connection, worker.options().body_timeout);
    let exchanged = match handle(request, &asked, &upload, own).await {
        Handled::NoRoute(request) => return Exchanged::NoRoute(request),
        Handled::Dropped => Exchanged::Broken,
        Handled::Response { route, response } => {
            record.route = route;
            record.status = Some(response.status());
            let after = state_after(&asked, &response, &upload, worker);
            let time = worker.options().write_timeout.saturating_mul(2);
            let sent = match upload.permit(time).await {
                Ok(()) => own_response::send(connection, &asked, response, after, time).await,
                Err(broken) => Err(broken),
            };
            record.response_bytes = sent.as_ref().map_or(0, |length| *length);
            if sent.is_ok() {
                record.ending = Ending::Answered;
                Exchanged::Responded(after)
            } else {
                record.ending = Ending::Unanswered;
                Exchanged::Broken
            }
        }
    };
    record.request_bytes = upload.length();
    record.tell(worker);
    exchanged
}

/// Runs the handler of a request. A panic is answered with 500.
async fn handle(
    mut request: Request,
    asked: &Asked,
    upload: &Rc<OwnUpload>,
    own: &OwnApp,
) -> Handled {
    *request.payload() = upload.payload();
    request.extensions_mut().insert(asked.id.clone());
    let handling = AssertUnwindSafe(async { own.service.call(request).await });
    let mut handling = pin!(handling.catch_unwind());
    let handled = if asked.is_watched {
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
                return Handled::NoRoute(Box::new(given_back));
            }
            (request.match_pattern(), response)
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

impl Asked {
    fn new(head: &RequestHead, id: RequestId, connection: &SharedConnection) -> Self {
        let is_read = matches!(head.method, Method::GET | Method::HEAD);
        Self {
            id,
            version: head.version,
            is_head: head.method == Method::HEAD,
            // The body may be read by another task, which would not hear of bytes that were read meanwhile.
            is_watched: is_read && connection.borrow().is_at_end(),
            is_last: head.connection_type() == ConnectionType::Close
                || head.version < Version::HTTP_11,
        }
    }
}

/// Returns the state of the connection after a response.
fn state_after(
    asked: &Asked,
    response: &HttpResponse,
    upload: &Rc<OwnUpload>,
    worker: &Worker,
) -> ConnectionState {
    let is_last = asked.is_last
        || response.head().connection_type() == ConnectionType::Close
        || worker.options().keep_alive.is_zero()
        || worker.is_leaving();
    if !upload.is_over() {
        ConnectionState::Drain
    } else if is_last {
        ConnectionState::Close
    } else {
        ConnectionState::Open
    }
}

/// The record of a request, for observers.
struct Record {
    extensions: Extensions,
    begun: Instant,
    route: Option<String>,
    ending: Ending,
    status: Option<StatusCode>,
    request_bytes: usize,
    response_bytes: usize,
}

impl Record {
    /// Tells the observers of the first service.
    fn tell(&self, worker: &Worker) {
        let carrier = worker.routes.first().service.carrier();
        let route = self.route.as_deref().unwrap_or(UNNAMED_ROUTE);
        let mut record: CallRecord<'_> = carrier.record(route, Some(&self.extensions));
        record.ending = self.ending;
        record.code = self.status.and_then(error_code);
        record.duration = Some(self.begun.elapsed());
        record.request_bytes = self.request_bytes;
        record.response_bytes = self.response_bytes;
        carrier.tell(&record);
    }
}

/// Returns the code of a response that is an error: its status.
fn error_code(status: StatusCode) -> Option<i64> {
    let is_error = status.is_client_error() || status.is_server_error();
    is_error.then(|| i64::from(status.as_u16()))
}
