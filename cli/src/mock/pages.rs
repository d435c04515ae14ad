//! The HTTP of a mock: calls by POST and GET, the description, and the reference site.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use docent_core::code;
use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};
use docent_docs_gen::Site;
use percent_encoding::percent_decode_str;
use url::form_urlencoded;

use super::responder::{MockOutcome, Responder};
use crate::failure::Failure;
use crate::web::{WebAnswer, WebRequest};

/// The path of the service.
pub(super) const MOUNT: &str = "/rpc";

const JSON: &str = "application/json";
const OK: &str = "200 OK";

/// A mock, and the pages beside it.
pub(super) struct MockPages {
    responder: Responder,
    site: Site,
    /// True if the server is for this machine only.
    is_local: bool,
}

impl MockPages {
    pub(super) fn new(
        description: ServiceDescription,
        origin: &str,
        is_local: bool,
    ) -> Result<Self, Failure> {
        let description = Arc::new(description);
        let site = Site::builder(Arc::clone(&description)).address(format!("..{MOUNT}"));
        let site = site.live(true).base_url(format!("{origin}/docs/"));
        let site = site.build().map_err(Failure::of_site)?;
        Ok(Self {
            responder: Responder::new(description),
            site,
            is_local,
        })
    }

    pub(super) fn respond(&self, request: &WebRequest) -> WebAnswer {
        // A page on another site could use a name that resolves to this machine.
        if self.is_local && !request.is_for_loopback() {
            return text("421 Misdirected Request");
        }
        let target = &*request.target;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let is_read = matches!(&*request.method, "GET" | "HEAD");
        let below = path
            .strip_prefix(MOUNT)
            .map(|rest| rest.strip_prefix('/').unwrap_or(rest));
        match below {
            _ if request.method == "POST" => self.post(&request.body),
            _ if !is_read => text("405 Method Not Allowed").with("Allow", "GET, HEAD, POST"),
            Some("") => json(OK, self.responder.description().to_string()),
            Some(name) => self.get(name, query, request.field("if-none-match")),
            None => self.page(path),
        }
    }

    fn post(&self, body: &[u8]) -> WebAnswer {
        match self.responder.exchange(body) {
            Some(answer) => json(OK, answer).with("Cache-Control", "no-store"),
            None => WebAnswer::new("204 No Content", "", ""),
        }
    }

    /// Responds to a call with GET.
    fn get(&self, name: &str, query: &str, known: Option<&str>) -> WebAnswer {
        let name = percent_decode_str(name).decode_utf8_lossy();
        let query: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let (procedure, outcome) = self.responder.query(&name, &query);
        let body = outcome.response("null");
        let MockOutcome::Error(error) = outcome else {
            let mut hasher = DefaultHasher::new();
            body.hash(&mut hasher);
            let tag = format!("\"{:016x}\"", hasher.finish());
            let answer = if known == Some(&*tag) {
                WebAnswer::new("304 Not Modified", "", "")
            } else {
                json(OK, body)
            };
            return answer
                .with("ETag", tag)
                .with("Cache-Control", control(procedure));
        };
        let code = error.get("code").and_then(Json::as_i64).unwrap_or_default();
        let answer = json(status(procedure, code), body).with("Cache-Control", "no-store");
        match code {
            code::NOT_CALLABLE_WITH_GET => answer.with("Allow", "POST, OPTIONS"),
            _ => answer,
        }
    }

    /// Responds with a page of the reference site.
    fn page(&self, path: &str) -> WebAnswer {
        let Some(path) = path.strip_prefix("/docs/") else {
            return text("303 See Other").with("Location", "/docs/");
        };
        let path = percent_decode_str(path).decode_utf8_lossy();
        match self.site.page(&path) {
            Some(page) => WebAnswer::new(OK, page.content_type, page.bytes),
            None => text("404 Not Found"),
        }
    }
}

fn json(status: &'static str, body: String) -> WebAnswer {
    WebAnswer::new(status, JSON, body).with("X-Content-Type-Options", "nosniff")
}

fn text(status: &'static str) -> WebAnswer {
    WebAnswer::new(status, "text/plain; charset=utf-8", status)
}

/// Returns the `Cache-Control` that the description promises.
fn control(procedure: Option<&ProcedureDescription>) -> String {
    let Some(cache) = procedure.and_then(|procedure| procedure.cache.as_ref()) else {
        return "no-cache".to_owned();
    };
    let who = if cache.shared { "public" } else { "private" };
    format!("{who}, max-age={}", cache.max_age.as_secs())
}

/// Returns the status of an error.
fn status(procedure: Option<&ProcedureDescription>, code: i64) -> &'static str {
    let declared = procedure.and_then(|procedure| {
        let mut errors = procedure.errors.iter();
        errors.find(|error| error.code == code)?.status
    });
    match (code, declared) {
        (code::INVALID_REQUEST | code::INVALID_PARAMS, _) | (_, Some(400)) => "400 Bad Request",
        (code::METHOD_NOT_FOUND, _) | (_, Some(404)) => "404 Not Found",
        (code::NOT_CALLABLE_WITH_GET, _) => "405 Method Not Allowed",
        (_, Some(403)) => "403 Forbidden",
        (_, Some(409)) => "409 Conflict",
        (_, Some(410)) => "410 Gone",
        (_, Some(422)) => "422 Unprocessable Content",
        (_, Some(503)) => "503 Service Unavailable",
        _ => "500 Internal Server Error",
    }
}
