use std::sync::{Arc, Once};
use std::time::Duration;

use url::Url;

use super::address::{is_loopback, origin};
use super::credentials::HttpCredentials;
use super::exchange::Exchange;
use super::options::RequestOptions;
use super::transport::ClientTransport;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// The time limit for a description or a trial, unless --max-time is given.
const DESCRIPTION: Duration = Duration::from_secs(30);

/// The client of a command.
pub(crate) struct Client {
    transport: Arc<ClientTransport>,
    credentials: HttpCredentials,
    warned_of_insecurity: Once,
    warned_of_plain_text: Once,
}

impl Client {
    /// Reads the files and variables behind the options: tokens, certificates, proxies.
    pub(crate) fn new(options: &RequestOptions, terminal: Terminal) -> Result<Self, Failure> {
        if cfg!(not(unix)) && options.unix_socket.is_some() {
            return Err(Failure::usage("--unix-socket needs a Unix system"));
        }
        Ok(Self {
            transport: Arc::new(ClientTransport::new(options, terminal)?),
            credentials: HttpCredentials::new(options)?,
            warned_of_insecurity: Once::new(),
            warned_of_plain_text: Once::new(),
        })
    }

    /// Rejects URLs of several origins if there are credentials that all of them would see.
    pub(crate) fn check_origins<'u>(
        &self,
        urls: impl IntoIterator<Item = &'u Url>,
    ) -> Result<(), Failure> {
        let mut urls = urls.into_iter().filter(|_| !self.credentials.is_empty());
        let Some(first) = urls.next() else {
            return Ok(());
        };
        match urls.find(|url| url.origin() != first.origin()) {
            None => Ok(()),
            Some(other) => Err(Failure::usage(format_args!(
                "the credentials would go to both {} and {}; save one of the descriptions first \
                 (docent describe URL -o FILE), or put user names and passwords in the URLs",
                origin(first),
                origin(other)
            ))),
        }
    }

    /// Starts requests to a URL that was typed, each with a time limit.
    pub(crate) fn exchange(&self, url: &Url) -> Result<Exchange, Failure> {
        self.start(url, Some(self.time()))
    }

    /// Starts calls to a URL that was typed. They have no time limit unless --max-time is given.
    pub(crate) fn calls(&self, url: &Url) -> Result<Exchange, Failure> {
        self.start(url, self.transport.options.max_time)
    }

    /// Starts the requests for a document whose service is at another address. They carry no
    /// credentials, which are meant for the service.
    pub(crate) fn anonymous(&self, url: &Url) -> Exchange {
        let transport = Arc::clone(&self.transport);
        Exchange::new(transport, url, Vec::new(), Some(self.time()))
    }

    fn time(&self) -> Duration {
        self.transport.options.max_time.unwrap_or(DESCRIPTION)
    }

    fn start(&self, url: &Url, limit: Option<Duration>) -> Result<Exchange, Failure> {
        let headers = self.credentials.for_url(url)?;
        let terminal = self.transport.terminal;
        if self.transport.options.insecure {
            self.warned_of_insecurity.call_once(|| {
                terminal.warn(
                    "docent: warning: --insecure: certificates are not checked, so anybody on the \
                     way can read and change what is sent",
                );
            });
        }
        let is_local = is_loopback(url) || self.transport.options.unix_socket.is_some();
        if url.scheme() == "http" && !headers.is_empty() && !is_local {
            self.warned_of_plain_text.call_once(|| {
                terminal.warn(format_args!(
                    "docent: warning: credentials are sent unencrypted to {}; use https if the \
                     service supports it",
                    origin(url)
                ));
            });
        }
        let transport = Arc::clone(&self.transport);
        Ok(Exchange::new(transport, url, headers, limit))
    }
}
