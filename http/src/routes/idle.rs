//! Settings that cannot have an effect, or only that of rejecting everything.
//!
//! A setting with which no request could ever be served as its author meant is refused. One that only does
//! nothing is told when the server starts, because settings often come from a file.

use url::Host;

use super::settings::Routes;
use crate::origin::is_origin;

impl Routes {
    /// Returns what is wrong with the lists of hosts and origins.
    pub(super) fn mistakes_of_lists(&self) -> Vec<String> {
        let mut mistakes = not_origins("cors", &self.cors_origins);
        #[cfg(feature = "mcp")]
        mistakes.extend(not_origins("mcp_origins", &self.options.mcp_origins));
        let Some(hosts) = &self.options.allowed_hosts else {
            return mistakes;
        };
        if hosts.is_empty() {
            mistakes.push(
                "`allowed_hosts` is empty, so every request would get 421: list the hosts, or leave it out"
                    .to_owned(),
            );
        }
        mistakes.extend(hosts.iter().filter(|host| !is_host(host)).map(|host| {
            format!(
                "{host:?} in `allowed_hosts` is not a host as browsers name it: write one like example.com \
                 or [::1], without a scheme, a port or `*`"
            )
        }));
        mistakes
    }

    /// Logs a warning for each setting without an effect, of the services too.
    pub(super) fn log_warnings(&self) {
        for (path, service) in &self.services {
            for warning in service.warnings() {
                tracing::warn!(path, "{warning}");
            }
        }
        for warning in self.warnings() {
            tracing::warn!("{warning}");
        }
    }

    /// Returns a warning for each setting of pages, which a host of calls alone does not serve.
    #[cfg_attr(
        not(any(feature = "docs", feature = "metrics")),
        expect(clippy::unused_self, reason = "no setting is of pages")
    )]
    pub(super) fn warnings_of_pages(&self) -> Vec<&'static str> {
        #[cfg_attr(
            not(any(feature = "docs", feature = "metrics")),
            expect(unused_mut, reason = "no setting is of pages")
        )]
        let mut warnings = Vec::new();
        #[cfg(feature = "docs")]
        if !self.site_changes.is_empty() {
            warnings.push(
                "`docs` has no effect in a `Mount`; use `AppRoutes`, or an `AppPage` beside it",
            );
        }
        #[cfg(feature = "metrics")]
        if self.serves_metrics {
            warnings.push(
                "a `Mount` does not serve `metrics`; use `count_in`, and an `AppPage` beside it",
            );
        }
        warnings
    }

    /// Returns a warning for each setting without an effect.
    pub(super) fn warnings(&self) -> Vec<&'static str> {
        let mut warnings = self.idle.clone();
        #[cfg(feature = "docs")]
        if !self.has_docs && !self.site_changes.is_empty() {
            warnings.push("`without_docs` takes back every `docs` before it; remove one of them");
        }
        if self.options.body_timeout.is_zero() {
            warnings.push(
                "`body_timeout` is zero, so no body arrives in time; leave it out for the default",
            );
        }
        if self.options.max_buffered_bytes == 0 {
            warnings.push(
                "`max_buffered_bytes` is zero, so a body that arrives in parts has no room; leave it out for the default",
            );
        }
        if self.options.retry_after.is_zero() {
            warnings.push(
                "`retry_after` is zero, and callers are told 1 s anyway; set it to at least that",
            );
        }
        warnings
    }
}

/// Returns what is wrong with the origins that an option lists.
fn not_origins(option: &str, origins: &[String]) -> Vec<String> {
    origins
        .iter()
        .filter(|origin| !is_origin(origin))
        .map(|origin| {
            format!(
                "{origin:?} in `{option}` is not an origin of a page: write each one out, like \
                 https://example.com"
            )
        })
        .collect()
}

