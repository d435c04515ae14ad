//! A certificate for the tests.

use std::sync::{Arc, LazyLock};

use docent::rustls;
use docent::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use docent::rustls::{ClientConfig, RootCertStore, ServerConfig};

/// A certificate for `localhost`, and who trusts it.
pub(crate) struct Trust {
    /// The certificate in PEM.
    pub(crate) certificate: String,
    /// Its key in PEM.
    pub(crate) key: String,
    pub(crate) server: Arc<ServerConfig>,
    pub(crate) client: Arc<ClientConfig>,
}

pub(crate) static TRUST: LazyLock<Trust> = LazyLock::new(|| {
    let own = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]);
    let own = own.expect("a certificate");
    let (certificate_pem, key_pem) = (own.cert.pem(), own.signing_key.serialize_pem());
    let certificate: CertificateDer<'static> = own.cert.into();
    let key = PrivateKeyDer::Pkcs8(own.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .expect("a configuration");
    let mut roots = RootCertStore::empty();
    roots.add(certificate).expect("a certificate");
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    Trust {
        certificate: certificate_pem,
        key: key_pem,
        server: Arc::new(server),
        client: Arc::new(client),
    }
});
