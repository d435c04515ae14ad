//! HTTP as the contract on the wire has it: addresses, methods, media types, bodies, statuses.

mod accept;
pub(crate) mod address;
pub(crate) mod cache;
pub(crate) mod coding;
pub(crate) mod compressor;
mod front_door;
mod get;
mod inflate;
mod media;
pub(crate) mod pieces;
mod post;
mod status;
pub(crate) mod traffic;
pub(crate) mod waiting;

use std::net::SocketAddr;
use std::sync::Arc;

use actix_web::http::{Method, StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use docent_core::{Extensions, Fields, Protocol, Refusal, Reply, Service, TraceParent};

use crate::actix::{empty, offer};
use crate::health::Health;
use crate::options::HttpOptions;
use address::Address;
use coding::Descriptions;
use traffic::Traffic;

/// Whoever may call this may see everything that says what the description says.
const DESCRIPTION: &str = "rpc.describe";

/// A service and how it is put on HTTP.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(crate) service: Service,
    pub(crate) options: Arc<HttpOptions>,
    pub(crate) health: Option<Health>,
    /// The reference site, as a link relative to the mount.
    pub(crate) documentation: Option<Arc<str>>,
    #[cfg(feature = "metrics")]
    pub(crate) shed: Option<crate::metrics::Shed>,
    pub(crate) traffic: Arc<Traffic>,
    /// A hash of the description.
    hash: Arc<str>,
    descriptions: Arc<Descriptions>,
}

impl Endpoint {
    pub(crate) fn new(service: Service) -> Self {
        let hash = cache::hash(&service.rendered_description()).into();
        let options = Arc::<HttpOptions>::default();
        Self {
            service,
            traffic: Traffic::new(options.waiting_bytes),
            options,
            health: None,
            documentation: None,
            #[cfg(feature = "metrics")]
            shed: None,
            hash,
            descriptions: Arc::default(),
        }
    }
}

/// The address of the peer, for handlers ([`Cx::extension`](crate::Cx::extension)). Behind a proxy,
/// it is that of the proxy.
///
/// ```
/// use docent_server::{Cx, Fault, Peer, Procedure};
///
/// let whoami: Procedure = Procedure::sync("whoami", |cx: Cx, (): ()| {
///     let peer = cx.extension::<Peer>();
///     Ok::<_, Fault>(peer.map_or_else(|| "in process".to_owned(), |peer| peer.0.to_string()))
/// });
/// # let _ = whoami;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// The header fields of the request, for handlers ([`Cx::extension`](crate::Cx::extension)).
#[derive(Debug, Clone)]
pub struct Headers(pub header::HeaderMap);

impl Fields for Headers {
    fn value(&self, name: &str, place: usize) -> Option<&[u8]> {
        let value = self.0.get_all(name).nth(place)?;
        Some(value.as_bytes())
    }
}

/// Answers whatever arrives below a mount.
pub(crate) async fn serve(
    request: HttpRequest,
    payload: web::Payload,
    endpoint: web::Data<Endpoint>,
) -> HttpResponse {
    let offered = offer::is_made(&request);
    let is_head = request.method() == Method::HEAD;
    let response = empty::held_back(answer_at(request, payload, &endpoint).await);
    let response = if is_head {
        empty::bodiless(response)
    } else {
        response
    };
    // A server that shuts down answers no further call on this connection, and says so.
    offer::closing(offered || endpoint.is_leaving(), response)
}

async fn answer_at(
    request: HttpRequest,
    payload: web::Payload,
    endpoint: &Endpoint,
) -> HttpResponse {
    let address = Address::of(&request);
    if !endpoint.options.accepts_host(&request) {
        let status = StatusCode::MISDIRECTED_REQUEST;
        return endpoint.refuse(&request, status, misdirection());
    }
    if address == Address::Nowhere {
        return endpoint.refuse(&request, StatusCode::NOT_FOUND, Refusal::NoSuchProcedure);
    }
    match (request.method(), address) {
        (&Method::POST, address) => post::answer(&request, payload, endpoint, address).await,
        (&Method::GET | &Method::HEAD, Address::Mount) => {
            pieces::for_all(front_door::answer(&request, endpoint))
        }
        (&Method::GET | &Method::HEAD, Address::Procedure(name)) => {
            get::answer(&request, endpoint, &name).await
        }
        (_, address) => other_method(&request, endpoint, &address),
    }
}

impl Endpoint {
    /// Whether a call is refused before anything is known about it, which counts as shed.
    fn sheds(&self) -> bool {
        let sheds = self.is_leaving() || self.service.is_busy();
        #[cfg(feature = "metrics")]
        if let Some(shed) = self.shed.as_ref().filter(|_| sheds) {
            shed.count();
        }
        sheds
    }

    /// Changes the HTTP options.
    pub(crate) fn set_options(&mut self, mut options: HttpOptions) {
        options.bound_times();
        self.traffic = Traffic::new(options.waiting_bytes);
        self.options = Arc::new(options);
    }

