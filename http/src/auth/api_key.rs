//! Callers with API keys.
//!
//! The name of the field is the author's; everything else is in [`lookup`](super::lookup).

use docent_core::Credentials;
use docent_describe::json::Json;

use super::lookup::{CallerLookup, CredentialKind};
use super::{challenge, scheme};

/// Identifies callers by a key in a header field, such as `X-Api-Key`.
///
/// Like [`Bearer`](crate::Bearer), but with a header field of your choice. No standard scheme exists for such
/// keys; the challenge is called `ApiKey`.
///
/// ```
/// # use std::borrow::Cow;
/// #
/// # use docent::Identity;
/// use docent::ApiKey;
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

    fn sent<'a>(field: &str, credentials: &Credentials<'a>) -> Option<&'a [u8]> {
        credentials.only_field(field)
    }

    fn decode(key: &[u8]) -> Option<String> {
        let key = str::from_utf8(key).ok()?;
        (!key.is_empty()).then(|| key.to_owned())
    }

    fn challenge(field: &str) -> String {
        challenge::of_scheme("ApiKey", field)
    }

    fn scheme(field: &str, description: Option<&str>) -> (String, Json) {
        scheme::api_key(field, description)
    }

    fn field(field: &str) -> String {
        field.to_owned()
    }
}
