//! A service in an actix-web `App`.
//!
//! Middleware and routing are those of the `App`. A [`Server`](crate::Server) needs no mounts of
//! its user's; it creates them itself.

use std::io;

use actix_web::dev::{AppService, HttpServiceFactory};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, web};
use docent_core::{Extensions, Service};
use docent_http::{Health, HttpOptions, MountedService};

use super::message::{read, request_id, send, slashes_of_mount};
use super::upload::AppUpload;

/// A service at a path of your `App`: `App::new().service(Mount::new("/rpc", service))`.
///
/// To mount several services, pass the mounts through [`Mount::together`], which puts them in the right
/// order. Serve your `App` with `HttpServer::h1_allow_half_closed(false)`: otherwise actix-web does not
/// notice when a caller disconnects, and idempotent calls keep running.
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
/// let app = init_service(App::new().service(Mount::new("/rpc", &service))).await;
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
    service: MountedService,
    forwards: Vec<Forward>,
    #[cfg(feature = "mcp")]
    is_for_agents: bool,
}

/// Copies a value of one type from a request of actix-web to the extensions of a call.
type Forward = fn(&actix_web::dev::Extensions, &mut Extensions);

impl Mount {
    /// Mounts `service` at `path`, such as `/rpc`. A trailing slash is ignored; an empty path is
    /// the root.
    pub fn new(path: impl Into<String>, service: &Service) -> Self {
        Self {
            service: MountedService::new(&path.into(), service),
            forwards: Vec::new(),
            #[cfg(feature = "mcp")]
            is_for_agents: false,
        }
    }

    /// Sorts several mounts for one `App` or scope so that requests reach each of them.
    ///
    /// actix-web passes a request to the first mount with a path that is a prefix of the address, so a
    /// mount at `/rpc/v2` must come before one at `/rpc`. This function does not know what else the
    /// `App` serves: do not mount a service at or below a path that is already registered.
    ///
    /// ```
    /// # use actix_web::App;
    /// # use docent::{Mount, Service};
    /// # fn mount(v1: &Service, v2: &Service) -> std::io::Result<()> {
    /// let mounts = Mount::together([Mount::new("/rpc", v1), Mount::new("/rpc/v2", v2)])?;
    /// let app = App::new().service(mounts);
    /// # let _ = app;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `InvalidInput` if no request can reach a mount: its path is invalid, another mount has the
    /// same path, or it is the address of a procedure.
    pub fn together(mounts: impl IntoIterator<Item = Self>) -> io::Result<Vec<Self>> {
        let mut mounts: Vec<_> = mounts.into_iter().collect();
        MountedService::check_paths(mounts.iter().map(|mount| &mount.service))?;
        mounts.sort_by_key(|mount| mount.service.order());
        Ok(mounts)
    }

    /// Sets the HTTP options, in place of the defaults.
    pub fn options(mut self, options: HttpOptions) -> Self {
        options.warn_of_server_options();
        self.service = self.service.options(options);
        self
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
    /// let mount = Mount::new("/rpc", &service).forward::<Tenant>();
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
        self.forwards.push(|from, to| {
            if let Some(value) = from.get::<T>() {
                to.insert(value.clone());
            }
        });
        self
    }

    /// Sets the link to the reference site, absolute or relative to the mount. Browsers that open the
    /// mount are redirected to it.
    pub fn documentation(mut self, link: &str) -> Self {
        self.service = self.service.documentation(link);
        self
    }

    /// Counts the calls of this mount, under its path.
    #[cfg(feature = "metrics")]
    pub fn metrics(mut self, metrics: &docent_http::Metrics) -> Self {
        self.service = self.service.metrics(metrics);
        self
    }

    /// Rejects calls once `health` reports that the server is shutting down.
    pub fn health(mut self, health: &Health) -> Self {
        self.service = self.service.health(health);
        self
    }
}

#[cfg(feature = "mcp")]
impl Mount {
    /// Creates a second mount, which offers the tools of the service to agents (MCP) at `path`. It copies
    /// the options of this mount, so set them before.
    ///
    /// ```
    /// use actix_web::App;
    /// use actix_web::test::{TestRequest, call_and_read_body_json, init_service};
    /// use docent::{Cx, Fault, Mount, Procedure, Service, json};
    ///
    /// # #[docent::main]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534613")
    ///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    ///     .build()?;
    /// let mount = Mount::new("/rpc", &service);
    /// let app = App::new().service(mount.mcp("/mcp")).service(mount);
    /// let app = init_service(app).await;
    /// let request = TestRequest::post().uri("/mcp").insert_header(("MCP-Protocol-Version", "2025-11-25"));
    /// let request = request.set_json(json!({
    ///     "jsonrpc": "2.0", "method": "tools/call", "params": {"name": "hello"}, "id": 1,
    /// }));
    /// let response: serde_json::Value = call_and_read_body_json(&app, request.to_request()).await;
    /// assert_eq!(response["result"]["structuredContent"]["result"], "hello");
    /// # Ok(())
    /// # }
    /// ```
    pub fn mcp(&self, path: impl Into<String>) -> Self {
        let mut mount = self.clone();
        mount.service.path = path.into();
        mount.is_for_agents = true;
        mount
    }
}

impl HttpServiceFactory for Mount {
    fn register(self, config: &mut AppService) {
        // There is no way to return an error here.
        if let Some(fault) = self.service.fault() {
            tracing::error!("{fault}");
        }
        #[cfg(feature = "mcp")]
        if self.is_for_agents {
            return web::resource(&*self.service.path)
                .route(web::to(serve))
                .app_data(web::Data::new(self))
                .register(config);
        }
        web::scope(&self.service.path)
            .app_data(web::Data::new(self))
            .default_service(web::to(serve))
            .register(config);
    }
}

async fn serve(
    request: HttpRequest,
    payload: web::Payload,
    mount: web::Data<Mount>,
) -> HttpResponse {
    let head = request.head();
    let endpoint = &mount.service.endpoint;
    let mut upload = AppUpload::new(head, payload.into_inner());
    let id = request_id(head);
    let forwarded = forwarded(&request, &mount.forwards);
    let mut request = read(head, slashes_of_mount(&request), id.clone());
    request.forwarded = forwarded.into();
    #[cfg(feature = "mcp")]
    let response = if mount.is_for_agents {
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

/// Returns the values that a mount passes on, if there is a list of them.
fn forwarded(request: &HttpRequest, forwards: &[Forward]) -> Option<Box<Extensions>> {
    (!forwards.is_empty()).then(|| {
        let attached = request.extensions();
        let mut extensions = Box::<Extensions>::default();
        for forward in forwards {
            forward(&attached, &mut extensions);
        }
        extensions
    })
}
