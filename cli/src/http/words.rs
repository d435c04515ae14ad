//! Explains why a request failed.

use std::io;
use std::time::Duration;

use docent_describe::json::shorten;
use rustls::{AlertDescription, CertificateError};
use ureq::http::HeaderValue;
use ureq::{Error, Timeout};
use url::Url;

use super::address::{bare, without_secrets};
use crate::terminal::secrets::MASK;

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

/// Returns the text of a header field.
pub(super) fn text(value: &HeaderValue) -> String {
    shorten(&String::from_utf8_lossy(value.as_bytes()), SHOWN).into_owned()
}

/// Returns the beginning of a message.
pub(super) fn start_of(body: &str) -> String {
    shorten(body, SHOWN).into_owned()
}

/// Explains why a request failed, and suggests a solution.
pub(super) fn describe(
    error: &Error,
    url: &Url,
    proxy: Option<&Url>,
    time: Option<Duration>,
) -> String {
    if let Some(reason) = proxy.and_then(|proxy| unreachable_proxy(error, proxy)) {
        return reason;
    }
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    match error {
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            format!("no connection to {host} in time; --connect-timeout allows more")
        }
        Error::Timeout(_) => match time {
            Some(time) => format!("no response within {time:?}; --max-time allows more"),
            None => "no response in time".to_owned(),
        },
        Error::BodyExceedsLimit(limit) => {
            format!("the response is larger than {} MiB", limit >> 20)
        }
        Error::HostNotFound => no_host(url),
        Error::Rustls(error) => tls(error, url),
        Error::Io(error) => of_io(error, url),
        Error::ConnectProxyFailed(reason) => format!("the proxy refused: {reason}"),
        Error::Protocol(_) if url.scheme() == "http" => {
            format!(
                "the response is not HTTP; if the server expects TLS, use {}",
                other(url)
            )
        }
        Error::Protocol(_) => "the response is not HTTP".to_owned(),
        error => error.to_string(),
    }
}

/// Explains why a proxy cannot be reached, if that is the reason: all connections go to it.
fn unreachable_proxy(error: &Error, proxy: &Url) -> Option<String> {
    let place = &proxy[url::Position::BeforeHost..url::Position::AfterPort];
    let is_lookup = |error: &io::Error| error.to_string().contains("lookup address");
    match error {
        Error::HostNotFound => Some(format!("there is no proxy named {place}")),
        Error::Io(error) if is_lookup(error) => Some(format!("there is no proxy named {place}")),
        Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            Some(format!("nothing accepts connections at the proxy {place}"))
        }
        _ => None,
    }
}

fn of_io(error: &io::Error, url: &Url) -> String {
    if let Some(error) = error.get_ref().and_then(|it| it.downcast_ref()) {
        return tls(error, url);
    }
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            format!("nothing accepts connections at {host}; is the service running there?")
        }
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset
            if url.scheme() == "https" =>
        {
            format!(
                "the server closed the connection instead of speaking TLS; did you mean {}?",
                other(url)
            )
        }
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => format!(
            "the server closed the connection without a response; if it expects TLS, use {}",
            other(url)
        ),
        _ if error.to_string().contains("lookup address") => no_host(url),
        _ => error.to_string(),
    }
}

fn no_host(url: &Url) -> String {
    format!(
        "there is no host named {}",
        url.host_str().unwrap_or_default()
    )
}

fn tls(error: &rustls::Error, url: &Url) -> String {
    match error {
        rustls::Error::InvalidMessage(_) => format!(
            "the server does not speak TLS on this port; did you mean {}?",
            other(url)
        ),
        rustls::Error::InvalidCertificate(reason) => certificate(reason, url),
        rustls::Error::AlertReceived(
            AlertDescription::CertificateRequired | AlertDescription::HandshakeFailure,
        ) => format!("{error}; the server may require a certificate (--cert and --key)"),
        error => format!("TLS: {error}"),
    }
}

fn certificate(reason: &CertificateError, url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match reason {
        CertificateError::UnknownIssuer => "the server's certificate is signed by an authority \
             that this system does not trust; --cacert FILE names one to trust"
            .to_owned(),
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the server's certificate has expired".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the server's certificate is not valid yet; is the clock right?".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!("the server's certificate is not for {host}")
        }
        // `openssl req -x509` makes such certificates by default.
        CertificateError::Other(reason) if format!("{reason:?}").contains("CaUsedAsEndEntity") => {
            "the server's certificate is that of an authority, which cannot be a server's own; make one \
             with basicConstraints CA:FALSE"
                .to_owned()
        }
        other => format!("the server's certificate is not valid: {other:?}"),
    }
}

/// Returns the URL with the other scheme.
fn other(url: &Url) -> String {
    let url = without_secrets(url);
    let rest = &url[url::Position::AfterScheme..];
    let scheme = if url.scheme() == "https" {
        "http"
    } else {
        "https"
    };
    format!("{scheme}{rest}")
}
