//! Makes HTTP requests, within limits.
//!
//! Redirects are followed here and not by the HTTP client: a POST stays a POST, encrypted requests
//! stay encrypted, and credentials go only to the host that they were meant for.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use ureq::http::StatusCode;
use ureq::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LOCATION};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, Timeout};
use url::Url;

use super::address::{bare, without_secrets};

const CONNECT: Duration = Duration::from_secs(10);
const TOTAL: Duration = Duration::from_secs(30);
const REDIRECTS: usize = 3;
const MAX_BODY: u64 = 64 << 20;

/// All requests for one input, with one time limit for all of them.
pub(super) struct Exchange {
    agent: Agent,
    origin: Url,
    authorization: Option<String>,
    deadline: Instant,
}

/// A response.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) body: Vec<u8>,
    /// The URL of the response, after redirects.
    pub(super) url: Url,
}

impl Exchange {
    pub(super) fn new(origin: &Url) -> Self {
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier);
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .timeout_connect(Some(CONNECT))
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("docent/", env!("CARGO_PKG_VERSION")));
        Self {
            agent: config.build().new_agent(),
            authorization: authorization(origin),
            origin: origin.clone(),
            deadline: Instant::now() + TOTAL,
        }
    }

    /// Sends a message by POST, or a GET if there is no message.
    pub(super) fn ask(&self, message: Option<&str>) -> Result<Answer, String> {
        let mut url = self.origin.clone();
        let mut message = message;
        for _ in 0..=REDIRECTS {
            let mut response = self.once(&url, message).map_err(|error| describe(&error))?;
            let status = response.status();
            let location = response
                .headers()
                .get(LOCATION)
                .filter(|_| is_redirect(status));
            let Some(location) = location else {
                let body = response
                    .body_mut()
                    .with_config()
                    .limit(MAX_BODY)
                    .read_to_vec();
                let body = body.map_err(|error| describe(&error))?;
                return Ok(Answer { status, body, url });
            };
            let target = location
                .to_str()
                .ok()
                .and_then(|location| url.join(location).ok());
            let target = target.ok_or_else(|| format!("HTTP {status}, to an invalid URL"))?;
            url = next(&url, &target)?;
            if status == StatusCode::SEE_OTHER {
                message = None;
            }
        }
        Err(format!("more than {REDIRECTS} redirects"))
    }

    fn once(&self, url: &Url, message: Option<&str>) -> Result<ureq::http::Response<Body>, Error> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        // URLs with the same scheme, host and port have the same origin.
        let is_meant = url.origin() == self.origin.origin();
        let authorization = self.authorization.as_deref().filter(|_| is_meant);
        let address = bare(url);
        if let Some(message) = message {
            let mut request = self
                .agent
                .post(address.as_str())
                .header(CONTENT_TYPE, "application/json");
            if let Some(authorization) = authorization {
                request = request.header(AUTHORIZATION, authorization);
            }
            let request = request.header(ACCEPT, "application/json");
            request
                .config()
                .timeout_global(Some(left))
                .build()
                .send(message)
        } else {
            let mut request = self.agent.get(address.as_str());
            if let Some(authorization) = authorization {
                request = request.header(AUTHORIZATION, authorization);
            }
            let request = request.header(ACCEPT, "application/json, */*;q=0.1");
            request.config().timeout_global(Some(left)).build().call()
        }
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Returns where to follow a redirect, or an error if it must not be followed.
fn next(from: &Url, to: &Url) -> Result<Url, String> {
    match (from.scheme(), to.scheme()) {
        ("https", "http") => Err(format!(
            "a redirect from https to http, to {}",
            without_secrets(to)
        )),
        (_, "http" | "https") => Ok(bare(to)),
        (_, scheme) => Err(format!("a redirect to a URL with the scheme {scheme}")),
    }
}

/// Returns the credentials in the URL as a header value (RFC 7617).
fn authorization(url: &Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut user: Vec<u8> = percent_decode_str(url.username()).collect();
    user.push(b':');
    user.extend(percent_decode_str(url.password().unwrap_or_default()));
    Some(format!("Basic {}", STANDARD.encode(user)))
}

fn describe(error: &Error) -> String {
    match error {
        Error::Timeout(Timeout::Connect) => {
            format!("no connection within {} s", CONNECT.as_secs())
        }
        Error::Timeout(_) => format!("no response within {} s", TOTAL.as_secs()),
        Error::BodyExceedsLimit(limit) => {
            format!("the response is larger than {} MiB", limit >> 20)
        }
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("an address")
    }

    #[test]
    fn what_was_encrypted_stays_encrypted() {
        assert!(
            next(&url("https://a/"), &url("http://a/x?secret"))
                .is_err_and(|reason| !reason.contains("secret"))
        );
        assert_eq!(
            next(&url("http://a/"), &url("https://b/")),
            Ok(url("https://b/"))
        );
        assert!(next(&url("http://a/"), &url("file:///etc/passwd")).is_err());
    }

    #[test]
    fn a_redirect_brings_no_name_of_its_own() {
        assert_eq!(
            next(&url("http://a/"), &url("http://me:pass@a/x#y")),
            Ok(url("http://a/x"))
        );
    }

    #[test]
    fn names_and_passwords_are_decoded_before_they_are_sent() {
        assert_eq!(authorization(&url("http://a/")), None);
        assert_eq!(
            authorization(&url("http://m%40e:p%3Ass@a/")).as_deref(),
            Some("Basic bUBlOnA6c3M=")
        );
        assert_eq!(
            authorization(&url("http://me@a/")).as_deref(),
            Some("Basic bWU6")
        );
    }
}
