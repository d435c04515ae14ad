//! Callers with a name and a password (RFC 7617).
//!
//! Only the parsing of the credential is here. Passwords are compared by the author's function,
//! which should hash them.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use docent_core::Credentials;
use docent_describe::json::Json;

use super::lookup::{CallerLookup, CredentialKind};
use super::{challenge, scheme};

/// Identifies callers by the name and password in `Authorization: Basic …` (RFC 7617).
///
/// Passwords are sent with every request, so use TLS. Checking the hash of a password takes time, so use
/// [`new`](CallerLookup::new) and do the work on a thread that may block.
///
/// ```
/// # use std::borrow::Cow;
/// #
/// # use docent::Identity;
/// use docent::{Basic, Login};
///
/// # struct User(String);
/// #
/// # impl Identity for User {
/// #     fn id(&self) -> Cow<'_, str> {
/// #         Cow::from(&self.0)
/// #     }
/// # }
/// #
/// # fn is_right(_: &Login) -> bool { true }
/// let staff = Basic::new("library", |login: Login| {
///     tokio::task::spawn_blocking(move || is_right(&login).then_some(User(login.name)))
/// });
/// # let _ = staff;
/// ```
#[cfg(feature = "basic")]
pub type Basic<U> = CallerLookup<Login, U>;

/// The name and password that a caller sends.
#[derive(Clone)]
#[non_exhaustive]
#[cfg(feature = "basic")]
pub struct Login {
    /// The name, without a colon.
    pub name: String,
    /// The password.
    pub password: String,
}

impl CredentialKind for Login {
    type Credential = Self;

    fn sent<'a>(_: &str, credentials: &Credentials<'a>) -> Option<&'a [u8]> {
        credentials.of_scheme("Basic")
    }

    fn decode(credential: &[u8]) -> Option<Self> {
        let text = String::from_utf8(STANDARD.decode(credential).ok()?).ok()?;
        let (name, password) = text.split_once(':')?;
        Some(Self {
            name: name.to_owned(),
            password: password.to_owned(),
        })
    }

    fn challenge(realm: &str) -> String {
        challenge::of_scheme("Basic", realm) + ", charset=\"UTF-8\""
    }

    fn scheme(_: &str, description: Option<&str>) -> (String, Json) {
        scheme::http("basic", description)
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
