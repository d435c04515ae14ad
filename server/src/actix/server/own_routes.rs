//! Routes of one's own beside the services of a server: webhooks, files, pages.
//!
//! They are actix-web's own handlers, in an `App` for each worker. It gets the requests for addresses that no
//! service and no page of the server covers. How they are read and answered is not decided here, but in
//! `connection/own_exchange.rs`.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use actix_http::Request;
use actix_service::boxed::{self, BoxService};
use actix_service::{IntoServiceFactory as _, ServiceFactory as _, fn_service};
use actix_web::dev::{AppConfig, ServiceRequest, ServiceResponse};
use actix_web::web::ServiceConfig;
use actix_web::{App, Error, HttpResponse};
use tokio::sync::Semaphore;

use super::listener::Listener;
use super::settings::Server;
use crate::actix::mount_path::{MountPath, check_mistakes};

/// The functions that register routes.
#[derive(Clone, Default)]
pub(super) struct RouteFunctions(Vec<Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>>);

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

impl Server {
    /// Adds routes of your own beside the services, such as a webhook, a file or a page. They are those of
    /// actix-web, and `configure` is called once for each worker and listener. Several calls add up.
    ///
    /// The server's own addresses take precedence, and a page at `/` takes the place of the redirect to the
    /// reference site. See the [guide](crate::guide::own_routes) for what the server does for these routes.
    ///
    /// ```
    /// use actix_web::{HttpResponse, web};
    /// use docent_server::{Server, Service};
    ///
    /// async fn paid(event: web::Bytes) -> HttpResponse {
    ///     println!("{} bytes", event.len());
    ///     HttpResponse::NoContent().finish()
    /// }
    ///
    /// # fn server(service: Service) -> Server {
    /// Server::new(service).configure(|routes| {
    ///     routes.route("/hooks/paid", web::post().to(paid));
    /// })
    /// # }
    /// ```
    pub fn configure(
        mut self,
        configure: impl Fn(&mut ServiceConfig) + Send + Sync + 'static,
    ) -> Self {
        self.own_routes.0.push(Arc::new(configure));
        self
    }

    /// Returns the routes of one's own, if there are any.
    ///
    /// # Errors
    /// No request could reach them.
    pub(super) fn own_routes(&self) -> io::Result<Option<OwnRoutes>> {
        if self.own_routes.0.is_empty() {
            return Ok(None);
        }
        let root = MountPath::new("/");
        let mut paths = self.services.iter().map(|(path, _)| MountPath::new(path));
        if paths.any(|path| path.is_same_as(&root)) {
            check_mistakes(&[
                "no request could reach the routes of `Server::configure`, because a service is \
                 mounted at \"/\""
                    .to_owned(),
            ])?;
        }
        let (_, first) = &self.services[0];
        let permits = first
            .limits()
            .max_concurrent_calls
            .min(Semaphore::MAX_PERMITS);
        Ok(Some(OwnRoutes {
            functions: self.own_routes.clone(),
            permits: Arc::new(Semaphore::new(permits)),
        }))
    }
}

impl OwnRoutes {
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

/// Returns what handlers can learn about a listener.
pub(super) fn app_config(listener: &Listener) -> io::Result<AppConfig> {
    // For a Unix socket, as actix-web has it.
    let unknown = SocketAddr::from((Ipv4Addr::LOCALHOST, 8080));
    let address = listener.address()?.unwrap_or(unknown);
    // The only way to create one outside of actix-web, which `actix-test` uses, too.
    Ok(AppConfig::__priv_test_new(
        listener.is_secure(),
        address.to_string(),
        address,
    ))
}
