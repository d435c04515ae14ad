//! The metrics over HTTP.

use std::sync::Arc;

use docent_http::HttpOptions;
use docent_http::pieces::Body;
use docent_http::refusal;
use docent_http::request::Request;
use docent_http::response::Response;
use http::{StatusCode, header};

use super::Metrics;

/// The media type of OpenMetrics 1.0 text.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The page `/metrics`, for the hosts that the server serves.
#[derive(Debug, Clone)]
pub(crate) struct MetricsPage {
    metrics: Metrics,
    options: Arc<HttpOptions>,
}

impl MetricsPage {
    pub(crate) fn new(metrics: Metrics, options: Arc<HttpOptions>) -> Self {
        Self { metrics, options }
    }

    /// Responds to any request for `/metrics`.
    pub(crate) fn respond(&self, request: &Request<'_>) -> Response {
        if !self.options.accepts_host(request) {
            return refusal::misdirected();
        }
        if !request.is_read() {
            return Response::read_only();
        }
        Response::new(StatusCode::OK)
            .content(CONTENT_TYPE, Body::Whole(self.metrics.text().into()))
            .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .with(header::CACHE_CONTROL, "no-store")
    }
}
