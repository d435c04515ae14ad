//! Chooses the proxy of a request.

use std::env;

use ureq::Proxy;
use url::Url;

use super::address::is_loopback;
use super::credentials::basic;
use super::options::HttpOptions;
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

/// The way to send a request, with or without a proxy.
#[derive(Debug)]
pub(super) enum Route {
    Direct,
    /// Through a tunnel.
    Tunnel(Proxy),
    /// A request to the proxy that names the whole URL, with these credentials. Proxies often allow
    /// tunnels only to the port of https.
    Whole(Url, Option<String>),
}

impl Proxies {
    pub(super) fn new(options: &HttpOptions) -> Result<Self, Failure> {
        let variable = |name: &str| {
            let lower = env::var(name).ok();
            let found = lower.or_else(|| env::var(name.to_ascii_uppercase()).ok());
            found.filter(|value| !value.is_empty())
        };
        let found = |name: &str| match variable(name) {
            Some(text) => parse(&text)
                .map(Some)
                .map_err(|reason| Failure::usage(format_args!("the variable {name}: {reason}"))),
            None => Ok(None),
        };
        if let Some(text) = &options.proxy {
            let given =
                parse(text).map_err(|reason| Failure::usage(format_args!("--proxy: {reason}")))?;
            return Ok(Self {
                given: Some(given),
                ..Self::default()
            });
        }
        if options.unix_socket.is_some() {
            return Ok(Self::default());
        }
        let all = found("all_proxy")?;
        let direct = variable("no_proxy").unwrap_or_default();
        Ok(Self {
            given: None,
            http: found("http_proxy")?.or_else(|| all.clone()),
            https: found("https_proxy")?.or(all),
            direct: direct
                .split(',')
                .map(|it| it.trim().to_ascii_lowercase())
                .collect(),
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

    /// Returns the route to a URL.
    pub(super) fn route(&self, url: &Url) -> Result<Route, String> {
        let Some(proxy) = self.proxy(url) else {
            return Ok(Route::Direct);
        };
        if url.scheme() == "http" && matches!(proxy.scheme(), "http" | "https") {
            return Ok(Route::Whole(proxy.clone(), basic(proxy)));
        }
        // This masks the password of the proxy's URL from here on.
        basic(proxy);
        let tunnel = Proxy::new(proxy.as_str()).map_err(|error| error.to_string())?;
        Ok(Route::Tunnel(tunnel))
    }

    /// Returns whether `no_proxy` names the host: `*`, the host itself, or a domain that it is in.
    fn is_direct(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let port = url.port_or_known_default().map(|port| format!(":{port}"));
        self.direct.iter().filter(|it| !it.is_empty()).any(|named| {
            let named = match &port {
                Some(port) => named.strip_suffix(port.as_str()).unwrap_or(named),
                None => named,
            };
            let domain = named.trim_start_matches("*.").trim_start_matches('.');
            named == "*"
                || host == domain
                || host
                    .strip_suffix(domain)
                    .is_some_and(|sub| sub.ends_with('.'))
        })
    }
}

fn parse(text: &str) -> Result<Url, String> {
    let text = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    // The text may contain a password, so the message does not quote it.
    let url = Url::parse(&text).map_err(|error| format!("not a URL: {error}"))?;
    match url.scheme() {
        "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h" | "socks" => Ok(url),
        other => Err(format!(
            "{other}:// is no proxy; use http://, https://, socks4:// or socks5://"
        )),
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
            ("", "http://a.example/", false),
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
        let route = |proxies: &Proxies, to| proxies.route(&url(to)).expect("a way");
        assert!(matches!(
            route(&environment, "http://localhost/"),
            Route::Direct
        ));
        assert!(matches!(
            route(&environment, "http://a.example/"),
            Route::Whole(_, Some(_))
        ));
        assert!(matches!(
            route(&environment, "https://a.example/"),
            Route::Direct
        ));
        let given = Proxies {
            given: proxy,
            ..Proxies::default()
        };
        assert!(matches!(
            route(&given, "http://localhost/"),
            Route::Whole(..)
        ));
        assert!(matches!(
            route(&given, "https://a.example/"),
            Route::Tunnel(_)
        ));
    }

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        assert!(parse("ftp://me:swordfish@a").is_err_and(|it| !it.contains("fish")));
        assert_eq!(parse("proxy:3128"), Ok(url("http://proxy:3128")));
    }
}
