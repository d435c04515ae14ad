use std::sync::{Arc, Once};
use std::time::Duration;

use ureq::Agent;
use url::Url;

use super::address::{Origin, is_loopback};
use super::credentials::Credentials;
use super::exchange::{Exchange, Transport};
use super::limit::Limit;
use super::options::HttpOptions;
use super::proxy::Proxies;
use super::tls;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// The time limit for getting a description, unless --max-time is given.
const DESCRIPTION: Duration = Duration::from_secs(30);

/// The client of a command. Clones share connections.
#[derive(Clone)]
pub(crate) struct Client(Arc<Inner>);

struct Inner {
    transport: Arc<Transport>,
    options: HttpOptions,
    credentials: Credentials,
    warned_of_insecurity: Once,
    warned_of_plain_text: Once,
}

impl Client {
    /// Reads the files and variables behind the options: tokens, certificates, proxies.
    pub(crate) fn new(options: &HttpOptions, terminal: Terminal) -> Result<Self, Failure> {
        let config = Agent::config_builder()
            .tls_config(tls::config(options)?)
            .timeout_connect(Some(options.connect_timeout))
            .timeout_resolve(Some(options.connect_timeout))
            .max_redirects(0)
            .http_status_as_error(false)
            .max_response_header_size(256 << 10)
            // Proxies depend on the URL.
            .proxy(None)
            .user_agent(concat!("docent/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self(Arc::new(Inner {
            transport: Arc::new(Transport {
                agent: agent(config, options)?,
                proxies: Proxies::new(options)?,
                terminal,
            }),
            options: options.clone(),
            credentials: Credentials::new(options)?,
            warned_of_insecurity: Once::new(),
            warned_of_plain_text: Once::new(),
        })))
    }

    /// Rejects URLs of several origins if there are credentials that all of them would see.
    pub(crate) fn check_origins<'u>(
        &self,
        urls: impl IntoIterator<Item = &'u Url>,
    ) -> Result<(), Failure> {
        if self.0.credentials.is_empty() {
            return Ok(());
        }
        let mut urls = urls.into_iter();
        let Some(first) = urls.next() else {
            return Ok(());
        };
        match urls.find(|url| url.origin() != first.origin()) {
            None => Ok(()),
            Some(other) => Err(Failure::usage(format_args!(
                "the credentials would go to both {} and {}; save one of the descriptions first \
                 (docent describe URL -o FILE), or put user names and passwords in the URLs",
                Origin(first),
                Origin(other)
            ))),
        }
    }

    /// Starts the requests for a description, at a URL that was typed. One time limit applies to all
    /// of them.
    pub(crate) fn exchange(&self, url: &Url) -> Result<Exchange, Failure> {
        let time = self.0.options.max_time.unwrap_or(DESCRIPTION);
        self.start(url, Limit::all(time))
    }

    /// Starts calls to a URL that was typed. They have no time limit unless --max-time is given.
    pub(crate) fn calls(&self, url: &Url) -> Result<Exchange, Failure> {
        self.start(url, Limit::each(self.0.options.max_time))
    }

    /// Starts calls to a URL that was typed, each with a time limit of its own.
    pub(crate) fn trials(&self, url: &Url) -> Result<Exchange, Failure> {
        let time = self.0.options.max_time.unwrap_or(DESCRIPTION);
        self.start(url, Limit::each(Some(time)))
    }

    /// Starts the requests for a document whose service is at another address. They carry no
    /// credentials, which are meant for the service.
    pub(crate) fn anonymous(&self, url: &Url) -> Exchange {
        let time = self.0.options.max_time.unwrap_or(DESCRIPTION);
        let transport = Arc::clone(&self.0.transport);
        Exchange::new(transport, url, Vec::new(), Limit::all(time))
    }

    fn start(&self, url: &Url, limit: Limit) -> Result<Exchange, Failure> {
        let headers = self.0.credentials.for_url(url)?;
        let inner = &self.0;
        if inner.options.insecure {
            inner.warned_of_insecurity.call_once(|| {
                inner.transport.terminal.warn(
                    "docent: warning: --insecure: certificates are not checked, so anybody on the \
                     way can read and change what is sent",
                );
            });
        }
        let is_local = is_loopback(url) || inner.options.unix_socket.is_some();
        if url.scheme() == "http" && !headers.is_empty() && !is_local {
            inner.warned_of_plain_text.call_once(|| {
                inner.transport.terminal.warn(format_args!(
                    "docent: warning: credentials are sent unencrypted to {}; use https if the \
                     service supports it",
                    Origin(url)
                ));
            });
        }
        let transport = Arc::clone(&inner.transport);
        Ok(Exchange::new(transport, url, headers, limit))
    }
}

#[cfg(unix)]
fn agent(config: ureq::config::Config, options: &HttpOptions) -> Result<Agent, Failure> {
    match &options.unix_socket {
        None => Ok(Agent::new_with_config(config)),
        Some(path) => super::unix::agent(config, path),
    }
}

#[cfg(not(unix))]
fn agent(config: ureq::config::Config, options: &HttpOptions) -> Result<Agent, Failure> {
    match &options.unix_socket {
        None => Ok(Agent::new_with_config(config)),
        Some(_) => Err(Failure::usage("--unix-socket needs a Unix system")),
    }
}
