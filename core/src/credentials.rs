//! Credentials: the parts of a request that show who is calling.
//!
//! Guards and authenticators see nothing else of a request. What they declare to read bounds what
//! they can read, because caches and shared responses rely on it.

use std::fmt;

use crate::extensions::Extensions;

/// The parts of a request that show who is calling: the fields of the message, and the values that the
/// transport attached.
#[derive(Clone, Copy)]
pub struct Credentials<'a> {
    pub(crate) extensions: Option<&'a Extensions>,
    /// The fields that may be read; `None` if all may be.
    reads: Option<&'a [String]>,
}

impl<'a> Credentials<'a> {
    pub(crate) fn new(extensions: Option<&'a Extensions>) -> Self {
        Self {
            extensions,
            reads: None,
        }
    }

    /// Limits the credentials to the fields that a reader has declared, if it has declared any.
    pub(crate) fn limited_to(self, reads: Option<&'a [String]>) -> Self {
        Self { reads, ..self }
    }

    /// Returns the values of a field of the message (over HTTP, of a header field), in the order of
    /// arrival. The name is case-insensitive.
    ///
    /// A guard or an authenticator that declares its fields ([`Guard::reads`](crate::Guard::reads)) gets
    /// only these.
    pub fn field(&self, name: &str) -> impl Iterator<Item = &'a [u8]> {
        let visible = self
            .reads
            .is_none_or(|reads: &[String]| reads.iter().any(|own| own.eq_ignore_ascii_case(name)));
        let fields = self
            .extensions
            .and_then(Extensions::fields)
            .filter(|_| visible);
        (0..).map_while(move |index| fields?.value(name, index))
    }

    /// Returns the value of a field that must occur once; `None` if it is absent or repeated.
    pub fn only_field(&self, name: &str) -> Option<&'a [u8]> {
        let mut values = self.field(name);
        values.next().filter(|_| values.next().is_none())
    }

    /// Returns whether there is more than one `Authorization` field. It is then unclear which one
    /// counts, so the credentials are wrong whatever they are.
    pub(crate) fn are_ambiguous(&self) -> bool {
        self.field("authorization").nth(1).is_some()
    }

    /// Returns whether at least one of these fields is present.
    pub(crate) fn has_any(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.field(name).next().is_some())
    }

    /// Returns a value attached by the transport, such as the address of the peer. A guard or an
    /// authenticator that declares its fields ([`Guard::reads`](crate::Guard::reads)) gets `None`.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        let extensions = self.extensions.filter(|_| self.reads.is_none());
        extensions?.get()
    }
}

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Secrets do not go into logs.
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}
