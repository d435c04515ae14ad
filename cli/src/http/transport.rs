//! Sets up the client of the HTTP library, with the proxy and the certificates of the options.
//!
//! There is no timeout and no redirect in it: those depend on the request, and [`super::Exchange`] sees to them.

use std::path::Path;

use reqwest::blocking::{self, Client};
use reqwest::redirect::Policy;
use reqwest::{Certificate, ClientBuilder, Identity, Proxy};
use url::Url;

use super::explain;
use super::options::RequestOptions;
use crate::failure::Failure;
use crate::files;

/// Creates a client. It takes the proxy, or else those of the environment unless it is direct.
pub(super) fn client(
    options: &RequestOptions,
    proxy: Option<&Url>,
    is_direct: bool,
) -> Result<Client, Failure> {
    create(options, proxy, is_direct, |builder| {
        blocking::ClientBuilder::from(builder).timeout(None).build()
    })
}

/// Creates a client with the same settings that does not block.
#[cfg(feature = "websocket")]
pub(super) fn async_client(
    options: &RequestOptions,
    proxy: Option<&Url>,
    is_direct: bool,
) -> Result<reqwest::Client, Failure> {
    create(options, proxy, is_direct, ClientBuilder::build)
}

fn create<C>(
    options: &RequestOptions,
    proxy: Option<&Url>,
    is_direct: bool,
    finish: fn(ClientBuilder) -> reqwest::Result<C>,
) -> Result<C, Failure> {
    // A provider that was installed before is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut authorities = options
        .cacert
        .as_deref()
        .map(read_authorities)
        .transpose()?;
    let identity = match &options.cert {
        Some(file) => Some(read_identity(file, options.key.as_deref())?),
        None => None,
    };
    let settings = builder(
        options,
        proxy,
        is_direct,
        authorities.clone(),
        identity.clone(),
    );
    let mut built = settings.and_then(finish);
    if built.is_err() {
        // A system without authorities can still be used without TLS.
        authorities.get_or_insert_default();
        built = builder(options, proxy, is_direct, authorities, identity).and_then(finish);
    }
    built.map_err(|error| Failure::system(explain::root_cause(&error)))
}

/// Returns the settings of a client that trusts these authorities, or else those of the operating system. The library
/// follows no redirect, and sets no limit on the time of a request.
fn builder(
    options: &RequestOptions,
    proxy: Option<&Url>,
    is_direct: bool,
    authorities: Option<Vec<Certificate>>,
    identity: Option<Identity>,
) -> reqwest::Result<ClientBuilder> {
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("docent/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .connect_timeout(options.connect_timeout)
        .tls_danger_accept_invalid_certs(options.insecure);
    if let Some(proxy) = proxy {
        builder = builder.proxy(Proxy::all(proxy.clone())?);
    } else if is_direct {
        builder = builder.no_proxy();
    }
    if let Some(authorities) = authorities {
        builder = builder.tls_certs_only(authorities);
    }
    if let Some(identity) = identity {
        builder = builder.identity(identity);
    }
    #[cfg(unix)]
    if let Some(path) = &options.unix_socket {
        builder = builder.unix_socket(path.as_path());
    }
    Ok(builder)
}

/// Reads the authorities to trust, instead of those of the operating system.
fn read_authorities(file: &Path) -> Result<Vec<Certificate>, Failure> {
    let found = Certificate::from_pem_bundle(&files::read(file)?).unwrap_or_default();
    if found.is_empty() {
        let file = file.display();
        return Err(Failure::usage(format_args!(
            "{file}: no certificate in PEM format"
        )));
    }
    Ok(found)
}

/// Reads the caller's certificate, with its key.
fn read_identity(file: &Path, key: Option<&Path>) -> Result<Identity, Failure> {
    let mut pem = files::read(file)?;
    if let Some(key) = key {
        // A certificate whose last line does not end would run into the key.
        pem.push(b'\n');
        pem.extend(files::read(key)?);
    }
    Identity::from_pem(&pem).map_err(|_| {
        Failure::usage(format_args!(
            "{}: no certificate with a private key in PEM format; a key with a passphrase has to be \
             decrypted first",
            file.display()
        ))
    })
}
