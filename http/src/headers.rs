//! The peer and the header fields, for handlers and guards.
//!
//! Fields are kept as they arrived, in one buffer, because hardly any of them is ever read. A
//! carrier copies them from its own types.

use std::borrow::Cow;
use std::fmt;
use std::net::SocketAddr;

#[doc(inline)]
pub use docent_core::__private::is_field_value as is_value;
use docent_core::Fields;

/// The address of the peer, for handlers ([`Cx::extension`](docent_core::Cx::extension)). Behind a proxy, it is
/// the address of the proxy.
///
/// ```
/// use docent::{Cx, Fault, Peer, Procedure};
///
/// let whoami: Procedure = Procedure::sync("whoami", |cx: Cx, (): ()| {
///     let peer = cx.extension::<Peer>();
///     Ok::<_, Fault>(peer.map_or_else(|| "in process".to_owned(), |peer| peer.0.to_string()))
/// });
/// # let _ = whoami;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// Marks a request that arrived over a Unix socket. Such a request has no [`Peer`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct OverUnix;

/// The header fields of the request, for handlers ([`Cx::extension`](docent_core::Cx::extension)).
///
/// Names are case-insensitive. Values are bytes, because HTTP does not define their encoding.
///
/// ```
/// use docent::Headers;
///
/// let headers = Headers::from_iter([("Accept-Language", "is"), ("X-Forwarded-For", "192.0.2.1")]);
/// assert_eq!(headers.get("accept-language"), Some(&b"is"[..]));
/// assert_eq!(headers.get_str("x-forwarded-for"), Some("192.0.2.1"));
/// ```
#[derive(Clone, Default)]
pub struct Headers {
    /// The names, in lower case, and the values, one behind the other.
    text: Vec<u8>,
    /// The end of each field's name in the text, and that of its value.
    ends: Vec<(usize, usize)>,
}

impl Headers {
    /// Creates an empty list with room for this many fields of average length.
    pub fn with_capacity(fields: usize) -> Self {
        Self {
            text: Vec::with_capacity(fields * 48),
            ends: Vec::with_capacity(fields),
        }
    }

    /// Adds a field. Its name must be in lower case.
    pub fn push_lower(&mut self, name: &str, value: &[u8]) {
        self.text.extend_from_slice(name.as_bytes());
        let end_of_name = self.text.len();
        self.text.extend_from_slice(value);
        self.ends.push((end_of_name, self.text.len()));
    }

    /// Returns all fields, with their names in lower case. Fields of the same name keep their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.fields()
            .map(|(name, value)| (str::from_utf8(name).unwrap_or_default(), value))
    }

    fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let mut start = 0;
        self.ends.iter().map(move |(end_of_name, end)| {
            let name = &self.text[start..*end_of_name];
            start = *end;
            (name, &self.text[*end_of_name..*end])
        })
    }

    /// Returns all values of a field, in order.
    pub fn get_all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.fields()
            .filter(move |(other, _)| other.eq_ignore_ascii_case(name.as_bytes()))
            .map(|(_, value)| value)
    }

    /// Returns the first value of a field.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.get_all(name).next()
    }

    /// Returns the first value of a field, if it is UTF-8.
    pub fn get_str(&self, name: &str) -> Option<&str> {
        str::from_utf8(self.get(name)?).ok()
    }

    /// Returns the values of a field that are UTF-8.
    pub(crate) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.get_all(name)
            .filter_map(|value| str::from_utf8(value).ok())
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

impl Fields for Headers {
    fn value(&self, name: &str, index: usize) -> Option<&[u8]> {
        self.get_all(name).nth(index)
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Self {
        let mut headers = Self::default();
        for (name, value) in fields {
            headers.push_lower(&name.as_ref().to_ascii_lowercase(), value.as_ref());
        }
        headers
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values may be credentials, which do not belong in logs.
        let names = self.iter().map(|(name, _)| name);
        f.debug_list().entries(names).finish()
    }
}

/// The value of a header field of a response.
pub(crate) type Value = Cow<'static, str>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_in_any_case_and_in_their_order() {
        let headers = Headers::from_iter([("X-Key", "one"), ("Host", "x"), ("x-key", "two")]);
        for name in ["x-key", "X-KEY"] {
            assert!(headers.get_all(name).eq([b"one", b"two"]));
            assert_eq!(headers.value(name, 1), Some(&b"two"[..]));
            assert_eq!(headers.value(name, 2), None);
        }
        assert_eq!(headers.get("x-ke"), None);
        let fields: Vec<_> = headers.iter().collect();
        assert_eq!(fields[1], ("host", &b"x"[..]));
        assert_eq!(format!("{headers:?}"), r#"["x-key", "host", "x-key"]"#);
        assert_eq!(Headers::from_iter([("a", [0xff])]).get_str("a"), None);
    }
}
