//! Services in an actix-web `App`, without any page.
//!
//! Middleware and routing are those of the `App`, so that a path can be a pattern, and handlers can read extensions that
//! middleware sets. [`AppRoutes`](crate::AppRoutes) has all addresses.

use std::io;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpRequest, HttpResponse, web};
use docent_http::{Endpoint, Health, MountedService, Mounts, Routes};

use super::forward::Forwards;
use super::message::{read, request_id, send, slashes_of_mount};
use super::upload::AppUpload;

/// The services of [`Routes`] and their tools in your `App`, without pages and documents. A path may be a pattern, such as
/// `/{tenant}/rpc`.
///
/// It does not know what else the `App` serves: do not mount a service at or below a path that is already registered.
/// Serve your `App` with `HttpServer::h1_allow_half_closed(false)`: otherwise actix-web does not notice when a caller
/// disconnects, and idempotent calls keep running.
///
/// ```
/// use actix_web::App;
/// use actix_web::test::{TestRequest, call_and_read_body, init_service};
/// use docent::{Cx, Fault, Mount, Procedure, Service};
///
/// # #[docent::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534602")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).idempotent())
///     .build()?;
/// let app = init_service(App::new().service(Mount::new(service)?)).await;
/// let request = TestRequest::get().uri("/rpc/hello").to_request();
/// assert_eq!(
///     call_and_read_body(&app, request).await,
///     r#"{"jsonrpc":"2.0","result":"hello","id":null}"#
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Mount {
    mounts: Mounts,
    forwards: Forwards,
}

impl Mount {
    /// Checks the settings, and mounts the services, ordered so that none hides another. A service alone is at `/rpc`.
    ///
    /// # Errors
    /// `InvalidInput` if no request can reach a service, because its path is taken, invalid, or the address of
    /// a procedure, or if a setting for hosts, origins or tools is invalid.
    pub fn new(routes: impl Into<Routes>) -> io::Result<Self> {
        Ok(Self {
            mounts: Mounts::new(&routes.into().without_upgrades())?,
            forwards: Forwards::default(),
        })
    }

    /// Copies the value of type `T` that a middleware has put into the extensions of a request. Handlers
    /// get it with [`Cx::extension`](crate::Cx::extension), or `None` if the request has no such value.
    /// Call this once for each type.
    ///
    /// ```
    /// use actix_web::dev::Service as _;
    /// use actix_web::test::{TestRequest, call_and_read_body, init_service};
    /// use actix_web::{App, HttpMessage};
    /// use docent::{Cx, Fault, Mount, Procedure, Service};
    ///
    /// #[derive(Clone)]
    /// struct Tenant(&'static str);
    ///
    /// # #[docent::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tenant = |cx: Cx, (): ()| Ok::<_, Fault>(cx.extension::<Tenant>().map(|tenant| tenant.0));
    /// let service = Service::builder("tenants", "urn:uuid:41544946-415a-495a-5645-454441534610")
    ///     .procedure(Procedure::sync("tenant", tenant).idempotent())
    ///     .build()?;
    /// let mount = Mount::new(service)?.forward::<Tenant>();
    /// let app = App::new().service(mount).wrap_fn(|request, next| {
    ///     request.extensions_mut().insert(Tenant("acme"));
    ///     next.call(request)
    /// });
    /// let app = init_service(app).await;
    /// let request = TestRequest::get().uri("/rpc/tenant").to_request();
    /// assert_eq!(
    ///     call_and_read_body(&app, request).await,
    ///     r#"{"jsonrpc":"2.0","result":"acme","id":null}"#
    /// );
    /// # Ok(())
    /// # }
    /// ```
    pub fn forward<T: Clone + Send + Sync + 'static>(mut self) -> Self {
        self.forwards.add::<T>();
        self
    }

    /// Sets the link to the reference site, absolute or relative to each mount. Browsers that open a
    /// mount are redirected to it.
    pub fn documentation(mut self, link: &str) -> Self {
        for service in &mut self.mounts.services {
            service.endpoint.documentation = Some(link.into());
        }
        self
    }

    /// Returns the health. Serve it with an [`AppPage`](crate::AppPage), and call
    /// [`Health::begin_shutdown`] on it when your server shuts down, so that calls are rejected.
    pub fn health(&self) -> &Health {
        &self.mounts.health
    }
}

impl HttpServiceFactory for Mount {
    fn register(self, config: &mut AppService) {
        #[cfg(feature = "mcp")]
        for MountedService { path, endpoint } in self.mounts.tools {
            let mounted = Mounted {
                endpoint,
                forwards: self.forwards.clone(),
                is_for_agents: true,
            };
            web::resource(path)
                .app_data(web::Data::new(mounted))
                .route(web::to(serve))
                .register(config);
        }
        for MountedService { path, endpoint } in self.mounts.services {
            let mounted = Mounted {
                endpoint,
                forwards: self.forwards.clone(),
                #[cfg(feature = "mcp")]
                is_for_agents: false,
            };
            web::scope(&path)
                .app_data(web::Data::new(mounted))
                .default_service(web::to(serve))
                .register(config);
        }
    }
}

/// A service, or its tools, with the values that it is passed.
struct Mounted {
    endpoint: Endpoint,
    forwards: Forwards,
    #[cfg(feature = "mcp")]
    is_for_agents: bool,
}

async fn serve(
    request: HttpRequest,
    payload: web::Payload,
    mounted: web::Data<Mounted>,
) -> HttpResponse {
    let head = request.head();
    let endpoint = &mounted.endpoint;
    let mut upload = AppUpload::new(head, payload.into_inner());
    let id = request_id(head);
    let forwarded = mounted.forwards.values(&request);
    let mut request = read(head, slashes_of_mount(&request), id.clone());
    request.forwarded = forwarded.into();
    #[cfg(feature = "mcp")]
    let response = if mounted.is_for_agents {
        // In a box of its own, so that calls do not carry it.
        Box::pin(endpoint.respond_mcp(request, &mut upload)).await
    } else {
        endpoint.respond(request, &mut upload).await
    };
    #[cfg(not(feature = "mcp"))]
    let response = endpoint.respond(request, &mut upload).await;
    let rest = upload.rest(response.after, &endpoint.options);
    send(head, response, rest, &id)
}
