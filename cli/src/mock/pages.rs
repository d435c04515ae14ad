//! The HTTP of a mock: calls by POST and GET, the description, and the reference site.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use docent_core::code;
use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};
use docent_docs_gen::Site;
use http::header::{ALLOW, CACHE_CONTROL, ETAG, IF_NONE_MATCH, LOCATION, X_CONTENT_TYPE_OPTIONS};
use http::{Method, StatusCode};
use percent_encoding::percent_decode_str;
use url::form_urlencoded;

use super::responder::{Responder, response};
use crate::failure::Failure;
use crate::web::{WebAnswer, WebRequest};

/// The path of the service.
pub(super) const MOUNT: &str = "/rpc";

const JSON: &str = "application/json";

/// A mock, and the pages beside it.
pub(super) struct MockPages {
    responder: Responder,
    site: Site,
}

impl MockPages {
    pub(super) fn new(description: ServiceDescription, origin: &str) -> Result<Self, Failure> {
        let description = Arc::new(description);
        let site = Site::builder(Arc::clone(&description))
            .address(format!("..{MOUNT}"))
            .live(true)
            .base_url(format!("{origin}/docs/"))
            .build()
            .map_err(Failure::of_site)?;
        Ok(Self {
            responder: Responder::new(description),
            site,
        })
    }

    pub(super) fn respond(&self, request: &WebRequest) -> WebAnswer {
        let path = request.uri().path();
        let below = path
            .strip_prefix(MOUNT)
            .map(|rest| rest.strip_prefix('/').unwrap_or(rest));
        match (request.method(), below) {
            (&Method::POST, _) => self.post(request.body()),
            (&Method::GET | &Method::HEAD, Some("")) => {
                json(StatusCode::OK, self.responder.description().to_string())
            }
            (&Method::GET | &Method::HEAD, Some(name)) => self.get(name, request),
            (&Method::GET | &Method::HEAD, None) => self.page(path),
            _ => WebAnswer::plain(StatusCode::METHOD_NOT_ALLOWED).with(ALLOW, "GET, HEAD, POST"),
        }
    }

    fn post(&self, body: &[u8]) -> WebAnswer {
        match self.responder.exchange(body) {
            Some(answer) => json(StatusCode::OK, answer).with(CACHE_CONTROL, "no-store"),
            None => WebAnswer::new(StatusCode::NO_CONTENT, JSON, ""),
        }
    }

    /// Responds to a call with GET.
    fn get(&self, name: &str, request: &WebRequest) -> WebAnswer {
        let name = percent_decode_str(name).decode_utf8_lossy();
        let query = request.uri().query().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes()).into_owned();
        let (procedure, outcome) = self.responder.query(&name, &query.collect::<Vec<_>>());
        let body = response(&outcome, "null");
        let Err(error) = outcome else {
            let mut hasher = DefaultHasher::new();
            body.hash(&mut hasher);
            let tag = format!("\"{:016x}\"", hasher.finish());
            let known = request.headers().get(IF_NONE_MATCH);
            let answer = if known.is_some_and(|known| *known == *tag) {
                WebAnswer::new(StatusCode::NOT_MODIFIED, JSON, "")
            } else {
                json(StatusCode::OK, body)
            };
            return answer
                .with(ETAG, &tag)
                .with(CACHE_CONTROL, &control(procedure));
        };
        let code = error.get("code").and_then(Json::as_i64).unwrap_or_default();
        let answer = json(status(procedure, code), body).with(CACHE_CONTROL, "no-store");
        match code {
            code::NOT_CALLABLE_WITH_GET => answer.with(ALLOW, "POST, OPTIONS"),
            _ => answer,
        }
    }

    /// Responds with a page of the reference site.
    fn page(&self, path: &str) -> WebAnswer {
        let Some(path) = path.strip_prefix("/docs/") else {
            return WebAnswer::plain(StatusCode::SEE_OTHER).with(LOCATION, "/docs/");
        };
        let path = percent_decode_str(path).decode_utf8_lossy();
        match self.site.page(&path) {
            Some(page) => WebAnswer::new(StatusCode::OK, page.content_type, page.bytes),
            None => WebAnswer::plain(StatusCode::NOT_FOUND),
        }
    }
}

fn json(status: StatusCode, body: String) -> WebAnswer {
    WebAnswer::new(status, JSON, body).with(X_CONTENT_TYPE_OPTIONS, "nosniff")
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
fn status(procedure: Option<&ProcedureDescription>, code: i64) -> StatusCode {
    StatusCode::from_u16(code::get_status(code, procedure))
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
