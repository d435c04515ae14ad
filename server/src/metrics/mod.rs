//! Metrics of calls in the format that Prometheus reads.
//!
//! Nothing that a caller sends becomes a label. A procedure is a registered one or `unknown`, and a
//! code is one that the description or the protocol has, or `other`. The service's author therefore
//! determines the number of series.

mod count;
mod labels;
mod running;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use docent_core::Service;
use docent_http::pieces::Body;
use docent_http::request::Request;
use docent_http::response::Response;
use docent_http::{HttpOptions, refusal};
use http::{StatusCode, header};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use count::CallCounter;
use labels::{CallLabels, ProcedureLabels};

/// The media type of OpenMetrics 1.0 text.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The buckets of durations in seconds, from calls that wait for nothing to the default timeout of a
/// procedure.
const DURATIONS: [f64; 15] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

/// The buckets of sizes in bytes, up to the default limit on a response.
const SIZES: [f64; 5] = [256.0, 4_096.0, 65_536.0, 1_048_576.0, 16_777_216.0];

/// Collects metrics of services, and formats them as OpenMetrics text, which Prometheus reads. All
/// clones share the same metrics.
///
/// It is an actix-web service at `/metrics`: `App::new().service(metrics.clone())`. Metrics reveal
/// which procedures are called, how often, and how they fail, so serve them at an address that
/// callers cannot reach.
///
/// ```
/// use actix_web::App;
/// use docent_server::{Cx, Fault, Metrics, Mount, Procedure, Service};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534606")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let metrics = Metrics::new();
/// let app = App::new().service(Mount::new("/rpc", &service).metrics(&metrics));
/// assert!(metrics.text().contains("docent_running_calls{mount=\"/rpc\"} 0"));
/// # let _ = app;
/// # Ok::<(), docent_server::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Metrics(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    mismatches: Family<ProcedureLabels, Counter>,
    durations: Family<ProcedureLabels, Histogram>,
    request_sizes: Family<ProcedureLabels, Histogram>,
    response_sizes: Family<ProcedureLabels, Histogram>,
    services: Services,
}

/// The counted services by their mounts, each with the number of requests that it rejected unread.
type Services = Arc<Mutex<ServicesByMount>>;

type ServicesByMount = BTreeMap<Arc<str>, (Service, Arc<AtomicU64>)>;

impl Metrics {
    /// Creates empty metrics.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("docent");
        let calls = Family::default();
        let mismatches = Family::default();
        let durations = Family::new_with_constructor(seconds as fn() -> Histogram);
        let request_sizes = Family::new_with_constructor(bytes as fn() -> Histogram);
        let response_sizes = Family::new_with_constructor(bytes as fn() -> Histogram);
        let services = Services::default();
        registry.register(
            "calls",
            "Calls that have finished, and requests that were rejected before they became a call",
            calls.clone(),
        );
        registry.register(
            "mismatches",
            "Calls whose result, or data of an error, did not match the description",
            mismatches.clone(),
        );
        registry.register_with_unit(
            "call_duration",
            "The duration of calls",
            Unit::Seconds,
            durations.clone(),
        );
        registry.register_with_unit(
            "call_request",
            "The size of parameters as they were sent",
            Unit::Bytes,
            request_sizes.clone(),
        );
        registry.register_with_unit(
            "call_response",
            "The answers of calls",
            Unit::Bytes,
            response_sizes.clone(),
        );
        registry.register_collector(Box::new(running::ServiceGauges(Arc::clone(&services))));
        Self(Arc::new(Shared {
            registry,
            calls,
            mismatches,
            durations,
            request_sizes,
            response_sizes,
            services,
        }))
    }

    /// Returns the metrics as OpenMetrics 1.0 text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }

    /// Responds to any request for `/metrics`.
    pub(crate) fn respond(&self, request: &Request<'_>, options: &HttpOptions) -> Response {
        if !request.is_for_served_host(options) {
            return refusal::misdirected();
        }
        if !request.is_read() {
            return Response::read_only();
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
        let services = self.0.services.lock();
        let mut services = services.unwrap_or_else(PoisonError::into_inner);
        services.insert(Arc::clone(&mount), (service.clone(), Arc::clone(shed)));
        service.with_observer(CallCounter::new(Arc::clone(&self.0), mount, service))
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

fn seconds() -> Histogram {
    Histogram::new(DURATIONS)
}

fn bytes() -> Histogram {
    Histogram::new(SIZES)
}
