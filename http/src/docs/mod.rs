//! The reference site, served live from the descriptions of the services themselves.
//!
//! ```text
//! GET /docs/books/index.html ─► serve ─► the guards of rpc.describe ─► pages ─► Site of docent-docs-gen
//!                                                                       └ rendered and compressed once
//! ```
//!
//! `docent-docs-gen` plans the site and makes its pages. Here a page is rendered when somebody first asks for it, kept
//! compressed with a hash of its text ([`pages`]), and sent to those who may see the descriptions ([`serve`]). Rendering
//! all pages at the start would be simpler, and make a service of a thousand procedures wait for pages that nobody reads.
//!
//! A site is an [`HttpPage`], like any other page of a host. Where it is mounted, and what the settings of a host add to it,
//! is up to [`routes`](crate::routes).

mod pages;
mod serve;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use docent_core::Service;
use docent_describe::ServiceDescription;
use docent_docs_gen::{Download, PLACEHOLDER_ORIGIN, Problem, Site, SiteBuilder};
use percent_encoding::{CONTROLS, utf8_percent_encode};

use pages::Pages;

use crate::options::HttpOptions;
use crate::page::HttpPage;
use crate::request::Request;
use crate::response::Response;
use crate::runtime::TokioRuntime;

/// The reference site of one or more services, for a host that serves it separately. [`Routes`](crate::Routes)
/// include it.
///
/// ```
/// use docent::{Cx, Docs, Fault, Procedure, Service};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534605")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let docs = Docs::builder("/docs", "/rpc", &service)
///     .customise(|site| site.title("Greetings"))
///     .build()
///     .map_err(|problems| format!("{problems:?}"))?;
/// assert!(docs.site().page("hello.html").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[cfg(feature = "docs")]
pub struct Docs {
    path: String,
    pages: Arc<Pages>,
    options: Arc<HttpOptions>,
    is_listed: bool,
}

/// Changes a site before it is built.
type Customise = Box<dyn FnOnce(SiteBuilder) -> SiteBuilder>;

/// Builds a [`Docs`].
#[must_use = "a builder does nothing until `build()`"]
#[cfg(feature = "docs")]
pub struct DocsBuilder {
    path: String,
    /// The services, of which there is at least one, each with the path where it is mounted.
    services: Vec<(String, Service)>,
    customise: Customise,
    base_url: Option<String>,
    /// The paths for agents, each with the position of its service.
    agents: Vec<(usize, String)>,
    is_listed: bool,
}

impl Docs {
    /// Starts building the reference site at `path`, such as `/docs`, for a service mounted at
    /// `mount`.
    pub fn builder(path: &str, mount: &str, service: &Service) -> DocsBuilder {
        DocsBuilder {
            path: path.trim_end_matches('/').to_owned(),
            services: vec![(mount.to_owned(), service.clone())],
            customise: Box::new(|site| site),
            base_url: None,
            agents: Vec::new(),
            is_listed: false,
        }
    }

    /// Changes the HTTP options. Only `allowed_hosts` and `trusted_proxies` affect
    /// pages.
    pub fn options(mut self, options: HttpOptions) -> Self {
        self.options = options.into();
        self
    }

    /// Returns the folder of the pages of each service, from the root of the server.
    pub(crate) fn folders(&self) -> impl Iterator<Item = String> {
        self.site()
            .paths()
            .filter_map(|path| path.strip_suffix("openapi.json"))
            .map(|folder| format!("{}/{folder}", self.path.trim_start_matches('/')))
    }

    /// Returns the site.
    pub fn site(&self) -> &Site {
        &self.pages.site
    }
}

impl DocsBuilder {
    /// Adds another service. The site becomes a catalogue.
    pub fn and(mut self, mount: &str, service: &Service) -> Self {
        self.services.push((mount.to_owned(), service.clone()));
        self
    }

    /// Customises the site: its title, colours, texts and templates.
    pub fn customise(mut self, change: impl FnOnce(SiteBuilder) -> SiteBuilder + 'static) -> Self {
        self.customise = Box::new(change);
        self
    }

    /// Sets the public URL of the site, such as `https://example.com/docs/`. Pages then name their canonical
    /// address, and the site has a sitemap. [`Routes`](crate::Routes) derive it from the service's public URL.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Names a path at which agents find the tools of a service.
    pub(crate) fn agents(mut self, service: usize, path: String) -> Self {
        self.agents.push((service, path));
        self
    }