/// Returns whether a request can name this host, without a port. Others are written differently there.
fn is_host(text: &str) -> bool {
    !text.contains('*')
        && Host::parse(text).is_ok_and(|host| host.to_string().eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use docent_core::{Cx, Fault, Procedure, Service};

    use super::*;
    use crate::RouteTable;
    use crate::options::HttpOptions;

    fn service() -> Service {
        let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
        let builder = Service::builder("greeter", "urn:example:greeter");
        builder.procedure(hello).build().expect("a service")
    }

    fn routes() -> Routes {
        Routes::new(service())
    }

    fn with(change: impl FnOnce(&mut HttpOptions)) -> Routes {
        routes().options(change)
    }

    fn hosts(hosts: &[&str]) -> Routes {
        let hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
        with(|options| options.allowed_hosts = Some(hosts))
    }

    /// A method, routes for which it is called with a useless value, and words of the answer.
    type Row = (&'static str, Routes, &'static str);

    /// Returns the rows about HTTP options.
    fn options() -> Vec<Row> {
        Vec::from([
            ("options", hosts(&[]), "every request would get 421"),
            (
                "options",
                hosts(&["example.com:8080"]),
                "not a host as browsers name it",
            ),
            (
                "options",
                hosts(&["https://example.com"]),
                "not a host as browsers name it",
            ),
            (
                "options",
                hosts(&["*.example.com"]),
                "not a host as browsers name it",
            ),
            ("options", hosts(&["::1"]), "not a host as browsers name it"),
            (
                "options",
                hosts(&["b\u{fc}cher.example"]),
                "not a host as browsers name it",
            ),
            #[cfg(feature = "mcp")]
            (
                "options",
                with(|options| options.mcp_origins = vec!["*".to_owned()]),
                "not an origin of a page",
            ),
            (
                "options",
                with(|options| options.body_timeout = Duration::ZERO),
                "no body arrives",
            ),
            (
                "options",
                with(|options| options.max_buffered_bytes = 0),
                "has no room",
            ),
            (
                "options",
                with(|options| options.retry_after = Duration::ZERO),
                "1 s anyway",
            ),
        ])
    }

    /// Returns the rows about all other methods.
    fn methods() -> Vec<Row> {
        Vec::from([
            ("at", Routes::at("/a b", service()), "no request can reach"),
            (
                "cors",
                routes().cors(["https://*.example"]),
                "not an origin of a page",
            ),
            (
                "cors",
                routes().cors(["https://example.com/"]),
                "not an origin of a page",
            ),
            (
                "cors",
                routes().cors(["ws://example.com"]),
                "not an origin of a page",
            ),
            ("cors", routes().cors([""; 0]), "lists no origin"),
            #[cfg(feature = "metrics")]
            (
                "count_in",
                routes().metrics().count_in(&crate::metrics::Metrics::new()),
                "only the last one",
            ),
            #[cfg(feature = "docs")]
            (
                "docs",
                routes().docs(|site| site.title("Greetings")).without_docs(),
                "takes back every `docs`",
            ),
            #[cfg(feature = "mcp")]
            (
                "mcp_at",
                routes().mcp_at("/tools", "/rpc"),
                "this service has no tools",
            ),
            #[cfg(feature = "metrics")]
            (
                "metrics",
                routes().count_in(&crate::metrics::Metrics::new()).metrics(),
                "only the last one",
            ),
            (
                "mount",
                routes().mount("/rpc", service()),
                "two services are mounted",
            ),
            ("nested_at", routes().nested_at("/"), "names no path"),
            #[cfg(feature = "websocket")]
            (
                "websocket",
                routes().websocket().without_upgrades(),
                "has no effect in an `App`",
            ),
            #[cfg(feature = "docs")]
            (
                "without_docs",
                routes().docs(|site| site).without_docs(),
                "takes back every `docs`",
            ),
            #[cfg(feature = "mcp")]
            (
                "without_mcp",
                routes().mcp_at("/tools", "/rpc").without_mcp(),
                "takes back every `mcp_at`",
            ),
        ])
    }

    #[test]
    fn a_value_without_an_effect_is_refused_or_reported() {
        for (method, routes, phrase) in methods().into_iter().chain(options()) {
            let mut texts: Vec<_> = routes.warnings().into_iter().map(str::to_owned).collect();
            if let Err(refusal) = RouteTable::new(&routes) {
                texts.push(refusal.to_string());
            }
            assert!(
                texts.iter().any(|text| text.contains(phrase)),
                "{method}: {texts:?}"
            );
        }
    }

    #[cfg(all(
        feature = "docs",
        feature = "mcp",
        feature = "metrics",
        feature = "websocket"
    ))]
    #[test]
    fn every_method_of_routes_is_in_the_table() {
        /// Methods without a value, or all of whose values have an effect.
        const ALWAYS_EFFECTIVE: [&str; 4] = ["new", "ready", "announcement", "without_upgrades"];

        let mut known: std::collections::BTreeSet<_> = methods()
            .into_iter()
            .chain(options())
            .map(|(method, ..)| method)
            .collect();
        known.extend(ALWAYS_EFFECTIVE);
        for method in golden::public_methods("http", "Routes") {
            assert!(known.contains(&*method), "{method} needs a row");
        }
    }

    #[test]
    fn hosts_and_origins_as_browsers_write_them_are_accepted() {
        let routes = hosts(&[
            "localhost",
            "Example.COM",
            "192.0.2.1",
            "[::1]",
            "xn--bcher-kva.example",
        ])
        .cors([
            "https://example.com",
            "http://localhost:3000",
            "https://b\u{fc}cher.example",
        ]);
        assert!(RouteTable::new(&routes).is_ok());
        assert!(routes.warnings().is_empty());
    }
}
