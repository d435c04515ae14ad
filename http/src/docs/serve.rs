//! Responds to requests for pages: their addresses, their caching, and the policy for browsers.
//!
//! A page shows what the description says, so it is guarded like the description.

use std::sync::Arc;

use http::{StatusCode, header};
use percent_encoding::percent_decode_str;

use super::Docs;
use super::pages::{KeptPage, Pages};
use crate::coding::Coding;
use crate::pieces::Body;
use crate::request::Request;
use crate::response::Response;
use crate::{accept, address, cache, catalog, request_error};

/// The policy of a page: it may load the files of the site, and call the service that it describes.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The values of `Cache-Control` for immutable files, whose names change with their content.
const IMMUTABLE_CONTROL: &str = "public, max-age=31536000, immutable";
const PRIVATE_IMMUTABLE_CONTROL: &str = "private, max-age=31536000, immutable";

/// The maximum number of folders of an address for which an error page is rendered. Below more folders, its links
/// back would be longer than the page.
const MAX_FOLDERS: usize = 16;

impl Docs {
    /// Returns the response to a request that gets no page, or `None` if it may get one.
    async fn rejection(&self, request: &Request<'_>) -> Option<Response> {
        let mut response = request_error::of_page(request, &self.options);
        // The site reveals the descriptions, so it has the same guards.
        for service in &self.pages.services {
            if response.is_none() {
                response =
                    request_error::without_description(service, request, &self.options).await;
            }
        }
        response
    }

