//! Calls by web pages of other origins (CORS, as the Fetch standard has it).
//!
//! A browser asks before it sends a call, and hides the answer unless the server names the page's
//! origin. Docent also does not run what comes from an origin that is not listed. Which fields a guard
//! reads is not known here, so a preflight allows those that it asks for: the origin is trusted.
//!
//! Documents about the services, such as `/openapi.json`, are for the same pages. Reading one changes nothing, so a
//! page that is not listed gets the response as it is, which its browser hides from it.

use std::borrow::Cow;

use http::{HeaderName, Method, StatusCode, header};

use crate::address::Address;
use crate::endpoint::Endpoint;
use crate::origin;
use crate::request::Request;
use crate::request_error::invalid_request;
use crate::response::Response;

/// The time in seconds for which a browser need not ask again.
const PREFLIGHT_SECONDS: &str = "600";

/// The methods that a document accepts.
const DOCUMENT_METHODS: &str = "GET, HEAD";

/// The fields of a response that scripts can read anyway, and the one that they must not.
const UNEXPOSED_FIELDS: [HeaderName; 3] = [
    header::CACHE_CONTROL,
    header::CONTENT_TYPE,
    header::SET_COOKIE,
];

/// The page that a request comes from, as far as it matters.
#[derive(Debug)]
pub(crate) enum RequestingPage {
    /// The service is not open to other origins.
    Unasked,
    /// The request comes from no page.
    None,
    /// The page may call. This is its origin, as the browser writes it.
    Listed(String),
    /// The page may not call.
    Foreign,
}

impl RequestingPage {
    /// Returns the page that a request comes from.
    pub(crate) fn new(request: &Request<'_>, endpoint: &Endpoint) -> Self {
        let options = &endpoint.options;
        if options.cors_origins.is_empty() {
            return Self::Unasked;
        }
        let mut origins = request.headers.get_all("origin");
        let Some(origin) = origins.next() else {
            return Self::None;
        };
        let address = endpoint.service.description().address.as_deref();
        match str::from_utf8(origin) {
            Ok(text)
                if origins.next().is_none()
                    && origin::may_call(text, request, address, &options.cors_origins) =>
            {
                Self::Listed(text.to_owned())
            }
            _ => Self::Foreign,
        }
    }

    /// Returns the response to a request that does not become a call: a preflight, or what comes from a
    /// foreign page.
    pub(crate) fn response(
        &self,
        request: &Request<'_>,
        endpoint: &Endpoint,
        address: &Address<'_>,
    ) -> Option<Response> {
        match self {
            Self::Foreign => Some(endpoint.fail(
                request,
                StatusCode::FORBIDDEN,
                invalid_request("pages of this origin may not call the service"),
            )),
            Self::Listed(_) => preflight(request, endpoint.allowed(address)),
            _ => None,
        }
    }

    /// Returns the response to the preflight for a document, if it is one of a page that may read it.
    pub(crate) fn preflight_for_document(&self, request: &Request<'_>) -> Option<Response> {
        match self {
            Self::Listed(_) => preflight(request, DOCUMENT_METHODS),
            _ => None,
        }
    }

    /// Adds the fields that let the page read a response, and keep caches from mixing origins.
    pub(crate) fn open(&self, response: &mut Response) {
        if matches!(self, Self::Unasked) {
            return;
        }
        response.set(header::VARY, vary_with_origin(response));
        let Self::Listed(origin) = self else {
            return;
        };
        // A browser would take the list of a 304 in place of that of the response that it has.
        if response.status != StatusCode::NOT_MODIFIED {
            let exposed = exposed_fields(response);
            response.set(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        }
        response.set(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        response.set(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, "true");
    }
}

/// Returns the value of `Vary` with which caches keep a response for one origin apart from that for another.
fn vary_with_origin(response: &Response) -> Cow<'static, str> {
    for (name, fields) in &response.fields {
        if *name == header::VARY {
            return match &**fields {
                "*" => fields.clone(),
                _ => format!("{fields}, Origin").into(),
            };
        }
    }
    Cow::Borrowed("Origin")
}

/// Returns the names of the fields that scripts may read: all of the response, and the ID that the carrier adds.
fn exposed_fields(response: &Response) -> String {
    let mut exposed = vec!["x-request-id"];
    for (name, _) in &response.fields {
        if !UNEXPOSED_FIELDS.contains(name) && !exposed.contains(&name.as_str()) {
            exposed.push(name.as_str());
        }
    }
    exposed.join(", ")
}

/// Returns what a page may send to an address that accepts these methods, or `None` if the request does not ask for
/// that.
fn preflight(request: &Request<'_>, methods: &'static str) -> Option<Response> {
    if request.method != Method::OPTIONS {
        return None;
    }
    request.headers.get("access-control-request-method")?;
    let asked = request.headers.get_str("access-control-request-headers");
    let mut response = Response::new(StatusCode::NO_CONTENT)
        .with(header::ACCESS_CONTROL_ALLOW_METHODS, methods)
        .with(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS);
    if let Some(asked) = asked.filter(|asked| is_list_of_names(asked)) {
        response.set(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.to_owned());
    }
    Some(response)
}

/// Returns whether a text is a list of names of fields.
fn is_list_of_names(text: &str) -> bool {
    text.split(',')
        .all(|name| HeaderName::from_bytes(name.trim().as_bytes()).is_ok())
}
