//! Chooses the proxy of a request.

use std::env;

use url::Url;

use super::address::is_loopback;
use super::credentials::basic;
use super::options::RequestOptions;
use crate::failure::Failure;

/// The proxies from the options, or from the environment.
#[derive(Debug, Default)]
pub(super) struct Proxies {
    /// The proxy for every URL.
    given: Option<Url>,
    http: Option<Url>,
    https: Option<Url>,
    /// The hosts for which the proxies of the environment are not used.
    direct: Vec<String>,
}

impl Proxies {
    pub(super) fn new(options: &RequestOptions) -> Result<Self, Failure> {
        if let Some(text) = &options.proxy {
            let given = Some(parse("--proxy", text)?);
            return Ok(Self {
                given,
                ..Self::default()
            });
        }
        let variable = |name: &str| {
            let found = env::var(name).or_else(|_| env::var(name.to_ascii_uppercase()));
            found.ok().filter(|value| !value.is_empty())
        };
        let found = |name: &str| {
            let text = variable(name);
            text.map(|text| parse(&format!("the variable {name}"), &text))
                .transpose()
        };
        let all = found("all_proxy")?;
        let direct = variable("no_proxy").unwrap_or_default();
        let direct = direct.split(',').map(|it| it.trim().to_ascii_lowercase());
        Ok(Self {
            given: None,
            http: found("http_proxy")?.or_else(|| all.clone()),
            https: found("https_proxy")?.or(all),
            direct: direct.filter(|it| !it.is_empty()).collect(),
        })
    }

    /// Returns the proxy for a URL, if there is one.
    pub(super) fn proxy(&self, url: &Url) -> Option<&Url> {
        match (&self.given, url.scheme()) {
            (Some(given), _) => Some(given),
            (None, _) if is_loopback(url) || self.is_direct(url) => None,
            (None, "http") => self.http.as_ref(),
            (None, _) => self.https.as_ref(),
        }
    }

    /// Returns whether `no_proxy` names the host: `*`, the host itself, or a domain that it is in.
    fn is_direct(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let port = url.port_or_known_default().map(|port| format!(":{port}"));
        self.direct.iter().any(|named| {
            let without_port = port.as_deref().and_then(|port| named.strip_suffix(port));
            let named = without_port.unwrap_or(named);
            let domain = named.trim_start_matches("*.").trim_start_matches('.');
            let before = host.strip_suffix(domain);
            named == "*" || before.is_some_and(|it| it.is_empty() || it.ends_with('.'))
        })
    }
}

/// Parses the URL of a proxy. `place` says where it is written.
fn parse(place: &str, text: &str) -> Result<Url, Failure> {
    let text = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    // The text may contain a password, so the message does not quote it.
    let url = Url::parse(&text)
        .map_err(|error| Failure::usage(format_args!("{place}: not a URL: {error}")))?;
    // This masks the password from here on.
    basic(&url);
    match url.scheme() {
        "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h" => Ok(url),
        other => Err(Failure::usage(format_args!(
            "{place}: {other}:// is no proxy; use http://, https://, socks4:// or socks5://"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().expect("a URL")
    }

    #[test]
    fn no_proxy_names_hosts_and_domains() {
        let proxies = |direct: &str| Proxies {
            direct: vec![direct.to_owned()],
            ..Proxies::default()
        };
        for (direct, host, expected) in [
            ("*", "http://a.example/", true),
            ("example", "http://a.example/", true),
            (".example", "http://a.example/", true),
            ("*.example", "http://a.example/", true),
            ("a.example:80", "http://a.example/", true),
            ("a.example:81", "http://a.example/", false),
            ("ample", "http://a.example/", false),
            ("10.0.0.1", "http://10.0.0.1:8080/", true),
        ] {
            assert_eq!(proxies(direct).is_direct(&url(host)), expected, "{direct}");
        }
    }

    #[test]
    fn this_machine_is_asked_directly_unless_a_proxy_was_given() {
        let proxy = Some(url("http://me:pass@proxy:3128"));
        let environment = Proxies {
            http: proxy.clone(),
            ..Proxies::default()
        };
        let used = |proxies: &Proxies, to| proxies.proxy(&url(to)).cloned();
        assert_eq!(used(&environment, "http://localhost/"), None);
        assert_eq!(used(&environment, "http://a.example/"), proxy);
        assert_eq!(used(&environment, "https://a.example/"), None);
        let given = Proxies {
            given: proxy.clone(),
            ..Proxies::default()
        };
        assert_eq!(used(&given, "http://localhost/"), proxy);
        assert_eq!(used(&given, "https://a.example/"), proxy);
    }

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        let refused = parse("--proxy", "ftp://me:swordfish@a").expect_err("no proxy");
        assert!(!refused.messages[0].contains("fish"));
        let bare = parse("--proxy", "proxy:3128").expect("a proxy");
        assert_eq!(bare, url("http://proxy:3128"));
    }
}
