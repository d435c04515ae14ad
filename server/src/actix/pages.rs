//! The pages that a server has besides its services, as services of your own `App`.

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpRequest, HttpResponse, web};
#[cfg(feature = "metrics")]
use docent_http::HttpOptions;
use docent_http::request::Request;
use docent_http::response::Response;

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
    let id = request_id(request.head());
    send(
        request.head(),
        page(&read(
            request.head(),
            slashes_of_mount(&request),
            id.clone(),
        ))
        .await,
        None,
        &id,
    )
}

impl HttpServiceFactory for Health {
    fn register(self, config: &mut AppService) {
        let respond = async |request, health: web::Data<Self>| {
            serve(request, async |request| health.respond(request).await).await
        };
        web::resource("/health")
            .app_data(web::Data::new(self))
            .route(web::to(respond))
            .register(config);
    }
}

#[cfg(feature = "metrics")]
impl HttpServiceFactory for Metrics {
    fn register(self, config: &mut AppService) {
        let respond = async |request, metrics: web::Data<Self>| {
            let page =
                async |request: &Request<'_>| metrics.respond(request, &HttpOptions::default());
            serve(request, page).await
        };
        web::resource("/metrics")
            .app_data(web::Data::new(self))
            .route(web::to(respond))
            .register(config);
    }
}

#[cfg(feature = "docs")]
impl HttpServiceFactory for Docs {
    fn register(self, config: &mut AppService) {
        let respond = async |request, docs: web::Data<Self>| {
            serve(request, async |request| docs.respond(request).await).await
        };
        web::scope(self.path())
            .app_data(web::Data::new(self))
            .default_service(web::to(respond))
            .register(config);
    }
}
