//! Services as one tower service.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use docent_core::Extensions;
use docent_http::request_error::invalid_request;
use docent_http::{ConnectionState, Health, Response, RouteTable, Routes};
use http::request::Parts;
use http::{Request, StatusCode, header};
use http_body::Body;

use crate::body::ResponseBody;
use crate::message::{read, request_id, send};
use crate::upload::UploadedBody;
#[cfg(feature = "websocket")]
use crate::websocket;

/// Serves the calls of services, and everything about them, as one tower service. Clones share everything, so
/// create it once. Paths, CORS and other settings are methods of [`Routes`].
///
/// It needs tokio. It never fails: each request gets a response. Malformed request heads, and the time limit
/// for heads, are up to your server.
///
/// ```
/// use axum::Router;
/// use axum::routing::get;
/// use docent_tower::{Cx, Fault, Procedure, RpcService, Service};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534616")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).idempotent())
///     .build()?;
/// let app: Router = Router::new()
///     .route("/hello", get(async || "hello"))
///     .fallback_service(RpcService::new(service)?);
/// # let _ = app;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct RpcService {
    table: Arc<RouteTable>,
    is_secure: bool,
    forwards: Arc<[Forward]>,
}

/// Copies a value of one type from a request of the host to the extensions of a call.
type Forward = fn(&http::Extensions, &mut Extensions);

impl RpcService {
    /// Checks the settings, and builds all addresses. A service alone is at `/rpc`.
    ///
    /// # Errors
    /// `InvalidInput` if no request can reach a service, because its path is taken, invalid, or the address of
    /// a procedure, or if a setting for hosts, origins or tools is invalid. `Other` if the site has problems.
    pub fn new(routes: impl Into<Routes>) -> io::Result<Self> {
        Ok(Self {
            table: Arc::new(RouteTable::new(&routes.into())?),
            is_secure: false,
            forwards: Arc::default(),
        })
    }

    /// Declares that all connections use TLS, so that the server's URLs in pages begin with `https`. Requests
    /// of HTTP/2 name the scheme themselves.
    pub fn over_tls(mut self) -> Self {
        self.is_secure = true;
        self
    }

    /// Passes a value from the extensions of the request on to handlers, guards and observers, which get it
    /// with [`Cx::extension`](docent_core::Cx::extension). Call this once for each type that a middleware sets.
    ///
    /// ```
    /// use docent_tower::{Cx, Fault, Procedure, RpcService, Service};
    ///
    /// /// Set by a middleware.
    /// #[derive(Clone)]
    /// struct Tenant(u64);
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534616")
    ///     .procedure(Procedure::sync("tenant", |cx: Cx, (): ()| {
    ///         Ok::<_, Fault>(cx.extension::<Tenant>().map(|tenant| tenant.0))
    ///     }))
    ///     .build()?;
    /// let service = RpcService::new(service)?.forward::<Tenant>();
    /// # let _ = service;
    /// # Ok(())
    /// # }
    /// ```
    pub fn forward<T: Clone + Send + Sync + 'static>(mut self) -> Self {
        let forward: Forward = |from, to| {
            if let Some(value) = from.get::<T>() {
                to.insert(value.clone());
            }
        };
        self.forwards = self.forwards.iter().copied().chain([forward]).collect();
        self
    }

    /// Returns the health. Use it to report that your server is shutting down: after
    /// [`begin_shutdown`](Health::begin_shutdown), `/health` is 503 and calls are rejected.
    pub fn health(&self) -> &Health {
        self.table.health()
    }

    /// Returns whether no exchange is in progress and no call is running. Writes go on after their callers have
    /// gone, so wait for this before the process ends.
    pub fn is_idle(&self) -> bool {
        self.table.is_idle()
    }
}

impl<B> tower_service::Service<Request<B>> for RpcService
where
    B: Body<Data: Send> + Send + 'static,
{
    type Response = http::Response<ResponseBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Load is judged for each request: pages and `/health` have responses however many calls are running.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let table = Arc::clone(&self.table);
        let is_secure = self.is_secure;
        let forwards = Arc::clone(&self.forwards);
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let id = request_id(&parts);
            let has_body = !body.is_end_stream();
            let mut upload = UploadedBody::new(body, &parts.headers);
            let mut request = read(&parts, has_body, is_secure, id.clone());
            if !forwards.is_empty() {
                let mut extensions = Box::<Extensions>::default();
                for forward in &*forwards {
                    forward(&parts.extensions, &mut extensions);
                }
                request.forwarded = Some(extensions).into();
            }
            let response = if names_two_hosts(&parts) {
                refuse_two_hosts(&table, &request)
            } else {
                table.respond(request, &mut upload).await
            };
            #[cfg(feature = "websocket")]
            let response = serve_websocket(response, &parts);
            let draining = upload.rest(response.after, &table.first().options);
            Ok(send(response, draining, &parts.method, parts.version, &id))
        })
    }
}

/// Lets the WebSocket of a response begin once its head has been sent.
#[cfg(feature = "websocket")]
fn serve_websocket(mut response: Response, parts: &Parts) -> Response {
    let body = std::mem::replace(&mut response.body, docent_http::Body::None);
    match body {
        docent_http::Body::WebSocket(websocket) => {
            // It is there, because the contract was told so.
            if let Some(upgrade) = parts.extensions.get::<hyper::upgrade::OnUpgrade>() {
                websocket::serve(*websocket, upgrade.clone());
            }
        }
        body => response.body = body,
    }
    response
}

/// Returns whether a request has two `Host` fields. hyper passes them on, and a proxy may have read the other one
/// (RFC 9112, section 3.2).
fn names_two_hosts(parts: &Parts) -> bool {
    parts.headers.get_all(header::HOST).iter().count() > 1
}

/// Returns the response to a request that names two hosts, and reports it to the observers of the first service.
fn refuse_two_hosts(table: &RouteTable, request: &docent_http::Request<'_>) -> Response {
    let error = invalid_request("Host must be there once");
    let mut response = table.first().fail(request, StatusCode::BAD_REQUEST, error);
    response.after = ConnectionState::Drain;
    response
}