    /// Whether nothing is under way that somebody waits for, or that has to be finished.
    pub(crate) fn is_idle(&self) -> bool {
        self.traffic.exchanges() == 0 && self.service.running_calls() == 0
    }

    fn is_leaving(&self) -> bool {
        self.health.as_ref().is_some_and(Health::is_leaving)
    }

    /// The answer to a request that never becomes a call. Observers hear of it.
    fn refuse(&self, request: &HttpRequest, status: StatusCode, refusal: Refusal) -> HttpResponse {
        let protocol = match *request.method() {
            Method::GET | Method::HEAD => self.service.protocol_of_get(),
            _ => Protocol::V2_0,
        };
        answer(status, self.service.turn_away(protocol, refusal))
    }

    /// The answer to a request that is too much at the moment.
    fn busy(&self, request: &HttpRequest) -> HttpResponse {
        let mut response = self.refuse(request, StatusCode::SERVICE_UNAVAILABLE, Refusal::Busy);
        self.ask_again_later(&mut response);
        response
    }

    /// Tells the caller when to come back.
    fn ask_again_later(&self, response: &mut HttpResponse) {
        let seconds = self.options.retry_after_seconds();
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, header::HeaderValue::from(seconds));
    }
}

/// What is answered, beside the services, to a request for a host that is not served here.
#[cfg(any(feature = "docs", feature = "metrics"))]
pub(crate) fn misdirected() -> HttpResponse {
    let refusal = Reply::refusal(misdirection());
    answer(StatusCode::MISDIRECTED_REQUEST, refusal)
}

fn misdirection() -> Refusal {
    Refusal::NotARequest {
        reason: "this server does not serve the requested host".to_owned(),
    }
}

/// The methods that an address answers to.
fn allowed(endpoint: &Endpoint, address: &Address) -> &'static str {
    let readable = match address {
        Address::Mount => true,
        Address::Procedure(name) => endpoint.service.is_idempotent(name) == Some(true),
        Address::Nowhere => false,
    };
    if readable {
        "GET, HEAD, POST, OPTIONS"
    } else {
        "POST, OPTIONS"
    }
}

fn other_method(request: &HttpRequest, endpoint: &Endpoint, address: &Address) -> HttpResponse {
    let allow = (header::ALLOW, allowed(endpoint, address));
    if request.method() == Method::OPTIONS {
        return HttpResponse::NoContent().insert_header(allow).finish();
    }
    let reason = "use POST, or GET if the procedure is idempotent".to_owned();
    let refusal = Refusal::NotARequest { reason };
    let mut response = endpoint.refuse(request, StatusCode::METHOD_NOT_ALLOWED, refusal);
    if let Ok(value) = header::HeaderValue::from_str(allow.1) {
        response.headers_mut().insert(allow.0, value);
    }
    response
}

/// An answer in JSON that no cache keeps.
pub(crate) fn answer(status: StatusCode, reply: Reply) -> HttpResponse {
    let mut response = HttpResponse::build(status);
    if reply.body().is_some()
        && let Some(challenge) = challenge(&reply)
    {
        response.insert_header((header::WWW_AUTHENTICATE, challenge));
    }
    let Some(body) = reply.into_body() else {
        return HttpResponse::NoContent().finish();
    };
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    as_json(&mut response).body(body)
}

/// Says what an answer is, so that no browser takes it for something else.
fn as_json(response: &mut HttpResponseBuilder) -> &mut HttpResponseBuilder {
    response
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
}

/// What a guard wants the caller to be challenged with. Words that cannot stand in a header field are
/// left out: the refusal has to be answered whatever they are.
fn challenge(reply: &Reply) -> Option<header::HeaderValue> {
    let challenge = reply.denial()?.challenge.as_deref()?;
    let value = header::HeaderValue::from_str(challenge);
    value
        .inspect_err(|_| tracing::error!(challenge, "a challenge is no header field's value"))
        .ok()
}

/// What is answered beside the procedures to somebody who would not be let in to `rpc.describe`.
pub(crate) fn refusal(service: &Service, request: &HttpRequest) -> Option<HttpResponse> {
    let refused = service
        .admits(DESCRIPTION, Some(&extensions(request)))
        .err()?;
    let vary = cache::vary("", refused.fields());
    let mut response = answer(status::of_get(&refused), *refused);
    if !vary.is_empty() {
        response.headers_mut().insert(header::VARY, vary);
    }
    Some(response)
}

/// The trace that the request belongs to. Of two nobody could say which one counts.
fn trace_parent(headers: &header::HeaderMap) -> Option<TraceParent> {
    let mut values = headers.get_all("traceparent");
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    TraceParent::new(value.to_str().ok()?)
}

/// What handlers can ask about the request.
fn extensions(request: &HttpRequest) -> Arc<Extensions> {
    let mut extensions = Extensions::new();
    if let Some(peer) = request.peer_addr() {
        extensions.insert(Peer(peer));
    }
    let headers = request.headers();
    if let Some(parent) = trace_parent(headers) {
        extensions.insert(parent);
    }
    extensions.insert_fields(Headers(headers.clone()));
    Arc::new(extensions)
}
