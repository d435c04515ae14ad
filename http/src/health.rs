//! The health of a server: whether it accepts calls.
//!
//! Load balancers ask for it. It says nothing about single procedures, and asking is not a call.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::{StatusCode, header};

use crate::page::HttpPage;
use crate::pieces::Body;
use crate::readiness::Readiness;
use crate::request::Request;
use crate::response::{ConnectionState, Response};
use crate::shutdown::Shutdown;

/// The health of a server, at `/health`: 200 while it accepts calls, 503 once it is about to shut down
/// or while it is not ready.
#[derive(Debug, Clone, Default)]
pub struct Health {
    announced: Arc<AtomicBool>,
    shutdown: Shutdown,
    readiness: Option<Readiness>,
}

impl Health {
    /// Creates the health of a server that accepts calls.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks `check` whether the service can do its work, for example whether it can reach its database.
    /// `/health` is 503 while the check fails or takes longer than 1 s; calls are still accepted.
    ///
    /// The check runs at most once a second, however often `/health` is requested, and requests that arrive
    /// meanwhile share its outcome. It must not block: use `tokio::task::spawn_blocking` for work that does. A
    /// failure is logged once, when it begins, and callers never see it.
    ///
    /// ```
    /// use docent::Health;
    ///
    /// # async fn ping_database() -> std::io::Result<()> { Ok(()) }
    /// let health = Health::new().ready(ping_database);
    /// # let _ = health;
    /// ```
    pub fn ready<F, E>(mut self, check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: fmt::Display,
    {
        self.readiness = Some(Readiness::new(check));
        self
    }

    /// Returns the health of another server with the same check.
    pub(crate) fn renewed(&self) -> Self {
        Self {
            readiness: self.readiness.clone(),
            ..Self::default()
        }
    }

    /// Reports that the server is about to shut down: `/health` is 503 from now on, and calls are still
    /// accepted.
    pub fn announce_shutdown(&self) {
        self.announced.store(true, Ordering::SeqCst);
    }

    /// Reports that the server is shutting down: `/health` is 503 from now on, and calls are rejected.
    pub fn begin_shutdown(&self) {
        self.shutdown.begin();
    }

    /// Returns the shutdown of the server.
    pub(crate) fn shutdown(&self) -> &Shutdown {
        &self.shutdown
    }

    /// Returns whether the server is shutting down.
    fn is_shutting_down(&self) -> bool {
        self.shutdown.has_begun()
    }
}

impl HttpPage for Health {
    fn path(&self) -> &'static str {
        "/health"
    }

    async fn respond(&self, request: &Request<'_>) -> Response {
        let leaves = self.is_shutting_down() || self.announced.load(Ordering::SeqCst);
        let mut response = if !request.is_read() {
            Response::read_only()
        } else if leaves {
            report(StatusCode::SERVICE_UNAVAILABLE, r#"{"status":"leaving"}"#)
        } else if let Some(readiness) = &self.readiness
            && !readiness.is_ready().await
        {
            report(StatusCode::SERVICE_UNAVAILABLE, r#"{"status":"unready"}"#)
        } else {
            report(StatusCode::OK, r#"{"status":"ok"}"#)
        };
        if self.is_shutting_down() {
            response.after = ConnectionState::Close;
        }
        response
    }
}

fn report(status: StatusCode, text: &'static str) -> Response {
    Response::new(status)
        .with(header::CACHE_CONTROL, "no-store")
        .content("application/json", Body::Whole(text.into()))
}
