//! A small web server for one user, on a thread of its own: each connection has one request, after which it can speak
//! another protocol.
//!
//! It serves the mock of a service and the site that `--watch` rebuilds. It is not the server of
//! `docent`: it has neither calls nor limits of callers, and the command needs no actix for it.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use docent_core::BoxFuture;
use http::header::{CONTENT_TYPE, HOST};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::Upgraded;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// The time for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// The time for a request and its answer.
const EXCHANGE_TIMEOUT: Duration = Duration::from_secs(60);
/// The maximum length of a request's body.
const MAX_BODY: usize = 8 << 20;
/// The maximum number of connections at once. Others wait.
const MAX_CONNECTIONS: usize = 64;

/// A request.
pub(crate) type WebRequest = Request<Bytes>;

/// A connection that has changed from HTTP to another protocol.
pub(crate) type UpgradedStream = TokioIo<Upgraded>;

/// Speaks another protocol on a connection, until its end.
type Upgrade = Box<dyn FnOnce(UpgradedStream) -> BoxFuture<()> + Send>;

/// An answer.
pub(crate) struct WebResponse {
    response: Response<Full<Bytes>>,
    upgrade: Option<Upgrade>,
}

impl WebResponse {
    /// Creates an answer from its status, its media type and its body.
    pub(crate) fn new(status: StatusCode, media_type: &str, body: impl Into<Bytes>) -> Self {
        let mut response = Response::new(Full::new(body.into()));
        *response.status_mut() = status;
        let answer = Self {
            response,
            upgrade: None,
        };
        answer.with(CONTENT_TYPE, media_type)
    }

    /// Creates the answer after which a connection speaks another protocol.
    #[cfg(feature = "websocket")]
    pub(crate) fn upgrade(
        serve: impl FnOnce(UpgradedStream) -> BoxFuture<()> + Send + 'static,
    ) -> Self {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        Self {
            response,
            upgrade: Some(Box::new(serve)),
        }
    }

    /// Creates an answer that says its status only.
    pub(crate) fn plain(status: StatusCode) -> Self {
        Self::new(status, "text/plain; charset=utf-8", status.to_string())
    }

    /// Adds a header field, unless the value can be none.
    pub(crate) fn with(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.response.headers_mut().append(name, value);
        }
        self
    }
}

/// Serves until the process ends. On the loopback interface, a request has to name this machine as its
/// host: a page on another site could use a name that resolves to this machine to read this server.
pub(crate) fn start(
    listener: TcpListener,
    answer: impl Fn(&WebRequest) -> WebResponse + Send + Sync + 'static,
) -> io::Result<SocketAddr> {
    let address = listener.local_addr()?;
    listener.set_nonblocking(true)?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let is_local = address.ip().is_loopback();
    thread::spawn(move || runtime.block_on(serve(listener, is_local, Arc::new(answer))));
    Ok(address)
}

/// Accepts connections, each with a permit and a time limit.
async fn serve<A>(listener: TcpListener, is_local: bool, answer: Arc<A>) -> io::Result<()>
where
    A: Fn(&WebRequest) -> WebResponse + Send + Sync + 'static,
{
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut http = http1::Builder::new();
    http.keep_alive(false)
        .title_case_headers(true)
        .auto_date_header(false);
    http.timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT);
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let permit = Arc::clone(&permits).acquire_owned().await;
        let Ok((stream, _)) = listener.accept().await else {
            // The process is probably out of file descriptors. Some will be closed soon.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let answer = Arc::clone(&answer);
        let service = service_fn(move |request| exchange(request, is_local, Arc::clone(&answer)));
        // A client that has disconnected needs no response, and the error affects nobody else.
        let connection = http
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::spawn(async move {
            let _ = timeout(EXCHANGE_TIMEOUT, connection).await;
            drop(permit);
        });
    }
}

/// Answers the request of a connection.
async fn exchange(
    mut request: Request<Incoming>,
    is_local: bool,
    answer: Arc<impl Fn(&WebRequest) -> WebResponse>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let upgraded = hyper::upgrade::on(&mut request);
    let (head, body) = request.into_parts();
    let Ok(body) = Limited::new(body, MAX_BODY).collect().await else {
        return Ok(WebResponse::plain(StatusCode::PAYLOAD_TOO_LARGE).response);
    };
    let request = Request::from_parts(head, body.to_bytes());
    let answer = if is_local && !is_for_loopback(&request) {
        WebResponse::plain(StatusCode::MISDIRECTED_REQUEST)
    } else {
        answer(&request)
    };
    if let Some(serve) = answer.upgrade {
        tokio::spawn(async move {
            if let Ok(stream) = upgraded.await {
                serve(TokioIo::new(stream)).await;
            }
        });
    }
    Ok(answer.response)
}

/// Returns whether a request names this machine as its host.
fn is_for_loopback(request: &WebRequest) -> bool {
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "127.0.0.1" | "[::1]") || name.eq_ignore_ascii_case("localhost")
}
