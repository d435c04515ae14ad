//! Metrics of calls in the format that Prometheus reads.
//!
//! ```text
//! docent_calls_total{mount="/rpc",procedure="book.find",protocol="2.0",code="ok"} 12
//! ```
//!
//! [`count`] is an observer that counts calls, sizes and times; [`running`] reads gauges of a service when somebody asks for
//! the page, so that a call pays nothing for them.
//!
//! Nothing that a caller sends becomes a label. A procedure is a registered one or `unknown`, and a code is one that the
//! description or the protocol has, or `other`. The service's author therefore determines the number of series: one for
//! each name that a caller invents would let callers fill the memory of the service and of Prometheus.

mod count;
mod labels;
mod running;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError};

use docent_core::Service;
use http::{StatusCode, header};
use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

use count::{CallCounter, CallSeries};
use running::{CountedService, ServiceGauges, Services};

use crate::options::HttpOptions;
use crate::page::HttpPage;
use crate::pieces::Body;
use crate::request::Request;
use crate::request_error;
use crate::response::Response;

/// The media type of OpenMetrics 1.0 text.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Collects metrics of services, and formats them as OpenMetrics text, which Prometheus reads. All
/// clones share the same metrics.
///
/// Metrics reveal which procedures are called, how often, and how they fail, so serve them at an address that
/// callers cannot reach.
///
/// ```
/// use docent::{AppRoutes, Cx, Fault, Metrics, Procedure, Routes, Service};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534606")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let metrics = Metrics::new();
/// let routes = AppRoutes::new(Routes::new(service).count_in(&metrics))?;
/// assert!(metrics.text().contains("docent_running_calls{mount=\"/rpc\"} 0"));
/// # let _ = routes;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[cfg(feature = "metrics")]
pub struct Metrics {
    registry: Arc<Registry>,
    series: CallSeries,
    services: Services,
}

impl Metrics {
    /// Creates empty metrics.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("docent");
        let services = Services::default();
        let series = CallSeries::new(&mut registry);
        registry.register_collector(Box::new(ServiceGauges(Arc::clone(&services))));
        Self {
            registry: Arc::new(registry),
            series,
            services,
        }
    }

    /// Returns the metrics as OpenMetrics 1.0 text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }

    /// Responds to any request for `/metrics` of a host with these options.
    pub(crate) fn serve(&self, request: &Request<'_>, options: &HttpOptions) -> Response {
        if let Some(response) = request_error::of_page(request, options) {
            return response;
        }
        Response::new(StatusCode::OK)
            .content(CONTENT_TYPE, Body::Whole(self.text().into()))
            .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .with(header::CACHE_CONTROL, "no-store")
    }

    /// Counts the calls of a service at a mount, and returns the service with an observer. An earlier
    /// mount at the same path is replaced.
    pub(crate) fn watch(&self, mount: &str, service: &Service, shed: &Arc<AtomicU64>) -> Service {
        let mount: Arc<str> = if mount.is_empty() { "/" } else { mount }.into();
        let counted = CountedService {
            service: service.clone(),
            shed: Arc::clone(shed),
        };
        self.services
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(Arc::clone(&mount), counted);
        service.with_observer(CallCounter::new(self.series.clone(), mount, service))
    }
}

impl HttpPage for Metrics {
    fn path(&self) -> &'static str {
        "/metrics"
    }

    async fn respond(&self, request: &Request<'_>) -> Response {
        self.serve(request, &HttpOptions::default())
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
