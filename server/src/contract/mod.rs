//! HTTP as the contract on the wire has it: addresses, methods, media types, bodies, statuses, caching.
//!
//! Nothing here knows what carries a request. A carrier reads a [`Request`], gives its body as an
//! [`Upload`], and sends the [`Response`] that it gets; see `actix/`.

mod accept;
pub(crate) mod address;
pub(crate) mod cache;
pub(crate) mod coding;
pub(crate) mod compressor;
mod front_door;
mod get;
mod headers;
mod inflate;
mod media;
pub(crate) mod pieces;
mod post;
mod quality;
pub(crate) mod request;
pub(crate) mod response;
mod status;
#[cfg(test)]
mod tests;
pub(crate) mod traffic;
pub(crate) mod upload;
pub(crate) mod waiting;

use std::sync::Arc;

#[cfg(any(feature = "docs", feature = "metrics"))]
use docent_core::Reply;
use docent_core::{Protocol, Refusal, Service};

use crate::health::Health;
use crate::options::HttpOptions;
use address::Address;
use coding::Descriptions;
pub use headers::{Headers, Peer};
use request::{Method, Request};
use response::{After, Field, Response, Status};
use traffic::Traffic;
use upload::Upload;

/// Callers that may call this may see everything that reveals the description.
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

impl Endpoint {
    /// Responds to whatever arrives below the mount.
    pub(crate) async fn respond(&self, request: Request<'_>, upload: &mut impl Upload) -> Response {
        let mut response = self.dispatch(request, upload).await;
        // A server that shuts down takes no further call on this connection, and says so.
        if response.after == After::Open && self.is_leaving() {
            response.after = After::Close;
        }
        response
    }

    async fn dispatch(&self, request: Request<'_>, upload: &mut impl Upload) -> Response {
        let address = Address::of(&request.target);
        if !self.options.accepts_host(&request) {
            return self.refuse(request.method, Status::MISDIRECTED_REQUEST, misdirection());
        }
        if address == Address::Nowhere {
            return self.refuse(request.method, Status::NOT_FOUND, Refusal::NoSuchProcedure);
        }
        match (request.method, address) {
            (Method::Post, address) => post::call(request, upload, self, address).await,
            (Method::Get | Method::Head, Address::Mount) => {
                front_door::open(&request, self).for_all()
            }
            (Method::Get | Method::Head, Address::Procedure(name)) => {
                get::call(&request, self, &name).await
            }
            (method, address) => other_method(method, self, &address),
        }
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

    /// Whether nothing is in progress that someone waits for or that must finish.
    pub(crate) fn is_idle(&self) -> bool {
        self.traffic.exchanges() == 0 && self.service.running_calls() == 0
    }

    fn is_leaving(&self) -> bool {
        self.health.as_ref().is_some_and(Health::is_leaving)
    }

    /// The response to a request that never becomes a call. Observers hear of it.
    fn refuse(&self, method: Method, status: Status, refusal: Refusal) -> Response {
        let protocol = if method.is_read() {
            self.service.protocol_of_get()
        } else {
            Protocol::V2_0
        };
        Response::of_reply(status, self.service.turn_away(protocol, refusal))
    }

    /// The response to a request that is too much at the moment.
    fn busy(&self, method: Method) -> Response {
        let mut response = self.refuse(method, Status::SERVICE_UNAVAILABLE, Refusal::Busy);
        self.ask_again_later(&mut response);
        response
    }

    /// Tells the caller when to come back.
    fn ask_again_later(&self, response: &mut Response) {
        let seconds = self.options.retry_after_seconds();
        response.set(Field::RetryAfter, seconds.to_string());
    }
}

/// The response, beside the services, to a request for a host that is not served here.
#[cfg(any(feature = "docs", feature = "metrics"))]
pub(crate) fn misdirected() -> Response {
    Response::of_reply(Status::MISDIRECTED_REQUEST, Reply::refusal(misdirection()))
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

fn other_method(method: Method, endpoint: &Endpoint, address: &Address) -> Response {
    let response = if method == Method::Options {
        Response::new(Status::NO_CONTENT)
    } else {
        let reason = "use POST, or GET if the procedure is idempotent".to_owned();
        let refusal = Refusal::NotARequest { reason };
        endpoint.refuse(method, Status::METHOD_NOT_ALLOWED, refusal)
    };
    response.with(Field::Allow, allowed(endpoint, address))
}

/// The response, beside the procedures, to somebody who would not be let in to `rpc.describe`.
pub(crate) fn refusal(service: &Service, request: &Request<'_>) -> Option<Response> {
    let extensions = request.extensions();
    let refused = service.admits(DESCRIPTION, Some(&extensions)).err()?;
    let vary = cache::vary("", refused.fields());
    let mut response = Response::of_reply(status::of_get(&refused), *refused);
    if !vary.is_empty() {
        response.set(Field::Vary, vary);
    }
    Some(response)
}
