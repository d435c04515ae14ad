//! A request as the contract sees it.
//!
//! A carrier fills it in. It borrows everything, and nothing in it has been decoded, so that each
//! decision here sees what was on the wire.

use std::sync::{Arc, Mutex, PoisonError};

use docent_core::carrier::VersionCheck;
use docent_core::{Extensions, RequestId, TraceParent};
use http::Method;

use crate::headers::{Headers, OverUnix, Peer};
use crate::options::HttpOptions;
use crate::proxies::{client_address, is_trusted};

/// The hosts that a server serves by default at a listener that only this machine can reach.
const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// A request without its body.
#[derive(Debug)]
pub struct Request<'r> {
    /// The method.
    pub method: Method,
    /// The target, with the mount that it was found below.
    pub target: RequestTarget<'r>,
    /// The address of the peer, or `None` for a Unix socket.
    pub peer: Option<Peer>,
    /// The listener at which the request has arrived.
    pub listener: ListenerInfo,
    /// The header fields. A call takes them out of the request.
    pub headers: Headers,
    /// True if the carrier can leave the connection to another protocol after the response: there is no body, and the
    /// version is HTTP/1.1.
    pub can_upgrade: bool,
    /// The id for logs and for callers.
    pub id: RequestId,
    /// Values that the carrier passes on. They are taken when the extensions are first built.
    pub forwarded: Mutex<Option<Box<Extensions>>>,
}

/// The listener at which a request arrived. The server's other listeners do not affect the request.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListenerInfo {
    /// True if requests may name only local hosts, unless the options list others.
    pub is_local: bool,
    /// True if connections use TLS.
    pub is_secure: bool,
}

/// The target of a request. Nothing in it has been decoded.
#[derive(Debug, Default)]
pub struct RequestTarget<'r> {
    /// The path below the prefix, from its first slash.
    pub path: &'r str,
    /// The part of the path that the host removed before, such as `/api`. It is empty unless the host nests the
    /// routes.
    pub prefix: &'r str,
    /// The query, without the question mark; empty if there is none.
    pub query: &'r str,
    /// The host in the target, which takes precedence over the `Host` field.
    pub host: Option<&'r str>,
    /// The number of slashes in the path of the mount.
    pub mount: usize,
}

