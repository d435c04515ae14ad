//! The counts over HTTP.

use std::sync::Arc;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};

use super::Metrics;
use crate::actix::{empty, offer};
use crate::contract;
use crate::options::HttpOptions;

/// What OpenMetrics 1.0 calls its text.
const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// `/metrics`, for the hosts that the server is for.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    metrics: Metrics,
    options: Arc<HttpOptions>,
}

impl Page {
    pub(crate) fn new(metrics: Metrics, options: Arc<HttpOptions>) -> Self {
        Self { metrics, options }
    }
}

async fn serve(request: HttpRequest, page: web::Data<Page>) -> HttpResponse {
    offer::closing(offer::is_made(&request), answer(&request, &page))
}

fn answer(request: &HttpRequest, page: &Page) -> HttpResponse {
    if !page.options.accepts_host(request) {
        return contract::misdirected();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refusal = HttpResponse::MethodNotAllowed();
        let refusal = refusal.insert_header((header::ALLOW, "GET, HEAD")).finish();
        return empty::held_back(refusal);
    }
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, CONTENT_TYPE))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(page.metrics.text())
}

impl HttpServiceFactory for Page {
    fn register(self, config: &mut AppService) {
        web::resource("/metrics")
            .app_data(web::Data::new(self))
            .route(web::to(serve))
            .register(config);
    }
}

impl HttpServiceFactory for Metrics {
    fn register(self, config: &mut AppService) {
        Page::new(self, Arc::default()).register(config);
    }
}
