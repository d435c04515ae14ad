//! Routes of one's own beside the services of a server: webhooks, files, pages.
//!
//! They are actix-web's own handlers, in an `App` for each worker. It gets the requests for addresses that no
//! service and no page of the server covers. How they are read and answered is not decided here, but in
//! `connection/own_exchange.rs`.

use std::cell::Cell;
use std::fmt;
use std::future::ready;
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use actix_http::Request;
use actix_service::boxed::{self, BoxService};
use actix_service::{
    IntoServiceFactory as _, Service as _, ServiceFactory as _, fn_factory, fn_service,
};
use actix_web::dev::{AppConfig, HttpServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::guard::fn_guard;
use actix_web::http::header::ALLOW;
use actix_web::web::{self, ServiceConfig};
use actix_web::{App, Error, HttpResponse};
use docent_http::RouteTable;
use futures_util::TryFutureExt as _;
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

/// The pattern of the resource that responds where no route does.
pub(super) const ANY_PATH: &str = "/{any:.*}";

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

    /// Creates the service of a worker.
    pub(super) async fn app(&self) -> Result<OwnApp, ()> {
        let is_default = Rc::new(Cell::new(false));
        let used = Rc::clone(&is_default);
        // The default service is only created if no function has set another.
        let default = fn_factory(move || {
            used.set(true);
            ready(Ok::<_, ()>(fn_service(respond_without_route)))
        });
        let mut app = App::new().default_service(default);
        for configure in &self.functions.0 {
            app = app.configure(|routes| configure(routes));
        }
        let app = app.service(unlisted(is_default));
        let service = app.into_factory().new_service(AppConfig::default()).await;
        Ok(OwnApp {
            service: boxed::service(service?),
            permits: Arc::clone(&self.permits),
        })
    }
}

/// Responds to requests that no route before it accepts, unless the user has set a default service: with 405 if their
/// path is listed with other methods. actix-web knows these methods, because it has tried them one after the other.
fn unlisted(is_default: Rc<Cell<bool>>) -> impl HttpServiceFactory {
    web::resource(ANY_PATH)
        .guard(fn_guard(move |_| is_default.get()))
        .wrap_fn(|request, next| {
            next.call(request).map_ok(|mut response| {
                if !response.headers().contains_key(ALLOW) {
                    response.response_mut().extensions_mut().insert(NoRoute);
                }
                response
            })
        })
}

async fn respond_without_route(request: ServiceRequest) -> Result<ServiceResponse, Error> {
    let mut response = HttpResponse::NotFound().finish();
    response.extensions_mut().insert(NoRoute);
    Ok(request.into_response(response))
}