impl RequestTarget<'_> {
    /// Returns the path of the mount.
    pub(crate) fn path_of_mount(&self) -> &str {
        let (mount, _) = split_after_segments(self.path, self.mount);
        mount
    }

    /// Moves this many segments from the start of the path to the prefix.
    pub fn split_prefix(&mut self, segments: usize) {
        (self.prefix, self.path) = split_after_segments(self.path, segments);
    }

    /// Returns whether there is a prefix, and one with only characters that mean nothing in a page: a host whose routes
    /// are patterns passes on what the caller has written.
    pub(crate) fn has_plain_prefix(&self) -> bool {
        !self.prefix.is_empty()
            && self
                .prefix
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"/-._~%+:@".contains(&byte))
    }

    /// Returns a link to a path of the server, such as `docs`. Without a prefix, it is relative to the root.
    pub(crate) fn at_root(&self, path: &str) -> String {
        match self.prefix {
            "" => path.to_owned(),
            prefix => format!("{prefix}/{path}"),
        }
    }

    /// Returns the last segment of the path.
    pub(crate) fn last_segment(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

impl Request<'_> {
    /// Returns whether the method only reads a page or a result.
    pub(crate) fn is_read(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// Returns whether the request is for a host that is served.
    pub fn is_for_served_host(&self, options: &HttpOptions) -> bool {
        let named = self.named_host();
        match (&options.allowed_hosts, named) {
            (Some(_), None) => false,
            (Some(hosts), Some(named)) => is_one_of(hosts, named),
            (None, _) if !self.listener.is_local => true,
            (None, None | Some(b"")) => true,
            (None, Some(named)) => {
                is_one_of(&LOCAL_HOSTS, named) || is_one_of(&options.public_hosts, named)
            }
        }
    }

    /// Returns the host that the request names, with the port.
    pub(crate) fn authority(&self) -> Option<&str> {
        self.target.host.or_else(|| self.headers.get_str("host"))
    }

    /// Returns the host that the request names, without the port.
    fn named_host(&self) -> Option<&[u8]> {
        if let Some(host) = self.target.host {
            return Some(host.as_bytes());
        }
        self.headers.get("host").map(without_port)
    }

    /// Returns the URL under which the caller addressed the server: its origin and the prefix of its paths.
    /// `None` if the header fields do not tell. The host must have passed
    /// [`is_for_served_host`](Self::is_for_served_host). Over a Unix socket, that checks listed hosts only, so
    /// no other is returned but that of a public URL.
    pub fn origin(&self, headers: &Headers, options: &HttpOptions) -> Option<String> {
        let host = headers.get_str("host")?;
        let named = without_port(host.as_bytes());
        let is_unlisted = self.peer.is_none()
            && options.allowed_hosts.is_none()
            && !is_one_of(&options.public_hosts, named);
        if named.is_empty() || is_unlisted {
            return None;
        }
        // If the target names a host, that one was checked, and not the one of the field.
        let checked = self.target.host;
        if checked.is_some_and(|checked| !is_same_host(checked, named)) || !is_plain(host) {
            return None;
        }
        let is_secure = self.listener.is_secure || self.is_forwarded_from_https(headers, options);
        let scheme = if is_secure { "https" } else { "http" };
        Some(format!("{scheme}://{host}{}", self.target.prefix))
    }

    /// Returns whether a trusted proxy says that the client uses HTTPS.
    fn is_forwarded_from_https(&self, headers: &Headers, options: &HttpOptions) -> bool {
        let peer = self.peer.map(|peer| peer.0.ip());
        headers.get_str("x-forwarded-proto") == Some("https")
            && is_trusted(peer, &options.trusted_proxies)
    }

    /// Returns everything that guards can learn about the request and its origin.
    pub fn extensions(&self, options: &HttpOptions) -> Extensions {
        self.extend(self.headers.clone(), options)
    }

    /// Returns the same, and takes the header fields out of the request. For a read, they say which versions the caller
    /// has.
    pub(crate) fn take_extensions(
        &mut self,
        options: &HttpOptions,
        has_version: &Arc<VersionCheck>,
    ) -> Extensions {
        let headers = std::mem::take(&mut self.headers);
        let mut extensions = self.extend(headers, options);
        if self.is_read() {
            extensions.set_known_versions(Arc::clone(has_version));
        }
        extensions
    }

    /// Adds what the request says about its caller to the values that a middleware has passed on.
    fn extend(&self, headers: Headers, options: &HttpOptions) -> Extensions {
        let mut forwarded = self
            .forwarded
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut extensions = match forwarded.take() {
            Some(forwarded) => *forwarded,
            None => Extensions::new(),
        };
        match self.peer {
            Some(peer) => extensions.insert(peer),
            None => extensions.insert(OverUnix),
        }
        let peer = self.peer.map(|peer| peer.0);
        match client_address(peer, &headers, &options.trusted_proxies) {
            Some(address) => extensions.set_client_address(address),
            None => extensions.set_client_local(),
        }
        if let Some(parent) = trace_parent(&headers) {
            extensions.insert(parent);
        }
        extensions.insert(self.id.clone());
        extensions.insert_fields(headers);
        extensions
    }
}

/// Splits a path before the slash that follows this many segments.
fn split_after_segments(path: &str, segments: usize) -> (&str, &str) {
    match path.match_indices('/').nth(segments) {
        Some((slash, _)) => path.split_at(slash),
        None => (path, ""),
    }
}

fn is_one_of(hosts: &[impl AsRef<str>], named: &[u8]) -> bool {
    hosts.iter().any(|host| is_same_host(host.as_ref(), named))
}

fn is_same_host(host: &str, named: &[u8]) -> bool {
    host.as_bytes().eq_ignore_ascii_case(named)
}

/// Returns whether a host has only characters that mean nothing in a page.
fn is_plain(host: &str) -> bool {
    host.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte))
}

/// Returns a host without its port.
fn without_port(host: &[u8]) -> &[u8] {
    match host.iter().rposition(|byte| *byte == b':') {
        // Without this check, the end of an IPv6 address could be taken for a port.
        Some(colon) if host[colon + 1..].iter().all(u8::is_ascii_digit) => &host[..colon],
        _ => host,
    }
}

/// Returns the trace of the request. Two trace fields count as none.
fn trace_parent(headers: &Headers) -> Option<TraceParent> {
    let mut values = headers.get_all("traceparent");
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    TraceParent::new(str::from_utf8(value).ok()?)
}
