//! The pages that a server has besides its services, as services of your own `App`.

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpRequest, HttpResponse, web};

use super::message::{method, send};
#[cfg(any(feature = "docs", feature = "metrics"))]
use super::message::{read, slashes_of_mount};
use crate::contract::response::Response;
use crate::health::Health;

fn respond(request: &HttpRequest, response: Response) -> HttpResponse {
    send(request.head(), response)
        .map_body(|_, body| body.boxed())
        .into()
}

#[cfg(any(feature = "docs", feature = "metrics"))]
fn below(request: &HttpRequest) -> crate::contract::request::Request<'_> {
    read(request.head(), slashes_of_mount(request))
}

impl HttpServiceFactory for Health {
    fn register(self, config: &mut AppService) {
        async fn serve(request: HttpRequest, health: web::Data<Health>) -> HttpResponse {
            respond(&request, health.respond(method(request.head())))
        }
        web::resource("/health")
            .app_data(web::Data::new(self))
            .route(web::to(serve))
            .register(config);
    }
}

#[cfg(feature = "metrics")]
impl HttpServiceFactory for crate::metrics::Page {
    fn register(self, config: &mut AppService) {
        async fn serve(
            request: HttpRequest,
            page: web::Data<crate::metrics::Page>,
        ) -> HttpResponse {
            respond(&request, page.respond(&below(&request)))
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
        crate::metrics::Page::new(self, std::sync::Arc::default()).register(config);
    }
}

#[cfg(feature = "docs")]
impl HttpServiceFactory for crate::docs::Docs {
    fn register(self, config: &mut AppService) {
        async fn serve(request: HttpRequest, docs: web::Data<crate::docs::Docs>) -> HttpResponse {
            respond(&request, docs.respond(&below(&request)))
        }
        let path = self.path().to_owned();
        web::scope(&path)
            .app_data(web::Data::new(self))
            .default_service(web::to(serve))
            .register(config);
    }
}
