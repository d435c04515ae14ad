//! A service and its HTTP settings.
//!
//! It joins what all requests of a mount have in common. A carrier keeps one for each mount, and
//! the clones that its workers have share their counters.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use docent_core::carrier::{Reply, RequestError, ResultVersion, VersionCheck};
use docent_core::{Protocol, Service, code};
use http::{StatusCode, header};
use tokio::time::timeout;

use crate::address::Address;
use crate::cache::{self, DESCRIPTION_PROCEDURE, Hash};
use crate::coding::{Descriptions, named_tag};
use crate::headers::Headers;
use crate::link::Link;
use crate::options::HttpOptions;
use crate::pieces::{Body, PIECE_SIZE};
use crate::request::Request;
use crate::response::Response;
use crate::shutdown::Shutdown;
use crate::status;
use crate::traffic::{Exchange, Room, Traffic};

/// A service and its HTTP settings.
#[derive(Clone)]
pub struct Endpoint {
    /// The service. It accepts calls only while there is room for their answers.
    pub service: Service,
    /// The options.
    pub options: Arc<HttpOptions>,
    /// True if callers can have WebSockets.
    #[cfg(feature = "websocket")]
    pub(crate) has_websocket: bool,
    /// The shutdown of the host, which its health begins.
    pub(crate) shutdown: Shutdown,
    /// The link to the reference site, relative to the mount.
    pub documentation: Option<Arc<str>>,
    /// Links to the server's other documents about the service.
    pub links: Arc<[Link]>,
    /// The number of requests that were rejected unread.
    pub shed: Arc<AtomicU64>,
    /// The exchanges that have not ended, and the room of their bytes.
    pub(crate) traffic: Arc<Traffic>,
    /// A hash of the description.
    pub(crate) hash: Hash,
    /// Says whether the caller of a request has a version already. It is made once, because few requests ask it.
    pub(crate) has_version: Arc<VersionCheck>,
    pub(crate) descriptions: Arc<Descriptions>,
}

impl Endpoint {
    /// Creates an endpoint with the default options, without a site.
    pub fn new(service: &Service) -> Self {
        let hash = Hash::new(&service.rendered_description());
        let options = Arc::<HttpOptions>::default();
        let traffic = Traffic::new(&options);
        Self {
            service: limited(service, &traffic),
            traffic,
            options,
            #[cfg(feature = "websocket")]
            has_websocket: false,
            shutdown: Shutdown::default(),
            documentation: None,
            links: Arc::default(),
            shed: Arc::default(),
            hash,
            has_version: Arc::new(move |extensions, query| {
                let none = Headers::default();
                let headers = extensions.get().unwrap_or(&none);
                let validator = cache::validator_of(query, headers);
                ResultVersion {
                    is_known: named_tag(headers, &hash.of_version(&validator)).is_some(),
                    validator,
                }
            }),
            descriptions: Arc::default(),
        }
    }

    /// Returns whether to reject a call before reading it, which counts as shed.
    pub(crate) fn sheds(&self) -> bool {
        let sheds = self.is_shutting_down() || self.service.is_busy();
        if sheds {
            self.shed.fetch_add(1, Ordering::Relaxed);
        }
        sheds
    }

    /// Begins an exchange that the carrier responds to itself. It ends when the value is dropped, and a shutdown waits
    /// for it.
    pub fn begin_exchange(&self) -> Exchange {
        self.traffic.begin()
    }

    /// Changes the HTTP options.
    pub(crate) fn set_options(&mut self, mut options: HttpOptions) {
        options.bound_times();
        self.traffic = Traffic::new(&options);
        self.service = limited(&self.service, &self.traffic);
        self.options = Arc::new(options);
    }

