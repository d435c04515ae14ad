//! A service and its HTTP settings.

use http::{StatusCode, header};
use std::sync::Arc;

use docent_core::{Protocol, Refusal, Reply, Service};
use tokio::time::timeout;

use super::address::Address;
use super::cache::{DESCRIPTION, Hash};
use super::coding::Descriptions;
use super::pieces::PIECE;
use super::request::Request;
use super::response::Response;
use super::traffic::Traffic;
use super::waiting::Room;
use crate::health::Health;
use crate::options::HttpOptions;

/// A service and its HTTP settings.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(crate) service: Service,
    pub(crate) options: Arc<HttpOptions>,
    pub(crate) health: Option<Health>,
    /// The link to the reference site, relative to the mount.
    pub(crate) documentation: Option<Arc<str>>,
    #[cfg(feature = "metrics")]
    pub(crate) shed: Option<crate::metrics::Shed>,
    pub(crate) traffic: Arc<Traffic>,
    /// A hash of the description.
    pub(super) hash: Hash,
    pub(super) descriptions: Arc<Descriptions>,
}

impl Endpoint {
    pub(crate) fn new(service: &Service) -> Self {
        let hash = Hash::of(&service.rendered_description());
        let options = Arc::<HttpOptions>::default();
        let traffic = Traffic::new(&options);
        Self {
            service: limited(service, &traffic),
            traffic,
            options,
            health: None,
            documentation: None,
            #[cfg(feature = "metrics")]
            shed: None,
            hash,
            descriptions: Arc::default(),
        }
    }

    /// Returns whether to reject a call before reading it, which counts as shed.
    pub(super) fn sheds(&self) -> bool {
        let sheds = self.is_shutting_down() || self.service.is_busy();
        #[cfg(feature = "metrics")]
        if let Some(shed) = self.shed.as_ref().filter(|_| sheds) {
            shed.count();
        }
        sheds
    }

    /// Changes the HTTP options.
    pub(crate) fn set_options(&mut self, mut options: HttpOptions) {
        options.bound_times();
        self.traffic = Traffic::new(&options);
        self.service = limited(&self.service, &self.traffic);
        self.options = Arc::new(options);
    }

    /// Waits for room for an answer, in the order in which answers are ready. Meanwhile the call keeps
    /// its place among the running calls.
    ///
    /// If that takes too long, the answer is [withdrawn](Reply::withdraw). Returns `None` if it has to
    /// be sent as [unavailable](Self::unavailable).
    pub(super) async fn room_for(&self, reply: &mut Reply) -> Option<Room> {
        let (waiting, size) = (self.traffic.waiting(), reply.own_length());
        if size <= PIECE {
            return Some(Room::default());
        }
        if let Some(room) = waiting.try_take(size) {
            return Some(room);
        }
        let _place = self.service.occupy();
        // Boxed, so that calls do not carry it.
        let taking = Box::pin(timeout(self.options.write_timeout, waiting.take(size)));
        if let Ok(room) = taking.await {
            return Some(room);
        }
        tracing::warn!("an answer was replaced because it waited too long for room to be sent");
        (!reply.withdraw()).then(Room::default)
    }

    /// Returns the response to a call that can be repeated, and for whose answer there was no room.
    pub(super) fn unavailable(&self, reply: Reply) -> Response {
        let mut response = Response::of_reply(StatusCode::SERVICE_UNAVAILABLE, reply);
        self.ask_again_later(&mut response);
        response
    }

    /// Returns whether nothing is in progress that a caller waits for or that must finish.
    pub(crate) fn is_idle(&self) -> bool {
        self.traffic.exchanges() == 0 && self.service.running_calls() == 0
    }

    pub(super) fn is_shutting_down(&self) -> bool {
        self.health.as_ref().is_some_and(Health::is_shutting_down)
    }

    /// Responds to a request that never becomes a call, and tells observers.
    pub(super) fn refuse(
        &self,
        request: &Request<'_>,
        status: StatusCode,
        refusal: Refusal,
    ) -> Response {
        let protocol = if request.is_read() {
            self.service.get_protocol()
        } else {
            Protocol::V2_0
        };
        let extensions = request.extensions(&self.options);
        let reply = self
            .service
            .turn_away(protocol, refusal, Some(extensions.into()));
        Response::of_reply(status, reply)
    }

    /// Returns the response to a request that is rejected because the server is busy.
    pub(super) fn busy(&self, request: &Request<'_>) -> Response {
        let mut response = self.refuse(request, StatusCode::SERVICE_UNAVAILABLE, Refusal::Busy);
        self.ask_again_later(&mut response);
        response
    }

    /// Tells the caller when to retry.
    pub(super) fn ask_again_later(&self, response: &mut Response) {
        let seconds = self.options.retry_after_seconds();
        response.set(header::RETRY_AFTER, seconds.to_string());
    }

    /// Returns the methods that an address accepts.
    pub(super) fn allowed(&self, address: &Address<'_>) -> &'static str {
        let readable = match address {
            Address::Mount => true,
            Address::Procedure(name) => {
                let (service, is_idempotent) = (&self.service, self.service.is_idempotent(name));
                // A caller that may not see the description learns nothing about names here.
                let may_be_private = is_idempotent.is_none() || service.is_guarded(name);
                is_idempotent == Some(true) || may_be_private && service.is_guarded(DESCRIPTION)
            }
            Address::Nowhere => false,
        };
        if readable {
            "GET, HEAD, POST, OPTIONS"
        } else {
            "POST, OPTIONS"
        }
    }
}

/// Returns the service, which accepts calls only while there is room for answers.
fn limited(service: &Service, traffic: &Traffic) -> Service {
    let waiting = Arc::clone(traffic.waiting());
    service.with_room(move || waiting.has_room())
}
