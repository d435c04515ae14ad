//! The pages that a server has besides its services, each at its own path.

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpRequest, HttpResponse, web};

#[cfg(any(feature = "docs", feature = "metrics"))]
use super::message::read;
use super::message::{method, send};
use crate::contract::response::{Response, Status};
use crate::health::Health;

/// Responds to a request for an address that does not exist.
pub(super) async fn nowhere(request: HttpRequest) -> HttpResponse {
    send(&request, Response::new(Status::NOT_FOUND))
}

impl HttpServiceFactory for Health {
    fn register(self, config: &mut AppService) {
        async fn serve(request: HttpRequest, health: web::Data<Health>) -> HttpResponse {
            send(&request, health.respond(method(&request)))
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
            send(&request, page.respond(&read(&request)))
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
            send(&request, docs.respond(&read(&request)))
        }
        let path = self.path().to_owned();
        web::scope(&path)
            .app_data(web::Data::new(self))
            .default_service(web::to(serve))
            .register(config);
    }
}
