//! Routes of one's own beside the services of a server: webhooks, files, pages.
//!
//! They are actix-web's own handlers, in an `App` for each worker. It gets the requests for addresses that no
//! service and no page of the server covers. How they are read and answered is not decided here, but in
//! `connection/own_exchange.rs`.

use std::fmt;
use std::io;
use std::sync::Arc;

use actix_http::Request;
use actix_service::boxed::{self, BoxService};
use actix_service::{IntoServiceFactory as _, ServiceFactory as _, fn_service};
use actix_web::dev::{AppConfig, ServiceRequest, ServiceResponse};
use actix_web::web::ServiceConfig;
use actix_web::{App, Error, HttpResponse};
use docent_http::RouteTable;
use tokio::sync::Semaphore;

/// Registers routes.
type RouteFunction = dyn Fn(&mut ServiceConfig) + Send + Sync;

/// The functions that register routes.
#[derive(Clone, Default)]
pub(super) struct RouteFunctions(Vec<Arc<RouteFunction>>);

impl fmt::Debug for RouteFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RouteFunctions")
            .field(&self.0.len())
            .finish()
    }
}

/// The routes of a server, before its workers have services for them.
#[derive(Clone)]
pub(super) struct OwnRoutes {
    functions: RouteFunctions,
    permits: Arc<Semaphore>,
}

/// The routes of a server, as a worker serves them.
pub(super) struct OwnApp {
    pub(super) service: BoxService<Request, ServiceResponse, Error>,
    /// Permits for requests that are being served, which all workers share.
    pub(super) permits: Arc<Semaphore>,
}

/// Marks the response to a request for which there is no route.
pub(super) struct NoRoute;

impl RouteFunctions {
    /// Adds a function.
    pub(super) fn push(&mut self, configure: impl Fn(&mut ServiceConfig) + Send + Sync + 'static) {
        self.0.push(Arc::new(configure));
    }
}

impl OwnRoutes {
    /// Creates the routes that functions register beside the services of a table. `None` if there are no functions.
    ///
    /// # Errors
    /// No request could reach the routes.
    pub(super) fn new(functions: &RouteFunctions, table: &RouteTable) -> io::Result<Option<Self>> {
        if functions.0.is_empty() {
            return Ok(None);
        }
        let mut services = table.services().iter();
        if services.any(|mounted| mounted.path.is_empty()) {
            let mistake = "no request could reach the routes of `Server::configure`, because a \
                           service is mounted at \"/\"";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, mistake));
        }
        let requests = table.first().service.limits().max_concurrent_calls;
        Ok(Some(Self {
            functions: functions.clone(),
            permits: Arc::new(Semaphore::new(requests.min(Semaphore::MAX_PERMITS))),
        }))
    }

    /// Creates the service of a worker for connections to a listener.
    pub(super) async fn app(&self, config: AppConfig) -> Result<OwnApp, ()> {
        let mut app = App::new().default_service(fn_service(respond_without_route));
        for configure in &self.functions.0 {
            app = app.configure(|routes| configure(routes));
        }
        let service = app.into_factory().new_service(config).await;
        Ok(OwnApp {
            service: boxed::service(service?),
            permits: Arc::clone(&self.permits),
        })
    }
}

async fn respond_without_route(request: ServiceRequest) -> Result<ServiceResponse, Error> {
    let mut response = HttpResponse::NotFound().finish();
    response.extensions_mut().insert(NoRoute);
    Ok(request.into_response(response))
}
