//! The server of `--watch`: serves the latest site on this machine only.
//!
//! It serves the site from memory, so that no address can lead to any other file. Pages are sent
//! with the policy of a live site, and with one more script than in the folder, which reloads them
//! after a rebuild.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use docent_docs_gen::Site;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{Method, StatusCode};
use tokio::sync::watch;

use crate::failure::Failure;
use crate::web::{self, WebResponse};

/// The port unless another is given. If it is taken, any free one will do.
const DEFAULT_PORT: u16 = 8917;
/// The policy of a live service, except that calls may go to the described service.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self' http: https:; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'";
const MISSING_PAGE: &str =
    "<!DOCTYPE html>\n<title>Not found</title>\n<p>There is no such page.</p>\n";
/// The script that asks for the number of the build, and reloads the page if it is another one.
const RELOAD_SCRIPT: &str = include_str!("reload.js");
const SCRIPT_PATH: &str = ".docent/reload.js";
const GENERATION_PATH: &str = ".docent/generation";

/// The site that is served until the next build.
pub(super) struct ServedSite {
    pub(super) site: Site,
    /// The number of its build. A page whose number is another one reloads.
    pub(super) generation: u64,
}

/// Listens on a port of the loopback interface.
pub(super) fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    match port {
        Some(port) => TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| Failure::system(format_args!("port {port}: {error}"))),
        // The usual port keeps the address of an open page across restarts.
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, DEFAULT_PORT))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .map_err(Failure::system),
    }
}

/// Serves in a thread of its own.
pub(super) fn start(
    listener: TcpListener,
    current: watch::Receiver<ServedSite>,
) -> io::Result<SocketAddr> {
    web::start(listener, move |request| {
        let response = match *request.method() {
            Method::GET | Method::HEAD => reply(request.uri().path(), &current.borrow()),
            _ => WebResponse::plain(StatusCode::METHOD_NOT_ALLOWED),
        };
        response
            .with(CONTENT_SECURITY_POLICY, CONTENT_POLICY)
            .with(X_CONTENT_TYPE_OPTIONS, "nosniff")
            .with(CACHE_CONTROL, "no-store")
    })
}

/// Returns a page, the script, or the number of the build.
fn reply(path: &str, current: &ServedSite) -> WebResponse {
    let ServedSite { site, generation } = current;
    match path.strip_prefix('/').unwrap_or(path) {
        SCRIPT_PATH => WebResponse::new(
            StatusCode::OK,
            "text/javascript; charset=utf-8",
            RELOAD_SCRIPT,
        ),
        GENERATION_PATH => WebResponse::new(
            StatusCode::OK,
            "text/plain; charset=utf-8",
            generation.to_string(),
        ),
        path => match site.page(path) {
            Some(page) if page.content_type.starts_with("text/html") => WebResponse::new(
                StatusCode::OK,
                page.content_type,
                with_script(page.bytes, *generation),
            ),
            Some(page) => WebResponse::new(StatusCode::OK, page.content_type, page.bytes),
            // A page that is missing now may exist after the next build.
            None => WebResponse::new(
                StatusCode::NOT_FOUND,
                "text/html; charset=utf-8",
                with_script(MISSING_PAGE.into(), *generation),
            ),
        },
    }
}

/// Adds the script to the end of a page's body.
fn with_script(mut page: Vec<u8>, generation: u64) -> Vec<u8> {
    const BODY_END: &[u8] = b"</body>";
    let at = page
        .windows(BODY_END.len())
        .rposition(|window| window == BODY_END)
        .unwrap_or(page.len());
    // The script reads the number of the build that the page belongs to from its own address.
    let script = format!("<script src=\"/{SCRIPT_PATH}?{generation}\"></script>\n");
    page.splice(at..at, script.into_bytes());
    page
}
