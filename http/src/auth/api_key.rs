//! Callers with API keys.
//!
//! The name of the field is the author's; everything else is in [`lookup`](super::lookup).

use docent_core::{Credentials, Rejection};
use docent_describe::json::Json;

use super::lookup::{CallerLookup, CredentialKind};
use super::{credential, scheme};

/// Finds out who is calling by a key in a header field, such as `X-Api-Key`.
///
/// Like [`Bearer`](crate::Bearer), but with a field of your own. Its challenge has the name `ApiKey`,
/// because no scheme for such keys is registered.
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
