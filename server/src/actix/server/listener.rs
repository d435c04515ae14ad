//! The sockets that a server listens on.
//!
//! TCP, TLS and Unix sockets differ only here and in the streams of their connections.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
#[cfg(unix)]
use std::os::unix::net::UnixListener;

use socket2::SockRef;

use super::backlog::MAX_BACKLOG;
#[cfg(unix)]
use super::socket_file::SocketFile;

/// The configuration of TLS.
#[cfg(feature = "tls")]
pub(super) type TlsConfig = std::sync::Arc<rustls::ServerConfig>;

/// The configuration of TLS for listeners without TLS: an uninhabited type.
#[cfg(not(feature = "tls"))]
#[derive(Clone)]
pub(super) enum TlsConfig {}

/// A socket that callers connect to.
pub(super) enum Listener {
    Tcp(TcpListener, Option<TlsConfig>),
    #[cfg(unix)]
    Unix(UnixListener, SocketFile),
}

impl Listener {
    /// Returns another handle to the same socket.
    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(match self {
            Self::Tcp(listener, tls) => Self::Tcp(listener.try_clone()?, tls.clone()),
            #[cfg(unix)]
            Self::Unix(listener, file) => Self::Unix(listener.try_clone()?, file.clone()),
        })
    }

    /// Returns the address, unless it is a path.
    pub(super) fn address(&self) -> io::Result<Option<SocketAddr>> {
        match self {
            Self::Tcp(listener, _) => listener.local_addr().map(Some),
            #[cfg(unix)]
            Self::Unix(..) => Ok(None),
        }
    }

    /// Returns the file that callers connect to.
    #[cfg(unix)]
    pub(super) fn file(&self) -> Option<SocketFile> {
        match self {
            Self::Unix(_, file) => Some(file.clone()),
            Self::Tcp(..) => None,
        }
    }

    /// Returns whether connections to this socket use TLS.
    pub(super) fn is_secure(&self) -> bool {
        matches!(self, Self::Tcp(_, Some(_)))
    }

    /// Returns the beginning of the URLs that lead to this socket. That of a Unix socket has the form
    /// that nginx uses.
    pub(super) fn base(&self) -> io::Result<String> {
        Ok(match self {
            Self::Tcp(listener, _) => {
                let scheme = if self.is_secure() { "https" } else { "http" };
                format!("{scheme}://{}", listener.local_addr()?)
            }
            #[cfg(unix)]
            Self::Unix(_, file) => format!("http://unix:{}:", file.path().display()),
        })
    }
}

/// Listens on every address that a name resolves to. One success is enough.
pub(super) fn listen(addresses: impl ToSocketAddrs) -> io::Result<Vec<TcpListener>> {
    let mut listeners = Vec::new();
    let mut failed = Vec::new();
    // The text of the address is no longer known here, so an example shows what is missing.
    let addresses = addresses.to_socket_addrs().map_err(|error| {
        let text = format!(
            "the address to listen on: {error}; it is a host and a port, such as \"127.0.0.1:8080\", \
             and no URL"
        );
        io::Error::new(error.kind(), text)
    })?;
    for address in addresses {
        match listen_at(address) {
            Ok(listener) => listeners.push(listener),
            Err(error) => {
                let reason = format!("cannot listen on {address}: {error}");
                failed.push((error.kind(), reason));
            }
        }
    }
    if !listeners.is_empty() {
        return Ok(listeners);
    }
    let (kinds, reasons): (Vec<_>, Vec<_>) = failed.into_iter().unzip();
    let Some(kind) = kinds.first() else {
        return Err(io::Error::other("the name does not resolve to an address"));
    };
    Err(io::Error::new(*kind, reasons.join("; ")))
}

fn listen_at(address: SocketAddr) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)?;
    // The standard library lets fewer connections wait.
    SockRef::from(&listener).listen(MAX_BACKLOG)?;
    Ok(listener)
}
