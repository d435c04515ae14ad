//! Pages over HTTP.

use std::sync::Arc;

use docent_http::coding::Coding;
use docent_http::pieces::Body;
use docent_http::request::Request;
use docent_http::response::Response;
use docent_http::{accept, address, cache, refusal};
use http::{StatusCode, header};
use percent_encoding::percent_decode_str;

use super::Docs;
use super::pages::{Kept, Pages};

/// The policy of a page: it may load the files of the site, and call the service that it describes.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'";

/// The name of an immutable file changes with its content.
const KEPT: &str = "public, max-age=31536000, immutable";
const KEPT_PRIVATELY: &str = "private, max-age=31536000, immutable";

/// The deepest address, in folders, for which an error page is rendered. Below more folders, its links
/// back would be longer than the page.
const DEEPEST: usize = 16;

impl Docs {
    /// Returns the response to a request that gets no page, or `None` if it may get one.
    async fn refusal(&self, request: &Request<'_>) -> Option<Response> {
        if !request.is_for_served_host(&self.options) {
            return Some(refusal::misdirected());
        }
        if !request.is_read() {
            return Some(Response::read_only());
        }
        // The site reveals the descriptions, so it has the same guards.
        for service in &self.pages.services {
            let refusal = refusal::without_description(service, request, &self.options).await;
            if refusal.is_some() {
                return refusal;
            }
        }
        None
    }

    /// Responds to any request below the site's path. A page that is requested for the first time is
    /// rendered on another thread, so that the worker can answer calls: that takes as long as many of them,
    /// especially for the first page, which waits for the templates.
    pub(crate) async fn respond(&self, request: &Request<'_>) -> Response {
        if let Some(refusal) = self.refusal(request).await {
            return refusal;
        }
        let path = path(request);
        if let Some(path) = path.clone().filter(|path| self.pages.is_unrendered(path)) {
            let pages = Arc::clone(&self.pages);
            let rendering = tokio::task::spawn_blocking(move || pages.page(&path).is_some());
            if rendering.await.is_err() {
                return Response::new(StatusCode::INTERNAL_SERVER_ERROR);
            }
        }
        let control = cache::description_control(&self.pages.services);
        let is_kept = path.is_some_and(|path| self.pages.site.is_immutable(&path));
        let control = match control {
            control if !is_kept => control,
            control if control.starts_with("private") => KEPT_PRIVATELY,
            _ => KEPT,
        };
        let fields = cache::fields_of_descriptions(&self.pages.services);
        page(request, &self.pages)
            .with(header::CACHE_CONTROL, control)
            .with(header::VARY, cache::vary("Accept-Encoding", fields))
    }
}

/// Returns the path within the site, or `None` if the address has no slash after the mount.
fn path(request: &Request<'_>) -> Option<String> {
    let below = address::below_mount(&request.target)?;
    Some(percent_decode_str(below).decode_utf8_lossy().into_owned())
}

fn page(request: &Request<'_>, pages: &Pages) -> Response {
    let Some(path) = path(request) else {
        // Links are relative to the folder, so the address has to be one.
        let folder = format!("{}/", request.target.last_segment());
        return Response::new(StatusCode::PERMANENT_REDIRECT).with(header::LOCATION, folder);
    };
    if let Some(address) = pages.site.redirect(&path) {
        return guarded(StatusCode::PERMANENT_REDIRECT).with(header::LOCATION, address);
    }
    if let Some(kept) = pages.page(&path) {
        let response = deliver(request, kept).for_all();
        return match links(pages, &path) {
            Some(links) if kept.is_html() => response.with(header::LINK, links),
            _ => response,
        };
    }
    let folders = path.matches('/').count();
    if accept::prefers_html(&request.headers) && folders <= DEEPEST {
        let page = pages.site.not_found(folders);
        let html = Body::Whole(page.bytes.into());
        return guarded(StatusCode::NOT_FOUND).content(page.content_type, html);
    }
    let text = Body::Whole("There is no such page.\n".into());
    guarded(StatusCode::NOT_FOUND).content("text/plain; charset=utf-8", text)
}

/// Returns the links of a service (RFC 8631) from a page about it, relative to the page: to the
/// description, and to the start of the documentation. A page that several services share has none.
fn links(pages: &Pages, path: &str) -> Option<String> {
    let folders: Vec<usize> = path.match_indices('/').map(|(at, _)| at + 1).collect();
    // The folder of the service: the site itself, or one below it.
    let own = [0].into_iter().chain(folders.iter().copied());
    let own = { own }.find(|end| pages.has(&format!("{}description.json", &path[..*end])))?;
    let depth = folders.iter().filter(|end| **end > own).count();
    let root = if depth == 0 {
        "./".to_owned()
    } else {
        "../".repeat(depth)
    };
    Some(format!(
        "<{root}description.json>; rel=\"service-desc\"; type=\"application/json\", \
         <{root}>; rel=\"service-doc\"; type=\"text/html\""
    ))
}

/// Returns a rendered page, or 304 if the client already has it.
fn deliver(request: &Request<'_>, kept: &Kept) -> Response {
    let coding = Coding::preferred(&request.headers);
    let tag = coding.tag(&kept.hash);
    guarded(StatusCode::OK).unless_known(tag, &request.headers, |response| match coding {
        Coding::Identity => response.content(kept.content_type, kept.text()),
        Coding::Gzip => response
            .content(kept.content_type, Body::Whole(kept.compressed.clone()))
            .with(header::CONTENT_ENCODING, "gzip"),
    })
}

fn guarded(status: StatusCode) -> Response {
    Response::new(status)
        .with(header::CONTENT_SECURITY_POLICY, POLICY)
        .with(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .with(header::REFERRER_POLICY, "no-referrer")
}
