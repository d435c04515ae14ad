//! The client of a command: what its options say about requests, for each URL that was typed.
//!
//! It decides who gets the credentials, and warns if they go unencrypted. Requests are sent by
//! [`Exchange`], which it makes.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::time::Duration;

use docent_describe::ServiceDescription;
use reqwest::blocking;
use reqwest::header::HeaderMap;
use url::Url;

#[cfg(feature = "websocket")]
use super::address::is_socket;
use super::address::{is_loopback, origin, parse_proxy};
use super::credentials::HttpCredentials;
use super::exchange::Exchange;
use super::options::RequestOptions;
#[cfg(feature = "websocket")]
use super::socket::SocketService;
use super::transport;
use crate::exec::{CommandService, is_command};
use crate::failure::{Failure, Result};
use crate::terminal::Terminal;

/// The time limit for a description or a trial, unless --max-time is given.
const DESCRIPTION_TIMEOUT: Duration = Duration::from_secs(30);

/// The client of a command.
pub(crate) struct Client {
    options: RequestOptions,
    terminal: Terminal,
    /// The proxy of the options.
    proxy: Option<Url>,
    /// The credentials that options, the environment and named services provide.
    credentials: HttpCredentials,
    /// Done once the user was warned that credentials go unencrypted.
    warned_of_plain_text: Once,
    /// The warnings that were printed, which all exchanges share.
    warned: Arc<Mutex<HashSet<String>>>,
    /// The commands that were typed, by their URLs.
    commands: Mutex<HashMap<Url, CommandService>>,
    /// The library's client. It starts a thread and reads the trusted authorities, which a command
    /// that only reads files does not need.
    http: OnceLock<blocking::Client>,
    /// The same for this machine, without the proxies of the environment.
    direct: OnceLock<blocking::Client>,
}

impl Client {
    /// Reads the credentials and the proxy of the options.
    pub(crate) fn new(options: &RequestOptions, terminal: Terminal) -> Result<Self> {
        if cfg!(not(unix)) && options.unix_socket.is_some() {
            return Err(Failure::usage("--unix-socket needs a Unix system"));
        }
        if options.insecure {
            terminal.warn(
                "docent: warning: --insecure: certificates are not checked, so anyone on the \
                 network can read and change what is sent",
            );
        }
        Ok(Self {
            options: options.clone(),
            terminal,
            proxy: options.proxy.as_deref().map(parse_proxy).transpose()?,
            credentials: HttpCredentials::new(options)?,
            warned_of_plain_text: Once::new(),
            warned: Arc::default(),
            commands: Mutex::default(),
            http: OnceLock::new(),
            direct: OnceLock::new(),
        })
    }

    /// Rejects URLs of several origins if there are credentials that all of them would see.
    pub(crate) fn check_origins<'u>(&self, urls: impl IntoIterator<Item = &'u Url>) -> Result {
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
    pub(crate) fn exchange(&self, url: &Url) -> Result<Exchange> {
        self.start(url, Some(self.time_limit()))
    }

    /// Starts calls to a URL that was typed. They have no time limit unless --max-time is given.
    pub(crate) fn calls(&self, url: &Url) -> Result<Exchange> {
        self.start(url, self.options.max_time)
    }

    /// Starts the requests for a document whose service is at another address. They carry no
    /// credentials, which are meant for the service.
    pub(crate) fn anonymous(&self, url: &Url) -> Result<Exchange> {
        self.start_with(url, HeaderMap::new(), Some(self.time_limit()))
    }

    /// Returns the time limit for a description or a trial.
    pub(crate) fn time_limit(&self) -> Duration {
        self.options.max_time.unwrap_or(DESCRIPTION_TIMEOUT)
    }

    /// Starts requests with the credentials for a URL, and warns once if they go unencrypted.
    fn start(&self, url: &Url, limit: Option<Duration>) -> Result<Exchange> {
        let headers = self.credentials.for_url(url)?;
        if !headers.is_empty() {
            self.warn_if_unencrypted(url);
        }
        self.start_with(url, headers, limit)
    }

    /// Adds the API key to requests to a service, in the header field that its description names. A field that was
    /// given as an option stays.
    pub(crate) fn with_api_key(
        &self,
        mut exchange: Exchange,
        service: &ServiceDescription,
    ) -> Result<Exchange> {
        if let Some((field, key)) = self.credentials.key_for(service)?
            && !exchange.credentials.contains_key(&field)
        {
            self.warn_if_unencrypted(&exchange.typed);
            exchange.credentials.insert(field, key);
            #[cfg(feature = "websocket")]
            {
                // The handshake carries it.
                exchange.socket = exchange.socket.map(|socket| socket.anew());
            }
        }
        Ok(exchange)
    }

    /// Returns whether requests to a URL stay on this machine.
    pub(crate) fn is_local(&self, url: &Url) -> bool {
        is_loopback(url) || self.options.unix_socket.is_some()
    }

    /// Warns once that credentials go unencrypted to another machine.
    fn warn_if_unencrypted(&self, url: &Url) {
        if matches!(url.scheme(), "http" | "ws") && !self.is_local(url) {
            self.warned_of_plain_text.call_once(|| {
                self.terminal.warn(format_args!(
                    "docent: warning: credentials are sent unencrypted to {}; use https if the \
                     service supports it",
                    origin(url)
                ));
            });
        }
    }

    /// Returns the command of a URL, which all requests to it share.
    fn command(&self, url: &Url) -> CommandService {
        let mut commands = self.commands.lock().unwrap_or_else(PoisonError::into_inner);
        commands.entry(url.clone()).or_default().clone()
    }

    /// Returns the service behind the URL of a WebSocket.
    #[cfg(feature = "websocket")]
    fn socket(&self, url: &Url) -> Result<Option<SocketService>> {
        if !is_socket(url) {
            return Ok(None);
        }
        let http = transport::async_client(&self.options, self.proxy.as_ref(), is_loopback(url))?;
        Ok(Some(SocketService::new(http)))
    }

    /// Starts requests with these credentials. The library's client is made when it is first needed.
    fn start_with(
        &self,
        url: &Url,
        credentials: HeaderMap,
        limit: Option<Duration>,
    ) -> Result<Exchange> {
        let is_direct = is_loopback(url);
        let cell = if is_direct { &self.direct } else { &self.http };
        let http = if let Some(http) = cell.get() {
            http
        } else {
            let http = transport::client(&self.options, self.proxy.as_ref(), is_direct)?;
            cell.get_or_init(|| http)
        };
        Ok(Exchange {
            http: http.clone(),
            terminal: self.terminal,
            warned: Arc::clone(&self.warned),
            proxy: self.proxy.clone(),
            typed: url.clone(),
            command: is_command(url).then(|| self.command(url)),
            #[cfg(feature = "websocket")]
            socket: self.socket(url)?,
            credentials,
            limit,
        })
    }
}
