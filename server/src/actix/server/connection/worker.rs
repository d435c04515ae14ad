//! The state that the connections of a worker share.

use std::sync::Arc;
use std::time::Duration;

use actix_http::{Request, ServiceConfig};
use actix_server::GracefulShutdownSignal;
use docent_http::{HttpOptions, ListenerInfo, RouteTable};
use tokio::sync::watch;

use crate::actix::server::own_routes::OwnApp;
use crate::actix::server::settings::ConnectionTimes;

/// The state that the connections of one listener share in a worker.
pub(in crate::actix::server) struct Worker {
    pub(super) routes: Arc<RouteTable>,
    pub(super) listener: ListenerInfo,
    pub(super) shutting_down: GracefulShutdownSignal,
    /// True once the server has begun to shut down.
    stopping: watch::Receiver<bool>,
    /// The routes of the server's user, if there are any.
    own: Option<OwnApp>,
    pub(super) times: ConnectionTimes,
    /// The configuration of actix-http's decoder.
    pub(super) decoding: ServiceConfig,
}

impl Worker {
    pub(in crate::actix::server) fn new(
        routes: Arc<RouteTable>,
        listener: ListenerInfo,
        shutting_down: GracefulShutdownSignal,
        stopping: watch::Receiver<bool>,
        own: Option<OwnApp>,
        times: ConnectionTimes,
    ) -> Self {
        Self {
            routes,
            listener,
            shutting_down,
            stopping,
            own,
            times,
            decoding: ServiceConfig::default(),
        }
    }

    pub(super) fn options(&self) -> &HttpOptions {
        &self.routes.first().options
    }

    /// Returns the time in which a peer has to read 256 KiB, or all that is left: twice the write timeout, because the
    /// system takes bytes in lumps.
    pub(in crate::actix::server) fn time_to_read(&self) -> Duration {
        self.options().write_timeout.saturating_mul(2)
    }

    /// Returns whether the server is shutting down.
    pub(super) fn is_shutting_down(&self) -> bool {
        self.routes.first().is_shutting_down()
    }

    /// Waits until the server begins to shut down.
    pub(super) fn stops(&self) -> impl Future<Output = ()> + use<> {
        let mut stopping = self.stopping.clone();
        async move {
            // An error means that the server is gone.
            let _ = stopping.wait_for(|stops| *stops).await;
        }
    }

    /// Returns the routes of the server's user if no service and no page covers the address of a request.
    pub(super) fn own_routes_for(&self, request: &Request) -> Option<&OwnApp> {
        let own = self.own.as_ref()?;
        (!self.routes.covers(request.path())).then_some(own)
    }
}
