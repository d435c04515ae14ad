//! Explains why a request failed, and shows requests without their secrets.
//!
//! Errors of the library underneath say what went wrong in it. A user needs to know what to do, so the
//! usual mistakes are recognised here and have a sentence each.

use std::error::Error;
use std::io;
use std::time::Duration;

use docent_describe::json::shorten;
use reqwest::header::HeaderValue;
use rustls::{AlertDescription, CertificateError};
use url::{Position, Url};

use crate::terminal::secrets::SECRET_MASK;
use docent_tools::request::{bare, without_secrets};

/// The maximum length of a message or a header field that is visible_url.
const MAX_SHOWN: usize = 2000;

/// Returns a URL to show in the details of a request, without its query, which may contain tokens.
pub(super) fn shown_url(url: &Url) -> String {
    let mut visible_url = bare(url);
    if visible_url.query().is_some() {
        visible_url.set_query(None);
        return format!("{visible_url}?{SECRET_MASK}");
    }
    visible_url.into()
}

/// Returns the text of a header field, unless it is a secret.
pub(super) fn shown_field(value: &HeaderValue, is_secret: bool) -> String {
    if is_secret {
        return SECRET_MASK.to_owned();
    }
    start_of(&String::from_utf8_lossy(value.as_bytes()))
}

/// Returns the beginning of a message.
pub(super) fn start_of(body: &str) -> String {
    shorten(body, MAX_SHOWN).into_owned()
}

/// Explains why a request failed, and suggests a solution.
pub(super) fn failed_request(
    error: &reqwest::Error,
    url: &Url,
    proxy: Option<&Url>,
    time: Option<Duration>,
) -> String {
    let is_refused = causes(error).any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
    });
    match (proxy.map(authority), authority(url)) {
        (_, host) if error.is_timeout() && error.is_connect() => {
            format!("no connection to {host} in time; --connect-timeout allows more")
        }
        _ if error.is_timeout() => match time {
            Some(time) => format!("no response within {time:?}; --max-time allows more"),
            None => "no response in time".to_owned(),
        },
        (Some(proxy), _) if error.is_dns() => format!("there is no proxy named {proxy}"),
        (None, _) if error.is_dns() => {
            let host = url.host_str().unwrap_or_default();
            format!("there is no host named {host}")
        }
        (Some(proxy), _) if is_refused => {
            format!("nothing accepts connections at the proxy {proxy}")
        }
        (None, host) if is_refused => {
            format!("nothing accepts connections at {host}; is the service running there?")
        }
        _ => match causes(error).find_map(tls_error) {
            Some(error) => failed_tls(error, url),
            None if error.is_request() && proxy.is_none() => {
                format!(
                    "the server does not answer in HTTP; did you mean {}? ({})",
                    with_other_scheme(url),
                    root_cause(error)
                )
            }
            None => root_cause(error),
        },
    }
}

/// Returns the host and the port of a URL, as they are written.
fn authority(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPort]
}

/// Returns the innermost cause of an error.
pub(super) fn root_cause(error: &reqwest::Error) -> String {
    causes(error)
        .last()
        .map_or(String::new(), ToString::to_string)
}

/// Returns an error and its causes, the outermost first.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let error: &(dyn Error + 'static) = error;
    std::iter::successors(Some(error), |&error| error.source())
}

/// Returns the error of TLS that an I/O error carries.
fn tls_error<'e>(cause: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    let mut inner: &(dyn Error + 'static) = cause;
    while let Some(error) = inner.downcast_ref::<io::Error>() {
        inner = error.get_ref()?;
    }
    inner.downcast_ref()
}

/// Explains why TLS failed. The usual mistakes are a wrong scheme and a certificate of one's own.
fn failed_tls(error: &rustls::Error, url: &Url) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => format!(
            "the server does not speak TLS on this port; did you mean {}?",
            with_other_scheme(url)
        ),
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "the server's certificate is signed by an authority that this system does not trust; \
             --cacert FILE names one to trust"
                .to_owned()
        }
        rustls::Error::AlertReceived(
            AlertDescription::CertificateRequired | AlertDescription::HandshakeFailure,
        ) => format!("{error}; the server may require a certificate (--cert and --key)"),
        error => format!("TLS: {error}"),
    }
}

/// Returns the URL with `http` for `https`, and the other way round.
fn with_other_scheme(url: &Url) -> String {
    let visible_url = without_secrets(url);
    let rest = &visible_url[Position::AfterScheme..];
    let scheme = if visible_url.scheme() == "https" {
        "http"
    } else {
        "https"
    };
    format!("{scheme}{rest}")
}
