//! The reference site, served live from the descriptions of the services themselves.

mod pages;
mod serve;

use std::sync::Arc;

use docent_core::{Limits, Service};
use docent_describe::ServiceDescription;
use docent_docs_gen::{Problem, Site, SiteBuilder};
use docent_http::HttpOptions;
use percent_encoding::{CONTROLS, utf8_percent_encode};

use pages::Pages;

/// The reference site of one or more services, at a path of your `App`.
///
/// ```
/// use actix_web::App;
/// use docent_server::{Cx, Docs, Fault, Mount, Procedure, Service};
///
/// let service = Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534605")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .build()?;
/// let docs = Docs::builder("/docs", "/rpc", &service)
///     .customise(|site| site.title("Greetings"))
///     .build()
///     .map_err(|problems| format!("{problems:?}"))?;
/// assert!(docs.site().page("hello.html").is_some());
/// let app = App::new().service(Mount::new("/rpc", &service)).service(docs);
/// # let _ = app;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Docs {
    path: String,
    pages: Arc<Pages>,
    options: Arc<HttpOptions>,
}

/// Builds a [`Docs`].
#[derive(Debug)]
#[must_use = "a builder does nothing until `build()`"]
pub struct DocsBuilder {
    path: String,
    first: Mounted,
    others: Vec<Mounted>,
    customise: fn(SiteBuilder) -> SiteBuilder,
    base_url: Option<String>,
}

/// A service, and the path where it is mounted.
#[derive(Debug)]
struct Mounted {
    mount: String,
    service: Service,
}

impl Mounted {
    fn new(mount: &str, service: &Service) -> Self {
        Self {
            mount: mount.trim_matches('/').to_owned(),
            service: service.clone(),
        }
    }

    /// Adds the service to a site: its address, its descriptions and its limits.
    fn describe(
        &self,
        up: &str,
        begin: impl FnOnce(Arc<ServiceDescription>) -> SiteBuilder,
    ) -> SiteBuilder {
        let (whole, openrpc) = (self.service.clone(), self.service.clone());
        let site = begin(Arc::new(self.service.description().clone()))
            .address(format!(
                "{up}{}",
                utf8_percent_encode(&self.mount, CONTROLS)
            ))
            .description_json(move |out| out.write_all(&whole.rendered_description()))
            .openrpc_json(move |out| out.write_all(&openrpc.rendered_openrpc(None)));
        limits(site, self.service.limits())
    }
}

impl Docs {
    /// Starts building the reference site at `path`, such as `/docs`, for a service mounted at
    /// `mount`.
    pub fn builder(path: &str, mount: &str, service: &Service) -> DocsBuilder {
        DocsBuilder {
            path: path.trim_end_matches('/').to_owned(),
            first: Mounted::new(mount, service),
            others: Vec::new(),
            customise: |site| site,
            base_url: None,
        }
    }

    /// Changes the HTTP options. Only `allowed_hosts` and `trusted_proxies` affect
    /// pages.
    pub fn options(mut self, options: HttpOptions) -> Self {
        self.options = options.into();
        self
    }

    /// Returns the path of the site.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns the site.
    pub fn site(&self) -> &Site {
        self.pages.site()
    }
}

impl DocsBuilder {
    /// Adds another service. The site becomes a catalogue.
    pub fn and(mut self, mount: &str, service: &Service) -> Self {
        self.others.push(Mounted::new(mount, service));
        self
    }

    /// Customises the site: its title, colours, texts and templates.
    pub fn customise(mut self, change: fn(SiteBuilder) -> SiteBuilder) -> Self {
        self.customise = change;
        self
    }

    /// Sets the public URL of the site, such as `https://example.com/docs/`. Pages then name their
    /// canonical address, and the site has a sitemap. `Server` derives it from the service's public URL.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Builds the site. It never fails because of a description.
    ///
    /// # Errors
    /// [`customise`](Self::customise) set something that cannot be used. All such problems are
    /// returned.
    pub fn build(self) -> Result<Docs, Vec<Problem>> {
        // The pages of a catalogue are one level further down.
        let depth = self.path.matches('/').count() + usize::from(!self.others.is_empty());
        let up = "../".repeat(depth);
        let first = self.first.describe(&up, Site::builder);
        let site = self.others.iter().fold(first, |site, other| {
            other.describe(&up, |description| site.and(description))
        });
        let site = match self.base_url {
            Some(url) => site.base_url(url),
            None => site,
        };
        let site = (self.customise)(site.live(true)).build()?;
        tracing::debug!(path = self.path, "planned the reference site");
        let services = std::iter::once(self.first).chain(self.others);
        let services = services.map(|mounted| mounted.service).collect();
        Ok(Docs {
            path: self.path,
            pages: Arc::new(Pages::new(site, services)),
            options: Arc::default(),
        })
    }
}

/// Adds the limits that a caller can run into, in words.
fn limits(site: SiteBuilder, limits: &Limits) -> SiteBuilder {
    site.limit("Body", bytes(limits.max_body_bytes))
        .limit("Answer", bytes(limits.max_response_bytes))
        .limit("Entries of a batch", limits.max_batch_entries.to_string())
        .limit(
            "Time of a batch",
            format!("{} s", limits.effective_batch_timeout().as_secs_f64()),
        )
        .limit("Nesting", format!("{} levels", limits.max_depth))
        .limit(
            "Time of a call",
            format!("{} s", limits.timeout.as_secs_f64()),
        )
        .limit(
            "Text matched against a pattern",
            format!("{} characters", limits.max_pattern_chars),
        )
        .limit("Calls at once", limits.max_concurrent_calls.to_string())
}

fn bytes(bytes: usize) -> String {
    match bytes {
        whole if whole.is_multiple_of(1 << 20) => format!("{} MiB", whole >> 20),
        whole if whole.is_multiple_of(1 << 10) => format!("{} KiB", whole >> 10),
        other => format!("{other} bytes"),
    }
}
