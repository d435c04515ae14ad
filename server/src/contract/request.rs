//! A request, as the contract sees it.

use std::sync::Arc;

use docent_core::{Extensions, TraceParent};

use super::headers::{Headers, Peer};

/// The methods that mean something here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Get,
    Head,
    Post,
    Options,
    Other,
}

impl Method {
    /// Whether it asks for something, and changes nothing.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }
}

/// A request without its body.
#[derive(Debug)]
pub(crate) struct Request<'r> {
    pub(crate) method: Method,
    pub(crate) target: Target<'r>,
    /// Whether an answer can be sent whose length is not known: before HTTP/1.1 its end cannot be told
    /// from a connection that broke.
    pub(crate) takes_any_length: bool,
    pub(crate) peer: Option<Peer>,
    pub(crate) headers: Headers,
}

/// What a request is for. Nothing of it has been decoded.
#[derive(Debug)]
pub(crate) struct Target<'r> {
    pub(crate) path: &'r str,
    pub(crate) query: &'r str,
    /// The host, where the target names it. It comes before that of the header field.
    pub(crate) host: Option<&'r str>,
    /// How many slashes there are in the path of the mount.
    pub(crate) mount: usize,
}

impl Target<'_> {
    /// The last segment of the path.
    pub(crate) fn last_segment(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

impl Request<'_> {
    /// What handlers and guards can ask about the request.
    pub(super) fn extensions(&self) -> Extensions {
        self.extend(self.headers.clone())
    }

    /// The same, for a request that is not needed afterwards.
    pub(super) fn into_extensions(mut self) -> Arc<Extensions> {
        let headers = std::mem::take(&mut self.headers);
        Arc::new(self.extend(headers))
    }

    fn extend(&self, headers: Headers) -> Extensions {
        let mut extensions = Extensions::new();
        if let Some(peer) = self.peer {
            extensions.insert(peer);
        }
        if let Some(parent) = trace_parent(&headers) {
            extensions.insert(parent);
        }
        extensions.insert_fields(headers);
        extensions
    }
}

/// The trace of the request. With two, it is not clear which one counts.
fn trace_parent(headers: &Headers) -> Option<TraceParent> {
    let mut values = headers.get_all("traceparent");
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    TraceParent::new(std::str::from_utf8(value).ok()?)
}
