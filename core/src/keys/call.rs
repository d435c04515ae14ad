//! Calls with keys, as a store sees them.
//!
//! A store is given only what it needs to recognise a repeated call: the caller, the key and a
//! fingerprint. It never sees the parameters.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hmac_sha256::Hash;

use crate::hexadecimal::hexadecimal;
use crate::runtime::Runtime;

/// A call with a key, as a [`KeyStore`](crate::KeyStore) sees it.
///
/// The [caller](Self::caller) and the [key](Self::key) identify it: two callers may use the same
/// key. Two calls with the same [fingerprint](Self::fingerprint) have the same procedure and
/// parameters.
#[derive(Clone)]
#[cfg(feature = "keys")]
pub struct KeyedCall {
    pub(crate) caller: Option<String>,
    pub(crate) key: String,
    pub(crate) procedure: String,
    pub(crate) fingerprint: String,
    pub(crate) keep_for: Duration,
    pub(crate) runtime: Option<Arc<dyn Runtime>>,
}

impl KeyedCall {
    /// Returns the [id](crate::Identity::id) of the caller; `None` if keys belong to [no
    /// caller](crate::Procedure::keys_without_caller).
    pub fn caller(&self) -> Option<&str> {
        self.caller.as_deref()
    }

    /// Returns the key: 1 to 255 visible ASCII characters.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the name of the called procedure.
    pub fn procedure(&self) -> &str {
        &self.procedure
    }

    /// Returns a fingerprint of the procedure's name and the parameters, 64 hexadecimal digits. It
    /// is the same for the same call in every process. It does not depend on whether the parameters are
    /// given by name or by position, nor on their order and white space.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns how long the outcome must be kept, from the end of the call.
    pub fn keep_for(&self) -> Duration {
        self.keep_for
    }

    /// Returns the current time; `None` for a service without a [`Runtime`].
    pub fn now(&self) -> Option<Instant> {
        self.runtime.as_ref().map(|runtime| runtime.now())
    }
}

/// Returns the fingerprint of a call. The zero byte separates the texts: no name of a procedure
/// contains one.
pub(crate) fn fingerprint(procedure: &str, params: &str) -> String {
    let mut hash = Hash::new();
    hash.update(procedure);
    hash.update([0]);
    hash.update(params);
    let digits: [u8; 64] = hexadecimal(&hash.finalize());
    String::from_utf8_lossy(&digits).into_owned()
}

/// The key is left out, because it may be a secret of the caller.
impl fmt::Debug for KeyedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedCall")
            .field("procedure", &self.procedure)
            .field("keep_for", &self.keep_for)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::fingerprint;

    #[test]
    fn a_fingerprint_depends_on_the_procedure_and_its_parameters_alone() {
        let text = fingerprint("pay", "{}");
        assert_eq!(text.len(), 64);
        assert_eq!(text, fingerprint("pay", "{}"));
        assert_ne!(text, fingerprint("pa", "y{}"));
        assert_ne!(text, fingerprint("pay", "{ }"));
    }
}