    /// Renders on another thread, so that the worker can answer calls: that takes as long as many of them,
    /// especially for the first page, which waits for the templates. Returns `None` if it panicked.
    async fn render<T: Send + 'static>(
        &self,
        render: impl FnOnce(&Pages) -> T + Send + 'static,
    ) -> Option<T> {
        let pages = Arc::clone(&self.pages);
        let rendering = tokio::task::spawn_blocking(move || render(&pages));
        rendering.await.ok()
    }

    /// Responds to any request below the site's path. A page is rendered when it is first requested.
    pub(super) async fn serve(&self, request: &Request<'_>) -> Response {
        if let Some(response) = self.rejection(request).await {
            return response;
        }
        // An address without a slash after the mount has no path within the site.
        let mut path = address::below_mount(&request.target)
            .map(|path| percent_decode_str(path).decode_utf8_lossy().into_owned());
        // Files are what they are. A page, and the response where there is none, depend on `Accept`.
        let is_file = path.as_ref().is_some_and(|path| self.pages.has(path));
        if accept::prefers_markdown(&request.headers) {
            path = path.map(|path| self.beside(path));
        }
        if let Some(path) = path.clone().filter(|path| self.pages.is_unrendered(path)) {
            let is_rendered = self.render(move |pages| {
                pages.page(&path);
            });
            if is_rendered.await.is_none() {
                return Response::new(StatusCode::INTERNAL_SERVER_ERROR);
            }
        }
        let site = &self.pages.site;
        let is_immutable = path.as_ref().is_some_and(|path| site.is_immutable(path));
        let control = match cache::description_control(&self.pages.services) {
            control if !is_immutable => control,
            control if control.starts_with("private") => PRIVATE_IMMUTABLE_CONTROL,
            _ => IMMUTABLE_CONTROL,
        };
        let own = if is_file {
            "Accept-Encoding"
        } else {
            "Accept, Accept-Encoding"
        };
        let vary = cache::vary(own, cache::fields_of_descriptions(&self.pages.services));
        self.page(request, path)
            .await
            .with(header::CACHE_CONTROL, control)
            .with(header::VARY, vary)
    }

    /// Responds with `llms.txt` at the root of the server, where agents look for it.
    pub(crate) async fn root_list(&self, request: &Request<'_>) -> Response {
        if let Some(response) = self.rejection(request).await {
            return response;
        }
        let folder = format!("{}/", self.path.trim_start_matches('/'));
        if self.pages.is_root_list_unrendered() {
            let folder = folder.clone();
            let is_rendered = self.render(move |pages| {
                pages.root_list(&folder);
            });
            if is_rendered.await.is_none() {
                return Response::new(StatusCode::INTERNAL_SERVER_ERROR);
            }
        }
        let services = &self.pages.services;
        let fields = cache::fields_of_descriptions(services);
        self.delivered(request, self.pages.root_list(&folder))
            .await
            .with(header::CACHE_CONTROL, cache::description_control(services))
            .with(header::VARY, cache::vary("Accept-Encoding", fields))
    }

    /// Returns the path of the Markdown page beside a page. Any other path is returned as it is.
    fn beside(&self, path: String) -> String {
        let index = if path.is_empty() || path.ends_with('/') {
            "index"
        } else {
            ""
        };
        let markdown = format!("{path}{index}.md");
        if self.pages.has(&markdown) {
            markdown
        } else {
            path
        }
    }

    /// Delivers a rendered page with the origin of the request in it.
    async fn delivered(&self, request: &Request<'_>, kept: &KeptPage) -> Response {
        // Addresses without an origin are relative to that of the page.
        let origin = request
            .origin(&request.headers, &self.options)
            .unwrap_or_else(|| request.target.prefix.to_owned());
        deliver(request, kept, &origin).await.for_all()
    }

    async fn page(&self, request: &Request<'_>, path: Option<String>) -> Response {
        let pages = &self.pages;
        let Some(path) = path else {
            // Links are relative to the folder, so the address has to be one.
            let folder = format!("{}/", request.target.last_segment());
            return Response::new(StatusCode::PERMANENT_REDIRECT).with(header::LOCATION, folder);
        };
        if let Some(address) = pages.site.redirect(&path) {
            return guarded(StatusCode::PERMANENT_REDIRECT).with(header::LOCATION, address);
        }
        if let Some(kept) = pages.page(&path) {
            let response = self.delivered(request, kept).await;
            let links = self.links(&path);
            if !kept.is_html() || links.is_empty() {
                return response;
            }
            return response.with(header::LINK, links.join(", "));
        }
        let folders = path.matches('/').count();
        if accept::prefers_html(&request.headers) && folders <= MAX_FOLDERS {
            let page = self.render(move |pages| pages.site.not_found(&path));
            let Some(page) = page.await else {
                return Response::new(StatusCode::INTERNAL_SERVER_ERROR);
            };
            let html = Body::Whole(page.bytes.into());
            return guarded(StatusCode::NOT_FOUND).content(page.content_type, html);
        }
        let list = "../".repeat(folders.min(MAX_FOLDERS));
        let text = format!("There is no such page: {list}llms.txt lists them\n");
        guarded(StatusCode::NOT_FOUND)
            .content("text/plain; charset=utf-8", Body::Whole(text.into()))
    }

    /// Returns the links from a page, relative to it: to the descriptions of the service that it is about,
    /// to the start of its documentation (RFC 8631), and to the catalogue of the server (RFC 9727).
    fn links(&self, path: &str) -> Vec<String> {
        let folders: Vec<usize> = path.match_indices('/').map(|(at, _)| at + 1).collect();
        // The folder of the service: the site itself, or one below it.
        let own = std::iter::once(0)
            .chain(folders.iter().copied())
            .find(|end| {
                self.pages
                    .has(&format!("{}description.json", &path[..*end]))
            });
        let mut links = Vec::new();
        if let Some(own) = own {
            let root = up(folders.iter().filter(|end| **end > own).count());
            for name in ["description", "openapi", "openrpc"] {
                links.push(format!(
                    "<{root}{name}.json>; rel=\"service-desc\"; type=\"application/json\""
                ));
            }
            for (page, media_type) in [("", "text/html"), ("llms.txt", "text/plain")] {
                links.push(format!(
                    "<{root}{page}>; rel=\"service-doc\"; type=\"{media_type}\""
                ));
            }
        }
        if self.is_listed {
            let root = up(folders.len() + self.path.matches('/').count());
            let catalog = catalog::PATH.trim_start_matches('/');
            links.push(format!("<{root}{catalog}>; rel=\"api-catalog\""));
        }
        links
    }
}

/// Returns the link to the folder that is this many folders above.
fn up(folders: usize) -> String {
    match folders {
        0 => "./".to_owned(),
        _ => "../".repeat(folders),
    }
}

/// Returns a rendered page with this origin in it, or 304 if the client already has it.
async fn deliver(request: &Request<'_>, kept: &KeptPage, origin: &str) -> Response {
    let coding = Coding::preferred(&request.headers);
    let tag = coding.tag(&kept.hash_at(origin));
    let own = if tag.is_known(&request.headers) {
        None
    } else {
        kept.for_origin(origin).await
    };
    let kept = own.as_ref().unwrap_or(kept);
    guarded(StatusCode::OK).unless_known(tag, &request.headers, |response| match coding {
        Coding::Identity => response.content(kept.content_type, kept.text()),
        Coding::Gzip => response
            .content(kept.content_type, Body::Whole(kept.compressed.clone()))
            .with(header::CONTENT_ENCODING, "gzip"),
    })
}

fn guarded(status: StatusCode) -> Response {
    Response::new(status)
        .with(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY)
        .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .with(header::REFERRER_POLICY, "no-referrer")
}
