use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use reqwest::blocking::Client as HttpClient;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Identity, Proxy};
use url::Url;

use super::address::{ShownOrigin, is_loopback};
use super::credentials::HttpCredentials;
use super::exchange::{Exchange, TimeLimit};
use super::options::HttpOptions;
use super::proxy::Proxies;
use super::words;
use crate::failure::Failure;
use crate::files;
use crate::terminal::Terminal;

/// The time limit for getting a description, unless --max-time is given.
const DESCRIPTION: Duration = Duration::from_secs(30);

/// The client of a command. Clones share connections.
#[derive(Clone)]
pub(crate) struct Client(Arc<SharedClient>);

struct SharedClient {
    transport: Arc<ClientTransport>,
    credentials: HttpCredentials,
    warned_of_insecurity: Once,
    warned_of_plain_text: Once,
}

/// The state that all exchanges share.
pub(super) struct ClientTransport {
    pub(super) proxies: Arc<Proxies>,
    pub(super) terminal: Terminal,
    options: HttpOptions,
    certificates: Certificates,
    /// The library's client. It starts a thread and reads the trusted authorities, which a command
    /// that only reads files does not need.
    http: OnceLock<Result<HttpClient, String>>,
}

/// The certificates of the options.
#[derive(Default)]
struct Certificates {
    /// The authorities to trust, instead of those of the operating system.
    authorities: Option<Vec<Certificate>>,
    /// The caller's certificate, with its key.
    identity: Option<Identity>,
}

impl Client {
    /// Reads the files and variables behind the options: tokens, certificates, proxies.
    pub(crate) fn new(options: &HttpOptions, terminal: Terminal) -> Result<Self, Failure> {
        if cfg!(not(unix)) && options.unix_socket.is_some() {
            return Err(Failure::usage("--unix-socket needs a Unix system"));
        }
        let transport = ClientTransport {
            proxies: Arc::new(Proxies::new(options)?),
            terminal,
            options: options.clone(),
            certificates: Certificates::read(options)?,
            http: OnceLock::new(),
        };
        Ok(Self(Arc::new(SharedClient {
            transport: Arc::new(transport),
            credentials: HttpCredentials::new(options)?,
            warned_of_insecurity: Once::new(),
            warned_of_plain_text: Once::new(),
        })))
    }

    /// Rejects URLs of several origins if there are credentials that all of them would see.
    pub(crate) fn check_origins<'u>(
        &self,
        urls: impl IntoIterator<Item = &'u Url>,
    ) -> Result<(), Failure> {
        let mut urls = urls.into_iter().filter(|_| !self.0.credentials.is_empty());
        let Some(first) = urls.next() else {
            return Ok(());
        };
        match urls.find(|url| url.origin() != first.origin()) {
            None => Ok(()),
            Some(other) => Err(Failure::usage(format_args!(
                "the credentials would go to both {} and {}; save one of the descriptions first \
                 (docent describe URL -o FILE), or put user names and passwords in the URLs",
                ShownOrigin(first),
                ShownOrigin(other)
            ))),
        }
    }

    /// Starts the requests for a description, at a URL that was typed. One time limit applies to all
    /// of them.
    pub(crate) fn exchange(&self, url: &Url) -> Result<Exchange, Failure> {
        self.start(url, TimeLimit::all(self.time()))
    }

    /// Starts calls to a URL that was typed. They have no time limit unless --max-time is given.
    pub(crate) fn calls(&self, url: &Url) -> Result<Exchange, Failure> {
        self.start(url, TimeLimit::each(self.0.transport.options.max_time))
    }

    /// Starts calls to a URL that was typed, each with a time limit of its own.
    pub(crate) fn trials(&self, url: &Url) -> Result<Exchange, Failure> {
        self.start(url, TimeLimit::each(Some(self.time())))
    }

    /// Starts the requests for a document whose service is at another address. They carry no
    /// credentials, which are meant for the service.
    pub(crate) fn anonymous(&self, url: &Url) -> Exchange {
        let transport = Arc::clone(&self.0.transport);
        Exchange::new(transport, url, Vec::new(), TimeLimit::all(self.time()))
    }

    fn time(&self) -> Duration {
        self.0.transport.options.max_time.unwrap_or(DESCRIPTION)
    }

    fn start(&self, url: &Url, limit: TimeLimit) -> Result<Exchange, Failure> {
        let shared = &self.0;
        let headers = shared.credentials.for_url(url)?;
        let terminal = shared.transport.terminal;
        if shared.transport.options.insecure {
            shared.warned_of_insecurity.call_once(|| {
                terminal.warn(
                    "docent: warning: --insecure: certificates are not checked, so anybody on the \
                     way can read and change what is sent",
                );
            });
        }
        let is_local = is_loopback(url) || shared.transport.options.unix_socket.is_some();
        if url.scheme() == "http" && !headers.is_empty() && !is_local {
            shared.warned_of_plain_text.call_once(|| {
                terminal.warn(format_args!(
                    "docent: warning: credentials are sent unencrypted to {}; use https if the \
                     service supports it",
                    ShownOrigin(url)
                ));
            });
        }
        let transport = Arc::clone(&shared.transport);
        Ok(Exchange::new(transport, url, headers, limit))
    }
}

impl ClientTransport {
    /// Returns the library's client, or the reason for which there is none.
    pub(super) fn http(&self) -> Result<&HttpClient, String> {
        let client = self.http.get_or_init(|| {
            let given = self.certificates.authorities.as_deref();
            // A system without authorities can still be used without TLS.
            let client = self.build(given);
            let client = client.or_else(|_| self.build(Some(given.unwrap_or_default())));
            client.map_err(|error| words::root(&error))
        });
        client.as_ref().map_err(Clone::clone)
    }

    fn build(&self, authorities: Option<&[Certificate]>) -> reqwest::Result<HttpClient> {
        // A provider that was installed before is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let options = &self.options;
        let proxies = Arc::clone(&self.proxies);
        let mut builder = HttpClient::builder()
            .user_agent(concat!("docent/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .connect_timeout(options.connect_timeout)
            .timeout(None)
            .proxy(Proxy::custom(move |url| proxies.proxy(url).cloned()))
            .tls_danger_accept_invalid_certs(options.insecure);
        if let Some(authorities) = authorities {
            builder = builder.tls_certs_only(authorities.iter().cloned());
        }
        if let Some(identity) = &self.certificates.identity {
            builder = builder.identity(identity.clone());
        }
        #[cfg(unix)]
        if let Some(path) = &options.unix_socket {
            builder = builder.unix_socket(path.as_path());
        }
        builder.build()
    }
}

impl Certificates {
    fn read(options: &HttpOptions) -> Result<Self, Failure> {
        let mut certificates = Self::default();
        if let Some(file) = &options.cacert {
            let found = Certificate::from_pem_bundle(&files::read(file)?).unwrap_or_default();
            if found.is_empty() {
                let file = file.display();
                return Err(Failure::usage(format_args!(
                    "{file}: no certificate in PEM format"
                )));
            }
            certificates.authorities = Some(found);
        }
        if let Some(file) = &options.cert {
            let mut pem = files::read(file)?;
            if let Some(key) = &options.key {
                pem.push(b'\n');
                pem.extend(files::read(key)?);
            }
            let identity = Identity::from_pem(&pem).map_err(|_| {
                Failure::usage(format_args!(
                    "{}: no certificate with a private key in PEM format; a key with a passphrase \
                     has to be decrypted first",
                    file.display()
                ))
            })?;
            certificates.identity = Some(identity);
        }
        Ok(certificates)
    }
}
