//! The pages that a server has besides its services, as services of your own `App`.
//!
//! A [`Server`](crate::Server) serves them without this. Their content is made where each page is
//! defined.

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpRequest, HttpResponse, web};
#[cfg(feature = "metrics")]
use docent_http::HttpOptions;
use docent_http::Request;
use docent_http::Response;

use super::message::{read, request_id, send, slashes_of_mount};
#[cfg(feature = "docs")]
use crate::docs::Docs;
use crate::health::Health;
#[cfg(feature = "metrics")]
use crate::metrics::Metrics;

/// Responds to a request for a page.
async fn serve(
    request: HttpRequest,
    page: impl AsyncFnOnce(&Request<'_>) -> Response,
) -> HttpResponse {
    let head = request.head();
    let id = request_id(head);
    let read = read(head, slashes_of_mount(&request), id.clone());
    send(head, page(&read).await, None, &id)
}

async fn serve_health(request: HttpRequest, health: web::Data<Health>) -> HttpResponse {
    serve(request, async |request| health.respond(request).await).await
}

#[cfg(feature = "metrics")]
async fn serve_metrics(request: HttpRequest, metrics: web::Data<Metrics>) -> HttpResponse {
    serve(request, async |request| {
        metrics.respond(request, &HttpOptions::default())
    })
    .await
}

#[cfg(feature = "docs")]
async fn serve_docs(request: HttpRequest, docs: web::Data<Docs>) -> HttpResponse {
    serve(request, async |request| docs.respond(request).await).await
}

impl HttpServiceFactory for Health {
    fn register(self, config: &mut AppService) {
        web::resource("/health")
            .app_data(web::Data::new(self))
            .route(web::to(serve_health))
            .register(config);
    }
}

#[cfg(feature = "metrics")]
impl HttpServiceFactory for Metrics {
    fn register(self, config: &mut AppService) {
        web::resource("/metrics")
            .app_data(web::Data::new(self))
            .route(web::to(serve_metrics))
            .register(config);
    }
}

#[cfg(feature = "docs")]
impl HttpServiceFactory for Docs {
    fn register(self, config: &mut AppService) {
        web::scope(self.path())
            .app_data(web::Data::new(self))
            .default_service(web::to(serve_docs))
            .register(config);
    }
}
