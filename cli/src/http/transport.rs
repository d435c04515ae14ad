//! The client of the HTTP library, with the proxies and certificates of the options.

use std::sync::OnceLock;

use reqwest::blocking::Client as HttpClient;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Identity, Proxy};
use url::Url;

use super::address::is_loopback;
use super::options::RequestOptions;
use super::proxy::parse;
use super::words;
use crate::failure::Failure;
use crate::files;
use crate::terminal::Terminal;

/// The state that all exchanges share.
pub(super) struct ClientTransport {
    /// The proxy of the options.
    pub(super) proxy: Option<Url>,
    pub(super) terminal: Terminal,
    pub(super) options: RequestOptions,
    certificates: Certificates,
    /// The library's client. It starts a thread and reads the trusted authorities, which a command
    /// that only reads files does not need.
    http: OnceLock<Result<HttpClient, String>>,
    /// The same, without the proxies of the environment.
    direct: OnceLock<Result<HttpClient, String>>,
}

/// The certificates of the options.
#[derive(Default)]
struct Certificates {
    /// The authorities to trust, instead of those of the operating system.
    authorities: Option<Vec<Certificate>>,
    /// The caller's certificate, with its key.
    identity: Option<Identity>,
}

impl ClientTransport {
    pub(super) fn new(options: &RequestOptions, terminal: Terminal) -> Result<Self, Failure> {
        Ok(Self {
            proxy: options.proxy.as_deref().map(parse).transpose()?,
            terminal,
            options: options.clone(),
            certificates: Certificates::read(options)?,
            http: OnceLock::new(),
            direct: OnceLock::new(),
        })
    }

    /// Returns the library's client for a URL, or the reason for which there is none. Requests to this
    /// machine do not take the proxies of the environment.
    pub(super) fn http(&self, url: &Url) -> Result<&HttpClient, String> {
        let is_direct = is_loopback(url);
        let cell = if is_direct { &self.direct } else { &self.http };
        let client = cell.get_or_init(|| {
            let given = self.certificates.authorities.as_deref();
            // A system without authorities can still be used without TLS.
            let client = self.build(given, is_direct);
            let client = client.or_else(|_| self.build(Some(given.unwrap_or_default()), is_direct));
            client.map_err(|error| words::root(&error))
        });
        client.as_ref().map_err(Clone::clone)
    }

    fn build(
        &self,
        authorities: Option<&[Certificate]>,
        is_direct: bool,
    ) -> reqwest::Result<HttpClient> {
        // A provider that was installed before is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let options = &self.options;
        let mut builder = HttpClient::builder()
            .user_agent(concat!("docent/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .connect_timeout(options.connect_timeout)
            .timeout(None)
            .tls_danger_accept_invalid_certs(options.insecure);
        if let Some(proxy) = &self.proxy {
            builder = builder.proxy(Proxy::all(proxy.clone())?);
        } else if is_direct {
            builder = builder.no_proxy();
        }
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
    fn read(options: &RequestOptions) -> Result<Self, Failure> {
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
