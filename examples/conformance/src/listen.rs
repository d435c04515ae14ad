//! The addresses and sockets of the program.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use docent::rustls::ServerConfig;
use docent::rustls::crypto::ring;
use docent::rustls::pki_types::pem::PemObject as _;
use docent::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use docent::{BoundServer, Server};

#[derive(clap::Args)]
pub(crate) struct Listeners {
    /// The address to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Another address, to listen on with TLS
    #[arg(long, value_name = "ADDR", requires_all = ["certificate", "key"])]
    tls: Option<String>,
    /// The file with the certificates for TLS, in PEM
    #[arg(long, value_name = "FILE", requires = "tls")]
    certificate: Option<PathBuf>,
    /// The file with the private key for TLS, in PEM
    #[arg(long, value_name = "FILE", requires = "tls")]
    key: Option<PathBuf>,
    /// A Unix socket to listen on, too
    #[cfg(unix)]
    #[arg(long, value_name = "PATH")]
    unix: Option<PathBuf>,
}

impl Listeners {
    /// Listens, and prints where.
    pub(crate) fn bind(&self, server: Server) -> Result<BoundServer, Box<dyn Error>> {
        let mut server = server.bind(&self.listen)?;
        let plain = server.addresses().len();
        if let (Some(address), Some(chain), Some(key)) = (&self.tls, &self.certificate, &self.key) {
            let chain = CertificateDer::pem_file_iter(chain)?.collect::<Result<Vec<_>, _>>()?;
            let key = PrivateKeyDer::from_pem_file(key)?;
            let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
                .with_safe_default_protocol_versions()?
                .with_no_client_auth()
                .with_single_cert(chain, key)?;
            server = server.bind_tls(address, config)?;
        }
        #[cfg(unix)]
        if let Some(path) = &self.unix {
            server = server.bind_unix(path)?;
        }
        for (index, address) in server.addresses().iter().enumerate() {
            let scheme = if index < plain { "http" } else { "https" };
            println!("conformance listens at {scheme}://{address}/rpc");
        }
        Ok(server)
    }
}
