//! TLS: the authorities to trust, and the client's certificate.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

use super::options::HttpOptions;
use crate::failure::Failure;
use crate::files;

/// Returns the settings for TLS. Without --cacert, the trusted authorities are those of the operating
/// system, since described services often use a private one.
pub(super) fn config(options: &HttpOptions) -> Result<TlsConfig, Failure> {
    let mut config = TlsConfig::builder().disable_verification(options.insecure);
    config = match &options.cacert {
        None => config.root_certs(RootCerts::PlatformVerifier),
        Some(file) => {
            let roots = certificates(file)?;
            config.root_certs(RootCerts::Specific(Arc::new(roots)))
        }
    };
    if let Some(cert) = &options.cert {
        config = config.client_cert(Some(client_cert(cert, options.key.as_deref())?));
    }
    Ok(config.build())
}

fn certificates(file: &Path) -> Result<Vec<Certificate<'static>>, Failure> {
    let pem = files::read(file)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found
            .iter()
            .map(|der| Certificate::from_der(der).to_owned())
            .collect()),
        _ => Err(Failure::usage(format_args!(
            "{}: no certificate in PEM format",
            file.display()
        ))),
    }
}

fn client_cert(cert: &Path, key: Option<&Path>) -> Result<ClientCert, Failure> {
    let chain = certificates(cert)?;
    let place = key.unwrap_or(cert);
    let pem = files::read(place)?;
    let invalid = |what: &str| Failure::usage(format_args!("{}: {what}", place.display()));
    let parsed = PrivateKeyDer::from_pem_slice(&pem).map_err(|_| {
        invalid("no private key in PEM format; a key with a passphrase has to be decrypted first")
    })?;
    // ureq does not check that the key belongs to the certificate.
    let ders = chain
        .iter()
        .map(|cert| CertificateDer::from(cert.der().to_vec()));
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| invalid(&error.to_string()))?
        .with_root_certificates(RootCertStore::empty())
        .with_client_auth_cert(ders.collect(), parsed)
        .map_err(|error| invalid(&format!("not the key of {}: {error}", cert.display())))?;
    let key = PrivateKey::from_pem(&pem).map_err(|error| invalid(&error.to_string()))?;
    Ok(ClientCert::new_with_certs(&chain, key))
}
