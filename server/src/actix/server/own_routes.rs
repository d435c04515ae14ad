//! Routes of one's own beside the services of a server: webhooks, files, pages.
//!
//! They are actix-web's own handlers, in an `App` for each worker. It gets the requests for addresses that no
//! service and no page of the server covers, and says with 405 or a mark that none of its routes is for a request. How
//! requests are read and answered is decided in `connection/own_exchange.rs`.

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
use actix_web::http::Method;
use actix_web::http::header::{ALLOW, HeaderMap, HeaderValue};
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

/// The pattern of the resource that responds where no route does. No user writes this name.
pub(super) const ANY_PATH: &str = "/{docent_unlisted:.*}";

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
        if table
            .services()
            .iter()
            .any(|mounted| mounted.path.is_empty())
        {
            let mistake = "no request could reach the routes of `Server::configure`, because a \
                           service is mounted at \"/\"";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, mistake));
        }
        let max_requests = table
            .first()
            .service
            .limits()
            .max_concurrent_calls
            .min(Semaphore::MAX_PERMITS);
        Ok(Some(Self {
            functions: functions.clone(),
            permits: Arc::new(Semaphore::new(max_requests)),
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
/// path is listed with other methods only, and otherwise with the mark [`NoRoute`]. actix-web knows these methods,
/// because it has tried them one after the other.
fn unlisted(is_default: Rc<Cell<bool>>) -> impl HttpServiceFactory {
    web::resource(ANY_PATH)
        .guard(fn_guard(move |_| is_default.get()))
        .wrap_fn(|request, next| {
            let method = request.method().clone();
            next.call(request).map_ok(move |mut response| {
                if !lists_only_others(response.headers(), &method) {
                    response.response_mut().extensions_mut().insert(NoRoute);
                }
                response
            })
        })
}

/// Returns whether `Allow` lists methods, and this one is not among them. If it is, another guard has refused.
fn lists_only_others(headers: &HeaderMap, method: &Method) -> bool {
    match headers.get(ALLOW).map(HeaderValue::to_str) {
        Some(Ok(methods)) => !methods.split(", ").any(|listed| listed == method.as_str()),
        _ => false,
    }
}

async fn respond_without_route(request: ServiceRequest) -> Result<ServiceResponse, Error> {
    let mut response = HttpResponse::NotFound().finish();
    response.extensions_mut().insert(NoRoute);
    Ok(request.into_response(response))
}
