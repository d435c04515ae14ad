//! Whether the server takes calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::http::{Method, header};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::actix::{empty, offer};

/// `/health`: 200 while the server accepts calls, 503 once it is shutting down.
#[derive(Debug, Clone, Default)]
pub struct Health {
    leaving: Arc<AtomicBool>,
}

impl Health {
    /// Creates the health of a server that accepts calls.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports that the server is shutting down.
    pub fn leave(&self) {
        self.leaving.store(true, Ordering::SeqCst);
    }

    /// Returns whether the server is shutting down.
    pub fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::SeqCst)
    }

    fn answer(&self) -> HttpResponse {
        let (mut response, status) = if self.is_leaving() {
            (
                HttpResponse::ServiceUnavailable(),
                r#"{"status":"leaving"}"#,
            )
        } else {
            (HttpResponse::Ok(), r#"{"status":"ok"}"#)
        };
        response
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .content_type("application/json")
            .body(status)
    }
}

async fn serve(request: HttpRequest, health: web::Data<Health>) -> HttpResponse {
    let response = match *request.method() {
        Method::GET | Method::HEAD => health.answer(),
        _ => empty::held_back(
            HttpResponse::MethodNotAllowed()
                .insert_header((header::ALLOW, "GET, HEAD"))
                .finish(),
        ),
    };
    offer::closing(offer::is_made(&request) || health.is_leaving(), response)
}

impl HttpServiceFactory for Health {
    fn register(self, config: &mut AppService) {
        web::resource("/health")
            .app_data(web::Data::new(self))
            .route(web::to(serve))
            .register(config);
    }
}
