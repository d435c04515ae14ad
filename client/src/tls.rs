//! The certificates that a client trusts.

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier;

/// Returns the TLS settings of a client, which trusts the authorities of the operating system and
/// these.
pub(crate) fn config(authorities: &[String]) -> Result<ClientConfig, String> {
    let mut roots = Vec::new();
    for pem in authorities {
        let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
        match found {
            Ok(found) if !found.is_empty() => roots.extend(found),
            _ => return Err("the authorities: no certificate in PEM format".to_owned()),
        }
    }
    // The provider is explicit, because a program may have set another default, or none.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let failed = |error: rustls::Error| format!("TLS: {error}");
    let verifier = Verifier::new_with_extra_roots(roots, Arc::clone(&provider)).map_err(failed)?;
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(failed)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}
