//! The claims of a token that has been verified.

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use docent_core::Identity;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The claims of a token: who is calling, as the issuer says it (RFC 7519, section 4).
///
/// Claims are an [`Identity`] themselves: the ID is the [subject](Self::sub), the scopes are those of `scope` (RFC 9068)
/// or `scp`, and subscriptions end when the token expires. So handlers can take a `Caller<Claims>`.
#[derive(Debug, Clone, Deserialize)]
#[non_exhaustive]
pub struct Claims {
    /// The subject of the token: the user, or the client that acts for itself.
    pub sub: String,
    /// The issuer. It is a single one: jsonwebtoken alone would also accept a list that has the right one.
    pub iss: String,
    /// The expiry, in seconds since 1970.
    exp: f64,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl Claims {
    /// Returns any other claim, such as `email`, if the token has it and it is of this type.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_value(self.others.get(name)?.clone()).ok()
    }
}

impl Identity for Claims {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.sub)
    }

    fn has_scope(&self, scope: &str) -> bool {
        ["scope", "scp"]
            .into_iter()
            .filter_map(|name| self.others.get(name))
            .any(|claim| match claim {
                Value::String(scopes) => scopes.split(' ').any(|one| one == scope),
                Value::Array(scopes) => scopes.iter().any(|one| one == scope),
                _ => false,
            })
    }

    /// Returns the expiry of the token.
    fn valid_until(&self) -> Option<SystemTime> {
        let expiry = Duration::try_from_secs_f64(self.exp).ok()?;
        SystemTime::UNIX_EPOCH.checked_add(expiry)
    }
}
