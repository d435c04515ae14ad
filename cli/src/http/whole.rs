//! Requests to a proxy that name the whole URL (RFC 9112, section 3.2.2).
//!
//! ureq reaches every URL through a tunnel, but proxies often allow tunnels only to the port of https.
//! So the request goes to the proxy as if it were the server, and the connection inserts the origin of
//! the URL in front of the path.

use std::fmt::Debug;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, DefaultConnector, NextTimeout, Transport,
};
use ureq::{Agent, Error};
use url::{Position, Url};

/// Returns an agent for one request to a URL, and the address to give it.
pub(super) fn agent(config: Config, proxy: &Url, url: &Url) -> Result<(Agent, Uri), String> {
    let path = &url[Position::BeforePath..Position::AfterQuery];
    let scheme = if proxy.scheme() == "https" {
        "https"
    } else {
        "http"
    };
    let authority = &proxy[Position::BeforeHost..Position::AfterPort];
    let uri = format!("{scheme}://{authority}{path}");
    let origin = &url[..Position::BeforePath];
    let connector = DefaultConnector::new().chain(Named(origin.to_owned()));
    let agent = Agent::with_parts(config, connector, DefaultResolver::default());
    Ok((agent, uri.parse().map_err(|error| format!("{error}"))?))
}

#[derive(Debug)]
struct Named(String);

impl<In: Transport> Connector<In> for Named {
    type Out = Naming<In>;

    fn connect(
        &self,
        _: &ConnectionDetails<'_>,
        chained: Option<In>,
    ) -> Result<Option<Self::Out>, Error> {
        Ok(chained.map(|inner| Naming {
            inner,
            origin: Some(self.0.clone()),
        }))
    }
}

/// A connection for one request.
#[derive(Debug)]
struct Naming<In> {
    inner: In,
    /// The origin to insert in front of the path, until that is done.
    origin: Option<String>,
}

impl<In: Transport> Transport for Naming<In> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.inner.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        let Some(origin) = self.origin.take() else {
            return self.inner.transmit_output(amount, timeout);
        };
        let mut head = self.inner.buffers().output()[..amount].to_vec();
        // The request line is `METHOD /path HTTP/1.1`.
        let path = head
            .iter()
            .position(|byte| *byte == b' ')
            .map_or(0, |at| at + 1);
        head.splice(path..path, origin.into_bytes());
        let mut rest = head.as_slice();
        while !rest.is_empty() {
            let output = self.inner.buffers().output();
            let (part, later) = rest.split_at(rest.len().min(output.len()));
            output[..part.len()].copy_from_slice(part);
            self.inner.transmit_output(part.len(), timeout)?;
            rest = later;
        }
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.inner.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        // A second request would need its origin inserted, too.
        false
    }

    fn is_tls(&self) -> bool {
        self.inner.is_tls()
    }
}
