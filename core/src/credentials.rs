//! Credentials: the parts of a request that say who is calling.
//!
//! Guards and authenticators see nothing else of a request. What they declare to read bounds what
//! they can read, because caches and shared responses rely on it.

use std::fmt;
use std::sync::Arc;

use docent_describe::json::Json;

use crate::extensions::Extensions;

const AUTHORIZATION: &str = "Authorization";

/// The fields of which a request may have several: `Cookie`, which HTTP/2 splits, and lists that proxies
/// extend.
const MAY_REPEAT: [&str; 4] = ["Cookie", "Forwarded", "Via", "X-Forwarded-For"];

/// The parts of a request that say who is calling: the fields of the message, and the values that the
/// transport attached.
#[derive(Clone, Copy)]
pub struct Credentials<'a> {
    extensions: Option<&'a Arc<Extensions>>,
    /// The fields that may be read; `None` if all may be.
    reads: Option<&'a [String]>,
}

impl<'a> Credentials<'a> {
    pub(crate) fn new(extensions: Option<&'a Arc<Extensions>>) -> Self {
        Self {
            extensions,
            reads: None,
        }
    }

    /// Returns all that the transport has attached, which no guard or authenticator sees.
    pub(crate) fn extensions(&self) -> Option<&'a Extensions> {
        self.extensions.map(Arc::as_ref)
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
            .is_none_or(|reads: &[String]| is_one_of(name, reads));
        let fields = self
            .extensions()
            .and_then(Extensions::fields)
            .filter(|_| visible);
        (0..).map_while(move |index| fields?.value(name, index))
    }

    /// Returns the value of a field that must occur once; `None` if it is absent or repeated.
    pub fn only_field(&self, name: &str) -> Option<&'a [u8]> {
        let mut values = self.field(name);
        values.next().filter(|_| values.next().is_none())
    }

    /// Returns the credentials of an authentication scheme, such as the token of `Authorization: Bearer …`
    /// (RFC 9110, section 11.4). They are empty if only the name of the scheme is sent. Returns `None` if
    /// the field is absent or repeated, or has another scheme.
    ///
    /// One or more spaces separate the name and the credentials. Other white space remains in the
    /// credentials, which are then malformed.
    pub fn of_scheme(&self, scheme: &str) -> Option<&'a [u8]> {
        after_scheme(self.only_field(AUTHORIZATION)?, scheme)
    }

    /// Copies the credentials, for work that goes on after they are borrowed.
    pub(crate) fn kept(&self) -> KeptCredentials {
        KeptCredentials {
            extensions: self.extensions.cloned(),
            reads: self.reads.map(<[String]>::to_vec),
        }
    }

    /// Returns a value attached by the transport, such as the address of the peer. A guard or an
    /// authenticator that declares its fields ([`Guard::reads`](crate::Guard::reads)) gets `None`.
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        let extensions = self.extensions.filter(|_| self.reads.is_none());
        extensions?.get()
    }
}

/// Returns what follows the name of an authentication scheme in a field, if it has this scheme.
fn after_scheme<'a>(value: &'a [u8], scheme: &str) -> Option<&'a [u8]> {
    let end = value
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(value.len());
    let (name, mut rest) = value.split_at(end);
    if !name.eq_ignore_ascii_case(scheme.as_bytes()) {
        return None;
    }
    while let Some(shorter) = rest.strip_prefix(b" ") {
        rest = shorter;
    }
    Some(rest.trim_ascii_end())
}

fn is_one_of(field: &str, names: &[impl AsRef<str>]) -> bool {
    names
        .iter()
        .any(|name| name.as_ref().eq_ignore_ascii_case(field))
}

/// Credentials that are not borrowed.
pub(crate) struct KeptCredentials {
    extensions: Option<Arc<Extensions>>,
    reads: Option<Vec<String>>,
}

impl KeptCredentials {
    pub(crate) fn borrowed(&self) -> Credentials<'_> {
        Credentials::new(self.extensions.as_ref()).limited_to(self.reads.as_deref())
    }
}

/// The fields in which a guard or an authenticator finds credentials.
#[derive(Clone)]
pub(crate) struct CredentialFields {
    /// The fields that it declares to read; `None` if it may read all.
    reads: Option<Vec<String>>,
    /// The authentication schemes that it accepts in `Authorization`; empty if it accepts any value.
    schemes: Vec<String>,
    /// The fields of which a request may have only one.
    single: Vec<String>,
}

impl CredentialFields {
    /// Creates the fields of a guard with the fields that it declares to read, and its security scheme. Of
    /// those, only `Authorization` and the fields of API keys are known to be credentials.
    pub(crate) fn of_guard(reads: Option<Vec<String>>, scheme: Option<&(String, Json)>) -> Self {
        Self::new(reads, scheme.map_or(&[], std::slice::from_ref))
    }

    /// Creates the fields of an authenticator. All that it declares to read are credentials.
    pub(crate) fn of_authenticator(reads: Option<Vec<String>>, schemes: &[(String, Json)]) -> Self {
        let mut fields = Self::new(reads, schemes);
        fields
            .single
            .extend(fields.reads.clone().unwrap_or_default());
        fields.single.retain(|field| !is_one_of(field, &MAY_REPEAT));
        fields
    }

    fn new(reads: Option<Vec<String>>, schemes: &[(String, Json)]) -> Self {
        let mut single = vec![AUTHORIZATION.to_owned()];
        let mut accepted = Vec::new();
        let mut accepts_any = false;
        for (_, definition) in schemes {
            match definition.get_str("type") {
                Some("http") => accepted.extend(definition.get_str("scheme").map(str::to_owned)),
                Some("apiKey") => {
                    if definition.get_str("in") == Some("header")
                        && let Some(field) = definition.get_str("name")
                    {
                        accepts_any |= field.eq_ignore_ascii_case(AUTHORIZATION);
                        single.push(field.to_owned());
                    }
                }
                _ => accepts_any = true,
            }
        }
        if accepts_any {
            accepted.clear();
        }
        single.retain(|field| {
            let is_read = reads.as_ref().is_none_or(|reads| is_one_of(field, reads));
            is_read && !is_one_of(field, &MAY_REPEAT)
        });
        Self {
            reads,
            schemes: accepted,
            single,
        }
    }

    /// Returns the fields that the reader declares to read; `None` if it may read all.
    pub(crate) fn reads(&self) -> Option<&[String]> {
        self.reads.as_deref()
    }

    /// Returns whether a request has credentials in the declared fields. `Authorization` with another scheme
    /// has none.
    pub(crate) fn are_presented(&self, credentials: &Credentials<'_>) -> bool {
        self.reads().is_some_and(|reads| {
            reads.iter().any(|field| {
                credentials
                    .field(field)
                    .any(|value| self.counts(field, value))
            })
        })
    }

    fn counts(&self, field: &str, value: &[u8]) -> bool {
        !field.eq_ignore_ascii_case(AUTHORIZATION)
            || self.schemes.is_empty()
            || self
                .schemes
                .iter()
                .any(|scheme| after_scheme(value, scheme).is_some())
    }

    /// Returns whether a field that may occur only once is repeated. It is then unclear which value counts,
    /// so the credentials are wrong whatever they are.
    pub(crate) fn are_ambiguous(&self, credentials: &Credentials<'_>) -> bool {
        self.single
            .iter()
            .any(|field| credentials.field(field).nth(1).is_some())
    }
}

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Secrets do not go into logs.
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}
