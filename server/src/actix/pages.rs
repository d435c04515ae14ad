//! Everything that a server serves, as services of your own `App`.
//!
//! A [`Server`](crate::Server) serves the same without this. What is served is made where each part
//! is defined.

use std::io;
use std::sync::Arc;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpRequest, HttpResponse, web};
use docent_http::{Health, HttpPage, RouteTable, Routes};

use super::forward::Forwards;
use super::message::{read, request_id, send, slashes_of_mount};
use super::upload::AppUpload;

/// All addresses of a [`Server`](crate::Server) in your `App`: services, reference site, documents, tools for agents and
/// `/health`.
///
/// ```
/// use actix_web::App;
/// use actix_web::test::{TestRequest, call_service, init_service};
/// use docent::{AppRoutes, Cx, Fault, Procedure, Service};
///
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534615")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).idempotent())
///     .build()?;
/// let routes = AppRoutes::new(service)?;
/// let app = init_service(App::new().service(routes)).await;
/// for path in ["/rpc/hello", "/docs/", "/openapi.json", "/health"] {
///     let response = call_service(&app, TestRequest::get().uri(path).to_request()).await;
///     assert_eq!(response.status(), 200, "{path}");
/// }
/// # Ok(())
/// # }
/// ```
///
/// Create it once, and give each worker's `App` a clone. actix-web tries services in the order of registration: to
/// replace the redirect from `/` to the reference site, register your own route at `/` first. Serve your `App` with
/// `HttpServer::h1_allow_half_closed(false)`, as for a [`Mount`](crate::Mount).
#[derive(Debug, Clone)]
pub struct AppRoutes {
    table: Arc<RouteTable>,
    forwards: Forwards,
}

impl AppRoutes {
    /// Checks the settings, and builds the routes. A service alone is at `/rpc`.
    ///
    /// # Errors
    /// `InvalidInput` if no request can reach a service, because its path is taken, invalid, or the address of
    /// a procedure, or if a setting for hosts, origins or tools is invalid. `Other` if the site has problems.
    pub fn new(routes: impl Into<Routes>) -> io::Result<Self> {
        Ok(Self {
            table: Arc::new(RouteTable::new(&routes.into().without_upgrades())?),
            forwards: Forwards::default(),
        })
    }

    /// Copies the value of type `T` that a middleware has put into the extensions of a request, as
    /// [`Mount::forward`](crate::Mount::forward) does.
    pub fn forward<T: Clone + Send + Sync + 'static>(mut self) -> Self {
        self.forwards.add::<T>();
        self
    }

    /// Returns the health of the routes. When your server shuts down, call
    /// [`Health::begin_shutdown`](crate::Health::begin_shutdown) on it.
    pub fn health(&self) -> &Health {
        self.table.health()
    }
}

impl HttpServiceFactory for AppRoutes {
    fn register(self, config: &mut AppService) {
        for (path, is_tree) in self.table.paths() {
            let path = if is_tree {
                path.trim_end_matches('/')
            } else {
                &path
            };
            let data = web::Data::new(AppRoute {
                table: Arc::clone(&self.table),
                forwards: self.forwards.clone(),
                slashes: path.matches('/').count(),
            });
            if is_tree {
                web::scope(path)
                    .app_data(data)
                    .default_service(web::to(serve_route))
                    .register(config);
            } else {
                web::resource(path)
                    .app_data(data)
                    .route(web::to(serve_route))
                    .register(config);
            }
        }
    }
}

/// The table, and the path at which a handler asks it.
struct AppRoute {
    table: Arc<RouteTable>,
    forwards: Forwards,
    /// The number of slashes in the path.
    slashes: usize,
}

async fn serve_route(
    request: HttpRequest,
    payload: web::Payload,
    route: web::Data<AppRoute>,
) -> HttpResponse {
    let head = request.head();
    let mut upload = AppUpload::new(head, payload.into_inner());
    let id = request_id(head);
    let mut read = read(head, 0, id.clone());
    // The scopes of the `App` around the routes.
    let scopes = slashes_of_mount(&request).saturating_sub(route.slashes);
    read.target.split_prefix(scopes);
    read.forwarded = route.forwards.values(&request).into();
    let response = route.table.respond(read, &mut upload).await;
    let rest = upload.rest(response.after, &route.table.first().options);
    send(head, response, rest, &id)
}

/// One page of a server in your `App`: its [`Health`], [`Metrics`](crate::Metrics) or reference site
/// ([`Docs`](crate::Docs)), each at its own path.
///
/// ```
/// use actix_web::App;
/// use docent::{AppPage, Health};
///
/// let health = Health::new();
/// let app = App::new().service(AppPage(health.clone()));
/// # let _ = app;
/// ```
#[derive(Debug, Clone)]
pub struct AppPage<P>(pub P);

impl<P: HttpPage + 'static> HttpServiceFactory for AppPage<P> {
    fn register(self, config: &mut AppService) {
        let path = self.0.path().to_owned();
        let is_tree = self.0.is_tree();
        let data = web::Data::new(self);
        if is_tree {
            web::scope(&path)
                .app_data(data)
                .default_service(web::to(serve_page::<P>))
                .register(config);
        } else {
            web::resource(path)
                .app_data(data)
                .route(web::to(serve_page::<P>))
                .register(config);
        }
    }
}

async fn serve_page<P: HttpPage>(
    request: HttpRequest,
    page: web::Data<AppPage<P>>,
) -> HttpResponse {
    let head = request.head();
    let id = request_id(head);
    let read = read(head, slashes_of_mount(&request), id.clone());
    send(head, page.0.respond(&read).await, None, &id)
}
