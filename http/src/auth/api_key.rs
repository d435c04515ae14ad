//! Callers with API keys.
//!
//! The name of the field is the author's; everything else is in [`lookup`](super::lookup).

use docent_core::{Credentials, Rejection};
use docent_describe::json::Json;

use super::lookup::{CallerLookup, CredentialKind};
use super::{credential, scheme};

/// Identifies callers by a key in a header field, such as `X-Api-Key`.
///
/// Like [`Bearer`](crate::Bearer), but with a header field of your choice. No standard scheme exists for such
/// keys; the challenge is called `ApiKey`.
///
/// ```
/// # use std::borrow::Cow;
/// #
/// # use docent_core::Identity;
/// use docent_http::ApiKey;
///
/// # struct User(&'static str);
/// #
/// # impl Identity for User {
/// #     fn id(&self) -> Cow<'_, str> {
/// #         Cow::from(self.0)
/// #     }
/// # }
/// #
/// let keys = ApiKey::sync("X-Api-Key", |key: String| {
///     (key == "u7Qz.2fK~9").then_some(User("clara"))
/// });
/// # let _ = keys;
/// ```
pub type ApiKey<U> = CallerLookup<KeyInField, U>;

/// The value of a field.
#[derive(Debug)]
pub enum KeyInField {}

impl CredentialKind for KeyInField {
    type Credential = String;

    fn read(field: &str, credentials: &Credentials<'_>) -> Result<Option<String>, Rejection> {
        let key = credentials.only_field(field);
        Ok(key.map(|key| String::from_utf8_lossy(key).into_owned()))
    }

    fn challenge(field: &str) -> String {
        credential::challenge("ApiKey", field)
    }

    fn scheme(field: &str, description: Option<&str>) -> (String, Json) {
        scheme::api_key(field, description)
    }

    fn field(field: &str) -> String {
        field.to_owned()
    }
}
