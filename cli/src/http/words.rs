//! Explains why a request failed.

use std::error::Error;
use std::io;
use std::time::Duration;

use docent_describe::json::shorten;
use reqwest::header::HeaderValue;
use rustls::{AlertDescription, CertificateError};
use url::{Position, Url};

use crate::terminal::secrets::MASK;
use docent_tools::request::{bare, without_secrets};

/// The maximum length of a message or a header field that is shown.
const SHOWN: usize = 2000;

/// Returns a URL to show in the details of a request, without its query, which may contain tokens.
pub(super) fn shown(url: &Url) -> String {
    let mut url = bare(url);
    if url.query().is_some() {
        url.set_query(None);
        return format!("{url}?{MASK}");
    }
    url.into()
}

/// Returns the text of a header field, unless it is a secret.
pub(super) fn text(value: &HeaderValue, is_secret: bool) -> String {
    if is_secret {
        return MASK.to_owned();
    }
    start_of(&String::from_utf8_lossy(value.as_bytes()))
}

/// Returns the beginning of a message.
pub(super) fn start_of(body: &str) -> String {
    shorten(body, SHOWN).into_owned()
}

/// Explains why a request failed, and suggests a solution.
pub(super) fn describe(
    error: &reqwest::Error,
    url: &Url,
    proxy: Option<&Url>,
    time: Option<Duration>,
) -> String {
    let authority = |url: &Url| url[Position::BeforeHost..Position::AfterPort].to_owned();
    let refused = causes(error).any(|cause| {
        let error = cause.downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
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
        (Some(proxy), _) if refused => format!("nothing accepts connections at the proxy {proxy}"),
        (None, host) if refused => {
            format!("nothing accepts connections at {host}; is the service running there?")
        }
        _ => match causes(error).find_map(tls_error) {
            Some(error) => tls(error, url),
            None if error.is_request() && proxy.is_none() => {
                format!(
                    "the server does not answer in HTTP; did you mean {}? ({})",
                    other(url),
                    root(error)
                )
            }
            None => root(error),
        },
    }
}

/// Returns the innermost cause of an error.
pub(super) fn root(error: &reqwest::Error) -> String {
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

fn tls(error: &rustls::Error, url: &Url) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => format!(
            "the server does not speak TLS on this port; did you mean {}?",
            other(url)
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

/// Returns the URL with the other scheme.
fn other(url: &Url) -> String {
    let url = without_secrets(url);
    let rest = &url[Position::AfterScheme..];
    let is_https = url.scheme() == "https";
    let scheme = if is_https { "http" } else { "https" };
    format!("{scheme}{rest}")
}
