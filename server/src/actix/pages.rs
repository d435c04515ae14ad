//! The pages that a server has besides its services, as services of your own `App`.

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpRequest, HttpResponse, web};
use docent_core::RequestId;
#[cfg(any(feature = "docs", feature = "metrics"))]
use docent_http::request::Request;
use docent_http::response::Response;
#[cfg(feature = "docs")]
use http::StatusCode;

use super::message::{method, request_id, send};
#[cfg(any(feature = "docs", feature = "metrics"))]
use super::message::{read, slashes_of_mount};
#[cfg(feature = "docs")]
use crate::docs::Docs;
use crate::health::Health;

fn respond(request: &HttpRequest, response: Response, id: &RequestId) -> HttpResponse {
    send(request.head(), response, None, id)
}

#[cfg(any(feature = "docs", feature = "metrics"))]
fn below<'r>(request: &'r HttpRequest, id: &RequestId) -> Request<'r> {
    read(request.head(), slashes_of_mount(request), id.clone())
}

impl HttpServiceFactory for Health {
    fn register(self, config: &mut AppService) {
        async fn serve(request: HttpRequest, health: web::Data<Health>) -> HttpResponse {
            let id = request_id(request.head());
            respond(&request, health.respond(&method(request.head())).await, &id)
        }
        web::resource("/health")
            .app_data(web::Data::new(self))
            .route(web::to(serve))
            .register(config);
    }
}

#[cfg(feature = "metrics")]
impl HttpServiceFactory for crate::metrics::MetricsPage {
    fn register(self, config: &mut AppService) {
        async fn serve(
            request: HttpRequest,
            page: web::Data<crate::metrics::MetricsPage>,
        ) -> HttpResponse {
            let id = request_id(request.head());
            respond(&request, page.respond(&below(&request, &id)), &id)
        }
        web::resource("/metrics")
            .app_data(web::Data::new(self))
            .route(web::to(serve))
            .register(config);
    }
}

#[cfg(feature = "metrics")]
impl HttpServiceFactory for crate::metrics::Metrics {
    fn register(self, config: &mut AppService) {
        crate::metrics::MetricsPage::new(self, std::sync::Arc::default()).register(config);
    }
}

/// Returns the response to a request for a page of the reference site. A page that is requested for
/// the first time is rendered on another thread, so that the worker can answer calls.
#[cfg(feature = "docs")]
pub(super) async fn page(docs: &Docs, request: &Request<'_>) -> Response {
    if let Some(refusal) = docs.refusal(request).await {
        return refusal;
    }
    if let Some(rendering) = docs.rendering(request)
        && web::block(rendering).await.is_err()
    {
        return Response::new(StatusCode::INTERNAL_SERVER_ERROR);
    }
    docs.respond(request)
}

#[cfg(feature = "docs")]
impl HttpServiceFactory for Docs {
    fn register(self, config: &mut AppService) {
        async fn serve(request: HttpRequest, docs: web::Data<Docs>) -> HttpResponse {
            let id = request_id(request.head());
            respond(&request, page(&docs, &below(&request, &id)).await, &id)
        }
        let path = self.path().to_owned();
        web::scope(&path)
            .app_data(web::Data::new(self))
            .default_service(web::to(serve))
            .register(config);
    }
}