    /// Says that the server has a catalogue of its services.
    pub(crate) fn listed(mut self) -> Self {
        self.is_listed = true;
        self
    }

    /// Builds the site. Any description has one.
    ///
    /// # Errors
    /// All settings from [`customise`](Self::customise) that cannot be used.
    pub fn build(self) -> Result<Docs, Vec<Problem>> {
        // The pages of a catalogue are one level further down.
        let depth = self.path.matches('/').count() + usize::from(self.services.len() > 1);
        let up = "../".repeat(depth);
        let mut builder = Site::builder(description(&self.services[0].1));
        for (at, (mount, service)) in self.services.iter().enumerate() {
            if at > 0 {
                builder = builder.and(description(service));
            }
            builder = add(builder, &up, mount, service);
            if let Some((_, path)) = self.agents.iter().find(|(of, _)| *of == at) {
                builder = builder.mcp_address(format!("{up}{path}"));
            }
        }
        if let Some(url) = self.base_url {
            builder = builder.base_url(url);
        }
        let site = (self.customise)(builder.live(true)).build()?;
        tracing::debug!(path = self.path, "planned the reference site");
        // Guards and authenticators have the limits and the time that they have at the mounts.
        let services = self
            .services
            .into_iter()
            .map(|(_, service)| service.with_runtime(Arc::new(TokioRuntime)))
            .collect();
        Ok(Docs {
            path: self.path,
            pages: Arc::new(Pages::new(site, services)),
            options: Arc::default(),
            is_listed: self.is_listed,
        })
    }
}

impl fmt::Debug for DocsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DocsBuilder")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl HttpPage for Docs {
    fn path(&self) -> &str {
        &self.path
    }

    fn is_tree(&self) -> bool {
        true
    }

    async fn respond(&self, request: &Request<'_>) -> Response {
        self.serve(request).await
    }
}

fn description(service: &Service) -> Arc<ServiceDescription> {
    Arc::new(service.description().clone())
}

/// Adds everything that a service says about itself apart from its description: its address, its
/// descriptions for download, and the limits that a caller can run into, in words.
fn add(site: SiteBuilder, up: &str, mount: &str, service: &Service) -> SiteBuilder {
    let [described, openrpc, openapi] = [(); 3].map(|()| service.clone());
    let mount = utf8_percent_encode(mount.trim_matches('/'), CONTROLS).to_string();
    let server = openrpc_server(service, &mount);
    let limits = service.limits();
    site.address(format!("{up}{mount}"))
        .download(Download::Description, move |out| {
            out.write_all(&described.rendered_description())
        })
        .download(Download::OpenApi, move |out| {
            out.write_all(&openapi.rendered_openapi())
        })
        .download(Download::OpenRpc, move |out| {
            let document = openrpc.rendered_openrpc(None);
            write!(out, "{{{server}")?;
            out.write_all(document.strip_prefix(b"{").unwrap_or_default())
        })
        .limit("Body", bytes(limits.max_body_bytes))
        .limit("Answer", bytes(limits.max_response_bytes))
        .limit("Entries of a batch", limits.max_batch_entries.to_string())
        .limit("Time of a batch", seconds(limits.effective_batch_timeout()))
        .limit("Nesting", format!("{} levels", limits.max_depth))
        .limit("Time of a call", seconds(limits.timeout))
        .limit("Calls at once", limits.max_concurrent_calls.to_string())
}

/// Returns the member of an OpenRPC document that names the server which sends it, for a service that does
/// not know its own URL.
fn openrpc_server(service: &Service, mount: &str) -> String {
    let description = service.description();
    if description.address.is_some() {
        return String::new();
    }
    let url = format!("{PLACEHOLDER_ORIGIN}/{mount}");
    let servers = serde_json::json!([{"name": description.name, "url": url}]);
    format!("\"servers\":{servers},")
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

fn bytes(bytes: usize) -> String {
    match bytes {
        size if size.is_multiple_of(1 << 20) => format!("{} MiB", size >> 20),
        size if size.is_multiple_of(1 << 10) => format!("{} KiB", size >> 10),
        other => format!("{other} bytes"),
    }
}