    /// Waits for room for an answer, in the order in which answers are ready. Meanwhile the call keeps
    /// its permit to run.
    ///
    /// If that takes too long, the answer is [withdrawn](Reply::withdraw). Returns `None` if it has to
    /// be sent as [unavailable](Self::unavailable).
    pub(crate) async fn room_for(&self, reply: &mut Reply) -> Option<Room> {
        let size = reply.own_size();
        if size <= PIECE_SIZE {
            return Some(Room::default());
        }
        if let Some(room) = self.traffic.try_take(size) {
            return Some(room);
        }
        let _place = self.service.carrier().occupy();
        let taken = timeout(self.options.write_timeout, self.traffic.take(size));
        // Boxed, so that calls do not carry it.
        if let Ok(room) = Box::pin(taken).await {
            return Some(room);
        }
        tracing::warn!("an answer was replaced because it waited too long for room to be sent");
        (!reply.withdraw()).then(Room::default)
    }

    /// Returns the response to a call that can be repeated, and for whose answer there was no room.
    pub(crate) fn unavailable(&self, reply: Reply) -> Response {
        let mut response = Response::of_reply(status::of_protocol_error(code::BUSY), reply);
        self.ask_again_later(&mut response);
        response
    }

    /// Returns whether no exchange is in progress and no call is running, even one whose caller has gone.
    pub fn is_idle(&self) -> bool {
        self.traffic.exchanges() == 0 && self.service.running_calls() == 0
    }

    /// Returns whether the host is shutting down.
    pub fn is_shutting_down(&self) -> bool {
        self.shutdown.has_begun()
    }

    /// Responds to a request that never becomes a call, and notifies observers.
    pub fn fail(&self, request: &Request<'_>, status: StatusCode, error: RequestError) -> Response {
        let protocol = if request.is_read() {
            self.service.get_protocol()
        } else {
            Protocol::V2_0
        };
        let extensions = request.extensions(&self.options);
        let is_busy = error == RequestError::Busy;
        let reply = self
            .service
            .carrier()
            .fail_request(protocol, error, Some(extensions.into()));
        let mut response = Response::of_reply(status, reply);
        if is_busy {
            self.ask_again_later(&mut response);
        }
        response
    }

    /// Returns the response to a request that is rejected because the server is busy.
    pub(crate) fn busy(&self, request: &Request<'_>) -> Response {
        self.fail(
            request,
            status::of_protocol_error(code::BUSY),
            RequestError::Busy,
        )
    }

    /// Tells the caller when to retry.
    pub(crate) fn ask_again_later(&self, response: &mut Response) {
        let seconds = self.options.retry_after_seconds();
        response.set(header::RETRY_AFTER, seconds.to_string());
    }

    /// Adds the server to an OpenRPC document that has none: the one that the caller has found. Returns
    /// whether it did.
    pub(crate) fn name_server(
        &self,
        body: &mut Body,
        request: &Request<'_>,
        headers: &Headers,
    ) -> bool {
        let description = self.service.description();
        if description.address.is_some() {
            return false;
        }
        let Some(origin) = request.origin(headers, &self.options) else {
            return false;
        };
        let url = format!("{origin}{}", request.target.path_of_mount());
        let servers = serde_json::json!([{"name": description.name, "url": url}]);
        body.add_members(&format!("\"servers\":{servers},"))
    }

    /// Returns the methods that an address accepts.
    pub(crate) fn allowed(&self, address: &Address<'_>) -> &'static str {
        let readable = match address {
            Address::Mount => true,
            Address::Procedure(name) => self.may_be_read(name),
            Address::Nowhere => false,
        };
        if readable {
            "GET, HEAD, POST, OPTIONS"
        } else {
            "POST, OPTIONS"
        }
    }

    /// Returns whether GET may call a procedure, as far as every caller may know: one that may not see the
    /// description learns nothing about names.
    fn may_be_read(&self, procedure: &str) -> bool {
        let service = &self.service;
        match service.is_idempotent(procedure) {
            Some(true) => true,
            Some(false) => {
                service.is_guarded(procedure) && service.is_guarded(DESCRIPTION_PROCEDURE)
            }
            None => service.is_guarded(DESCRIPTION_PROCEDURE),
        }
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("service", &self.service)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Returns the service, which accepts calls only while there is room for answers.
fn limited(service: &Service, traffic: &Arc<Traffic>) -> Service {
    let traffic = Arc::clone(traffic);
    service.with_room(move || traffic.free() > 0)
}
