//! The certificates that a client trusts: those of the operating system, and those that its user adds.
//!
//! rustls does the rest. The provider of its cryptography is chosen here, so that a client does not depend on what else
//! a program has set up.

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
    let verifier = Verifier::new_with_extra_roots(roots, Arc::clone(&provider))
        .map_err(|error| format!("TLS: {error}"))?;
    Ok(ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS: {error}"))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}
