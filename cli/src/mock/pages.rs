//! The HTTP of a mock: calls by POST and GET, subscriptions as events, the description, and the reference site.
//!
//! Statuses and caching are those that the description promises, as far as a client relies on them.
//! The contract of a real service, with its limits and codings, is in `docent-http`.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use docent_core::code;
use docent_describe::json::Json;
use docent_describe::{ProcedureDescription, ServiceDescription};
use docent_docs_gen::Site;
use http::header::{
    ACCEPT, ALLOW, CACHE_CONTROL, ETAG, IF_NONE_MATCH, LOCATION, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderName, Method, StatusCode};
use percent_encoding::percent_decode_str;
use url::form_urlencoded;

use super::responder::{Responder, response};
#[cfg(feature = "websocket")]
use super::socket;
use super::stream::MockStream;
use crate::failure::Failure;
use crate::http::{EVENTS_TYPE, LAST_EVENT_ID};
use crate::web::{WebRequest, WebResponse};

/// The path of the service.
pub(super) const MOUNT_PATH: &str = "/rpc";

const JSON_TYPE: &str = "application/json";

/// A mock, and the pages beside it.
pub(super) struct MockPages {
    responder: Arc<Responder>,
    /// The reference site, served as a live service would.
    site: Site,
}

impl MockPages {
    pub(super) fn new(description: ServiceDescription, origin: &str) -> Result<Self, Failure> {
        let description = Arc::new(description);
        let site = Site::builder(Arc::clone(&description))
            .address(format!("..{MOUNT_PATH}"))
            .live(true)
            .base_url(format!("{origin}/docs/"))
            .build()
            .map_err(Failure::of_site)?;
        Ok(Self {
            responder: Arc::new(Responder::new(description)),
            site,
        })
    }

    /// Returns warnings of the procedures that no result can be made for.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        self.responder.without_result().map(|procedure| {
            let name = &procedure.name;
            format!("no result can be made for `{name}`; give it an example")
        })
    }

    /// Responds to a request, by its method and its path.
    pub(super) fn respond(&self, request: &WebRequest) -> WebResponse {
        let path = request.uri().path();
        let below = path
            .strip_prefix(MOUNT_PATH)
            .map(|rest| rest.strip_prefix('/').unwrap_or(rest));
        match (request.method(), below) {
            (&Method::POST, _) => self.post(request),
            #[cfg(feature = "websocket")]
            (&Method::GET, Some("")) if socket::is_asked(request) => {
                socket::accept(request, Arc::clone(&self.responder))
            }
            (&Method::GET | &Method::HEAD, Some("")) => {
                json_response(StatusCode::OK, self.responder.description().to_string())
            }
            (&Method::GET | &Method::HEAD, Some(name)) => self.get(name, request),
            (&Method::GET | &Method::HEAD, None) => self.page(path),
            _ => WebResponse::plain(StatusCode::METHOD_NOT_ALLOWED).with(ALLOW, "GET, HEAD, POST"),
        }
    }

    fn post(&self, request: &WebRequest) -> WebResponse {
        let mut stream = stream(request);
        let answer = self.responder.exchange(request.body(), stream.as_mut());
        if let (Some(stream), Some(answer)) = (&mut stream, &answer)
            && stream.has_opened()
        {
            return events_response(stream, answer);
        }
        match answer {
            Some(answer) => json_response(StatusCode::OK, answer).with(CACHE_CONTROL, "no-store"),
            None => WebResponse::new(StatusCode::NO_CONTENT, JSON_TYPE, ""),
        }
    }

    /// Responds to a call with GET.
    fn get(&self, name: &str, request: &WebRequest) -> WebResponse {
        let name = percent_decode_str(name).decode_utf8_lossy();
        let query_text = request.uri().query().unwrap_or_default();
        let query: Vec<_> = form_urlencoded::parse(query_text.as_bytes())
            .into_owned()
            .collect();
        let mut stream = stream(request);
        let (procedure, outcome) = self.responder.query(&name, &query, stream.as_mut());
        let body = response(&outcome, "null");
        if let Some(stream) = &mut stream
            && stream.has_opened()
        {
            return events_response(stream, &body);
        }
        let Err(error) = outcome else {
            let mut hasher = DefaultHasher::new();
            body.hash(&mut hasher);
            let tag = format!("\"{:016x}\"", hasher.finish());
            let known = request.headers().get(IF_NONE_MATCH);
            let answer = if known.is_some_and(|known| *known == *tag) {
                WebResponse::new(StatusCode::NOT_MODIFIED, JSON_TYPE, "")
            } else {
                json_response(StatusCode::OK, body)
            };
            return answer
                .with(ETAG, &tag)
                .with(CACHE_CONTROL, &cache_control(procedure));
        };
        let code = error.get("code").and_then(Json::as_i64).unwrap_or_default();
        if code == code::CANNOT_RESUME && stream.is_some_and(|stream| stream.is_after_end()) {
            // A browser does not come back after this.
            return WebResponse::plain(StatusCode::NO_CONTENT);
        }
        let status = error_status(procedure, code);
        let answer = json_response(status, body).with(CACHE_CONTROL, "no-store");
        match code {
            code::NOT_CALLABLE_WITH_GET => answer.with(ALLOW, "POST, OPTIONS"),
            _ => answer,
        }
    }

    /// Responds with a page of the reference site.
    fn page(&self, path: &str) -> WebResponse {
        let Some(path) = path.strip_prefix("/docs/") else {
            return WebResponse::plain(StatusCode::SEE_OTHER).with(LOCATION, "/docs/");
        };
        let path = percent_decode_str(path).decode_utf8_lossy();
        match self.site.page(&path) {
            Some(page) => WebResponse::new(StatusCode::OK, page.content_type, page.bytes),
            None => WebResponse::plain(StatusCode::NOT_FOUND),
        }
    }
}

/// Returns the stream for the items of a subscription, if a request takes events.
fn stream(request: &WebRequest) -> Option<MockStream> {
    let accepted = field(request, ACCEPT)?;
    accepted
        .contains(EVENTS_TYPE)
        .then(|| MockStream::after(field(request, LAST_EVENT_ID)))
}

fn field(request: &WebRequest, name: HeaderName) -> Option<&str> {
    request.headers().get(name)?.to_str().ok()
}

fn events_response(stream: &mut MockStream, answer: &str) -> WebResponse {
    WebResponse::new(StatusCode::OK, EVENTS_TYPE, stream.events(answer))
        .with(CACHE_CONTROL, "no-store")
        .with(VARY, "Accept")
}

fn json_response(status: StatusCode, body: String) -> WebResponse {
    WebResponse::new(status, JSON_TYPE, body).with(X_CONTENT_TYPE_OPTIONS, "nosniff")
}

/// Returns the `Cache-Control` that the description promises.
fn cache_control(procedure: Option<&ProcedureDescription>) -> String {
    let Some(cache) = procedure.and_then(|procedure| procedure.cache.as_ref()) else {
        return "no-cache".to_owned();
    };
    let scope = if cache.shared { "public" } else { "private" };
    format!("{scope}, max-age={}", cache.max_age.as_secs())
}

/// Returns the status of an error in answer to a GET.
fn error_status(procedure: Option<&ProcedureDescription>, code: i64) -> StatusCode {
    StatusCode::from_u16(code::get_status(code, procedure))
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}
